"""Compare two kinds of runs by their pairs, and say when one cannot tell."""

from dataclasses import dataclass

import numpy as np

# Student's t, two-sided 95 %, by degrees of freedom; more than 30: 1.96
QUANTILES = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """The mean difference of N pairs, its standard error, and its interval.

    `low` and `high` enclose the true mean in 95 % of all experiments, if the
    differences are normal.
    """

    mean: float
    error: float
    count: int

    @property
    def _half(self):
        freedom = self.count - 1
        inside = freedom <= len(QUANTILES)
        return self.error * (QUANTILES[freedom - 1] if inside else 1.96)

    @property
    def low(self):
        """The lower end of the interval."""
        return self.mean - self._half

    @property
    def high(self):
        """The upper end of the interval."""
        return self.mean + self._half

    def __str__(self):
        return (
            f"{self.mean:+.3f} ± {self.error:.3f} (standard error of"
            f" {self.count} pairs)"
        ).replace("+-", "-")

    def above(self, margin):
        """Tell whether it is larger; None if the interval holds `margin`."""
        if self.low > margin:
            return True
        return False if self.high <= margin else None

    def at_most(self, margin):
        """Tell whether it is not larger; None as in `above`."""
        above = self.above(margin)
        return None if above is None else not above

    def within(self, margin):
        """Tell whether it is at most ±`margin`; None if it may be or not."""
        if -margin <= self.low and self.high <= margin:
            return True
        outside = self.low > margin or self.high < -margin
        return False if outside else None


def paired(one, other):
    """Return the Difference one − other of runs that share a seed.

    one, other: arrays (N,), N at least 2, in the same order.

    Raises ValueError or TypeError for other shapes, or what is not finite.
    """
    one, other = (np.asarray(each, dtype=np.float64) for each in (one, other))
    if one.shape != other.shape or one.ndim != 1 or one.size < 2:
        raise ValueError(
            "one, other: expected two arrays (N,) of pairs, N at least 2, got"
            f" {one.shape} and {other.shape}"
        )
    found = one - other
    if not np.isfinite(found).all():
        raise ValueError("one, other: NaN or infinity in a pair")
    error = found.std(ddof=1) / np.sqrt(found.size)
    return Difference(float(found.mean()), float(error), found.size)
