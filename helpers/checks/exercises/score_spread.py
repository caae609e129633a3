"""What score_spread.txt takes from Python."""

import dataclasses
import functools
import re

import numpy as np

from helpers.checks.engine.exercise import Exercise, Trial
from helpers.checks.engine.explain import learners_code
from helpers.checks.engine.read.steps import Probe
from helpers.checks.engine.run import results, sandbox

NEAR = 0.1  # an estimate counts as a value when it is so near, relatively
ROUGH = 0.6  # and as a rough estimate of it up to here
# Where the scatter of right results is measured; kept, since outcomes are kept
# by the place of their probe in memory.
MORE = [Probe(f"d_k = {d}, scale 1", (d, 1.0)) for d in range(40, 120)]
OTHERS = r"uniform|choice|integers|randint|random\(|\brand\(|laplace|sign\("
NORMAL = r"normal|randn|gauss|log"  # with log: Box and Muller's way
FEW = 20  # of them are enough if the scatter is below SMALL
SMALL, LARGEST = 0.024, 0.03  # 0.016 for 2,000 pairs, 0.051 for 200


class Estimated(Exercise):
    """An exercise that is answered by a measurement.

    What comes back is taken for the nearest of the right answer and the
    known mistakes, if it is within `NEAR` of it.
    """

    scatter = NEAR  # at work, too: it draws its own random numbers

    def reference(self, d_k, scale):
        """Return what is measured, exactly: mistakes are measured, too."""
        return scale * np.sqrt(d_k)

    @functools.cached_property
    def singles(self):
        """The ways to make a mistake, without those that change nothing.

        A result that only scatters has made none of these.
        """
        wants = [self._outcome(self.reference, p) for p in self.probes]
        return [
            one
            for one in super().singles
            if not all(
                _off(super(Estimated, self).outcome(one, p), want) < NEAR
                for p, want in zip(self.probes, wants, strict=True)
            )
        ]

    def outcome(self, variant, probe):
        """Return what a variant gives; results that are near are one."""
        return super().outcome(self._alike.get(variant, variant), probe)

    @functools.cached_property
    def _alike(self):
        """For each single mistake the first one with nearly its results."""
        found, first = {}, super().outcome
        for one in self.singles:
            near = (
                other
                for other in found.values()
                if all(
                    _off(first(one, p), first(other, p)) < NEAR
                    for p in self.probes
                )
            )
            found[one] = next(near, one)
        return found

    @property
    def all_steps(self):
        """The steps, and one that hands back the result, rounded or not."""
        *steps, last = super().all_steps
        left = (
            "your code rounds the result",
            "your code cuts off the decimals",
            "the result is 0",
            "your code adds 1",
        )
        names = [m.name for m in last.mistakes if m.name.startswith(left)]
        return *steps, last.without(names)

    def _tried(self, function):
        first, again = (
            self._explained(trials) or [self._snapped(t) for t in trials]
            for trials in super()._tried(function)
        )
        if len(again) == len(self.probes):  # fewer if the time was up
            pairs = zip(first, again, strict=True)
            first = [_rougher(*pair) for pair in pairs]
        if len(first) == len(self.probes) and all(t.right for t in first):
            first[-1] = self._scattered(function) or first[-1]
        return first, again

    def _scattered(self, function):
        """Return the worst of many results if they scatter too much."""
        trials = []
        for probes in (MORE[:FEW], MORE[FEW:]):
            found = self.run(function, [probe.args for probe in probes])
            for probe, got in zip(probes, found, strict=False):
                want = self._outcome(self.reference, probe)
                trials.append(Trial(probe, results.fitted(got, want), want))
            off = [_off(trial.got, trial.want) for trial in trials]
            limit = SMALL if len(trials) <= FEW else LARGEST
            if not off or np.sqrt(np.mean(np.square(off))) < limit:
                return None
        return max(trials, key=lambda trial: _off(trial.got, trial.want))

    def _explained(self, trials):
        """Take wrong trials for those of the one mistake that fits all."""
        if not trials or all(_off(t.got, t.want) < NEAR for t in trials):
            return None
        found = [
            [self.outcome(variant, t.probe) for t in trials]
            for variant in self.singles
        ]

        def farthest(outcomes):
            pairs = zip(trials, outcomes, strict=True)
            return max(_off(t.got, outcome) for t, outcome in pairs)

        best = min(found, key=farthest)
        if farthest(best) >= NEAR:
            return None
        return [
            dataclasses.replace(t, got=outcome)
            for t, outcome in zip(trials, best, strict=True)
        ]

    def _snapped(self, trial):
        known = (self.outcome(v, trial.probe) for v in self.singles)
        for outcomes in [trial.want], known:
            best = min(outcomes, key=lambda o: _off(trial.got, o))
            if _off(trial.got, best) < NEAR:
                best = dataclasses.replace(best, shown=trial.got.arrays)
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


def rough(exercise, trials):
    """Recognize a sum over pairs, a variance, few scores, a mean near 0."""
    ones = [t for t in trials if [a.size for a in t.got.arrays] == [1]]
    sizes = [t.got.arrays[0].item() / t.probe.args[1] for t in ones]
    if ones == trials and 0.5 < min(sizes) and max(sizes) < 2.5 * min(sizes):
        if np.median(sizes) < 1.5:
            return exercise.known("your code does not add up the products")
        many = np.median(sizes) > 24  # the root of 576: too wide for a d_k
        return (
            "the sum runs over the pairs, not over d_k."
            if many
            else "your result does not grow with d_k.",
            exercise.sentences["ALONG" if many else "FIXED"],
        )
    if ones == trials and _near_variances(trials):
        return exercise.known(
            "your result is the variance, not the standard deviation"
        )
    off = [_off(t.got, t.want) for t in trials]
    if all(0.75 < each < 1.25 for each in off):
        return (
            "your result is near 0: is it the mean of the scores, or the"
            " spread of products?",
            f"{exercise.sentences['ASKED']} {exercise.sentences['SCORE']}",
        )
    if np.median(off) < ROUGH:
        return (
            "your result is near, but too rough to draw a line with.",
            exercise.sentences["PAIRS"],
        )
    if ones == trials and not all(t.steady for t in trials):
        return (
            "repeated results are too far apart.",
            exercise.sentences["PAIRS"],
        )
    return None


def not_drawn(outcome, function):
    """Refuse the formula, and numbers that are not normal."""
    (found,) = sandbox.run(function, [(100, 3.0)], 1) or [None]
    if found and found.arrays and abs(found.arrays[0].item() - 30) < 1e-6:
        return (
            "your result is right, but your code measures nothing.",
            "That is the theory. The task asks you to draw queries and keys:"
            " only a measurement can tell you whether the theory holds.",
        )
    code = learners_code.code(function)
    if re.search(OTHERS, code) and not re.search(NORMAL, code):
        return (
            "the numbers are not drawn from a normal distribution.",
            "The spread is the same for others of mean 0 and variance 1, but"
            " the task asks for normal ones: rng.standard_normal.",
        )
    return None
