"""What grouped_attention.txt takes from Python."""

import re


def from_errors(exercise, trials):
    """Recognize H queries that meet G keys or G values."""
    trial, error = trials[0], trials[0].got.error
    query, key, _ = trial.probe.args
    few = rf"(key|value) \({len(key)}, \d+, \d+\)"
    if f"query {query.shape}" not in error or not re.search(few, error):
        return None
    return (
        f"{len(query)} queries are paired with {len(key)} keys or values.",
        "Each query needs a key and a value: repeat each of them H/G times,"
        " along the first axis.",
        f"For {trial.probe.words}: {error}",
    )
