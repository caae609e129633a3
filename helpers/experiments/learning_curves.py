"""How long a curve of training waits, and how fast it then rises."""

import numpy as np

ENDS = (0.5, 0.7, 0.8, 0.9)  # parts of the way


def steps_to(part, curves, begin=None, *, every=10):
    """Return the step at which each curve has gone a part of its way.

    Parameters
    ----------
    part : float
        Above 0, at most 1.
    curves : array of shape (seeds, times)
        Measured every `every` steps of training.
    begin : float, optional
        Where the way begins; else with the first value of each curve. It
        ends with the last value.

    Returns
    -------
    array of shape (seeds,)
    """
    curves = np.asarray(curves, float)
    begin = curves[:, :1] if begin is None else begin
    way = (curves - begin) / (curves[:, -1:] - begin)
    return every * (np.argmax(way >= part, axis=1) + 1)


def show_rise(label, curves, begin=None):
    """Print the mean wait and the mean rises; return the sudden ones.

    The wait ends after a tenth of the way, and a rise lasts from there to
    one of `ENDS`; in brackets: in how many curves it is shorter than the
    wait. Returns {end: array (seeds,) of bool}, whether it is shorter.
    """
    wait, sudden = steps_to(0.1, curves, begin), {}
    print(f"{label:17} {wait.mean():4.0f}", end="")
    for part in ENDS:
        rise = steps_to(part, curves, begin) - wait
        sudden[part] = rise < wait
        print(f" {rise.mean():4.0f} ({sudden[part].sum()})", end="")
    print()
    return sudden


def sudden_by_kind(rises, part, kinds):
    """Gather which runs are sudden up to a part of the way, by kind.

    rises: {name: what `show_rise` has returned}. kinds: beginnings of names;
    a name with another beginning counts as the first kind. Returns {kind:
    array (runs,) of 0 and 1}.
    """
    found = {kind: [] for kind in kinds}
    for name, sudden in rises.items():
        kind = next((k for k in kinds if name.startswith(k)), kinds[0])
        found[kind].extend(sudden[part])
    return {kind: np.array(each, float) for kind, each in found.items()}
