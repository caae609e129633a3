"""Train all networks of trial room 6's copying anew: 20 minutes.

    python tools/write_induction_runs.py

Writes data/induction_runs.json and its line in data/SHA256SUMS.
"""

import json

from sums import DATA, write_runs

from helpers.experiments import SEEDS
from helpers.torch_bridge.induction_runs import (
    ROWS,
    SHOWN,
    WITH_LOSS,
    at_the_end,
    one_text,
    train_copying,
)
from helpers.training import progress


def write(data=DATA):
    """Write the curves and the end of each row, and one text with weights."""
    lines = []
    for name in progress([*ROWS], "copying"):
        runs = [train_copying(name, seed) for seed in SEEDS]
        curves = [[now[:3] for now in curve] for _, curve in runs]
        losses = [[now[3] for now in curve] for _, curve in runs]
        ends = [at_the_end(copying) for copying, _ in runs]
        lines.append(f"{json.dumps(name)}: {json.dumps(curves)}")
        if name in WITH_LOSS:
            loss = json.dumps(f"{name} | loss")
            lines.append(f"{loss}: {json.dumps(losses)}")
        lines.append(f"{json.dumps(f'{name} | end')}: {json.dumps(ends)}")
        if name == "2 layers":
            shown = json.dumps(one_text(runs[0][0], SHOWN))
            lines.append(f'"a text": {shown}')
    write_runs("induction_runs.json", lines, data)


if __name__ == "__main__":
    write()
