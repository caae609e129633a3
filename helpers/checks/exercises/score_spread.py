"""Notebook 03: the standard deviation of random scores, measured."""

import dataclasses

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step

NEAR = 0.08  # an estimate counts as a value when it is so near, relatively
ROUGH = 0.6  # and as a rough estimate of it up to here
_SCORE = "A score is one number: the *sum* of the products, times the scale."
_ALONG = "In an array of shape (pairs, d_k), the products stand along axis 1."
_ASKED = "Asked for is the standard deviation of many scores: np.std."
_VARIANCE = (
    "this is the variance, not the standard deviation",
    f"{_ASKED} It is the root of the variance.",
)
_NORMAL = "rng.standard_normal draws numbers of mean 0 and variance 1."
_PAIRS = (
    "Draw more: about 2,000 pairs of a query and a key, each pair new. (One"
    " query for all keys is not enough: its own length decides then.)"
)


class Estimated(Exercise):
    """An exercise that is answered by a measurement.

    What comes back is taken for the nearest of the right answer and the
    known mistakes, if it is within `NEAR` of it.
    """

    @property
    def all_steps(self):
        """The steps, and one that hands back the result, rounded or not."""
        *steps, last = super().all_steps
        left = (
            "the result is rounded",
            "the decimals of the",
            "the result is 0",
        )
        names = [m.name for m in last.mistakes if m.name.startswith(left)]
        return *steps, last.but(without=names)

    def _tried(self, function):
        first, again = (
            [self._snapped(trial) for trial in trials]
            for trials in super()._tried(function)
        )
        if len(again) == len(first):  # fewer if the time was up
            first = [
                _rougher(*pair) for pair in zip(first, again, strict=True)
            ]
        return first, again

    def _snapped(self, trial):
        known = [self.outcome(v, trial.probe) for v in self.singles]
        for outcomes in [trial.want], known:
            best = min(outcomes, key=lambda o: _off(trial.got, o))
            if _off(trial.got, best) < NEAR:
                return dataclasses.replace(trial, got=best)
        return trial


def _off(got, want):
    """Return how far one number is from another, relatively."""
    if not (got.arrays and want.arrays):
        return np.inf
    one, two = got.arrays[0], want.arrays[0]
    if one.shape != two.shape or one.size != 1 or not two.all():
        return np.inf
    return float(np.abs(one / two - 1).max())


def _rougher(one, two):
    """Return the second trial if only the first is near enough, by luck."""
    mild = _off(two.got, two.want) < ROUGH
    return two if one.right and mild else one


def _near_variances(trials):
    """Tell if each result is about a variance, scaled once or squared."""
    gots = np.array([t.got.arrays[0].item() for t in trials])
    d_k, scale = np.transpose([t.probe.args for t in trials])
    powers = [gots / (d_k * scale**power) for power in (1, 2)]
    return any((np.abs(power - 1) < 0.25).all() for power in powers)


def _rough(exercise, trials):
    """Recognize a sum over pairs, a variance, few scores, a mean near 0."""
    ones = [t for t in trials if [a.size for a in t.got.arrays] == [1]]
    sizes = [t.got.arrays[0].item() / t.probe.args[1] for t in ones]
    if ones == trials and 0.5 < min(sizes) and max(sizes) < 2.5 * min(sizes):
        if np.median(sizes) < 1.5:
            return "the products are not added up.", _SCORE
        return "the sum runs over the pairs, not over d_k.", _ALONG
    if ones == trials and _near_variances(trials):
        return f"{_VARIANCE[0]}.", _VARIANCE[1]
    off = [_off(t.got, t.want) for t in trials]
    if all(0.75 < each < 1.25 for each in off):
        return (
            "near 0: is it the mean of the scores, or the spread of products?",
            f"{_ASKED} {_SCORE}",
        )
    if np.median(off) < ROUGH:
        return "near, but too rough to draw a line with.", _PAIRS
    return None


_spread = Step(
    "spread",
    lambda c: np.sqrt(c.d_k),
    Mistake(
        "the products are not added up",
        _SCORE,
        lambda c: 1.0,
    ),
    Mistake(
        *_VARIANCE,
        lambda c: c.d_k,
        {
            "spread": lambda c: c.d_k,
            "result": lambda c: c.scale**2 * c.spread,
        },
    ),
    Mistake(
        "a vector meets itself",
        "Query and key are drawn apart: two calls of rng.standard_normal.",
        lambda c: np.sqrt(2 * c.d_k),
    ),
    Mistake(
        "the numbers are drawn between 0 and 1, not around 0",
        f"Their mean is not 0, and they are smaller. {_NORMAL}",
        lambda c: np.sqrt(7 / 144 * c.d_k),
    ),
    Mistake(
        "a mean of the products stands where their sum belongs",
        _SCORE,
        lambda c: 1 / np.sqrt(c.d_k),
    ),
    Mistake(
        "the mean size of the scores is taken",
        f"That is a measure of spread as well, a little smaller. {_ASKED}",
        lambda c: np.sqrt(2 / np.pi * c.d_k),
    ),
)
_result = Step(
    "result",
    lambda c: c.scale * c.spread,
    Mistake(
        "the scale is missing",
        "The scores are multiplied by it before their spread is measured.",
        lambda c: c.spread,
    ),
    Mistake(
        "the scores are divided by the scale",
        "The scale is a factor: 1/8 makes the scores smaller.",
        lambda c: c.spread / c.scale,
    ),
    Mistake(
        "the scale acts twice",
        "Multiply queries or keys or scores by it, only one of them.",
        lambda c: c.scale**2 * c.spread,
    ),
    Mistake(
        "the root of the scale is taken",
        "The scores are multiplied by the scale as it is.",
        lambda c: np.sqrt(c.scale) * c.spread,
    ),
    Mistake(
        "one score alone has no spread",
        _PAIRS,
        lambda c: 0.0,
    ),
    Mistake(
        "the scores are scaled by the root of d_k as well",
        "`scale` is the only factor here.",
        lambda c: c.scale * c.spread / np.sqrt(c.d_k),
    ),
)


def _probe(d_k, scale):
    return Probe(f"d_k = {d_k}, scale {scale:g}", (d_k, float(scale)))


score_spread = Estimated(
    name="score_spread",
    call="score_spread(d_k, scale)",
    results=("result",),
    shape="no list, no array",
    steps=(_spread, _result),
    probes=(_probe(100, 1), _probe(64, 0.3), _probe(9, 7), _probe(300, 0.1)),
    recognize=_rough,
    praise="With it you can draw the picture.",
)
