"""Tell an answer that is not finished from one that is wrong."""

from helpers.checks import crashes, results, source


def verdict(function, trials):
    """Return what to say if a blank `...` is still open, or None."""
    problems = [trial.got.problem for trial in trials]
    errors = [trial.got.error for trial in trials]
    if not any(problems) and not any(errors):
        return None
    own = source.has_blank(function)
    used = "" if own else source.blank_used(function)
    if _not_attempted(function, problems, used):
        return ("not attempted yet.",)
    texts = _blank_results(problems)
    if used:
        texts.append(f"It uses `{used}`, where a blank `...` is still open.")
    elif not texts and (own or results.BLANK in problems):
        texts.append("A blank `...` is still open in your function.")
    elif any(map(crashes.meets_blank, errors)):
        texts.append("Something that it uses is still `...`, or returns it.")
    return ("not finished yet.", *texts) if texts else None


def _not_attempted(function, problems, used):
    blank = all(problem == results.BLANK for problem in problems)
    none = all(problem.startswith("None") for problem in problems)
    return (blank and not used) or (none and source.does_nothing(function))


def _blank_results(problems):
    texts = [p for p in problems if results.BLANK in p and p != results.BLANK]
    return [f"It still returns {text}" for text in texts[:1]]
