"""The root of d_k by which the scores are divided, with its mistakes."""

import numpy as np

from helpers.checks.engine import Mistake, Step

WIDTH = (
    "What is summed up in a score are the d_k numbers of a query and a key, so"
    " it is d_k whose root counts."
)


def root(width, *others):
    """Return the step "root": the root of ``width(c)``.

    `others` are widths of the same input that could be taken for d_k.
    """
    d = width
    return Step(
        "root",
        lambda c: np.sqrt(d(c)),
        Mistake(
            "the scale is missing",
            "Divide by the square root of d_k, the width of a query; notebook"
            " 03 measures what that is for.",
            lambda c: 1.0,
        ),
        Mistake(
            "d_k stands where its root belongs",
            "The spread of a sum of d_k products grows with the root of d_k,"
            " so the root is what counts, once.",
            d,
        ),
        Mistake(
            "`** 1/2` is not the root",
            "The power comes before the division: `d ** 1/2` is d / 2. The"
            " exponent needs parentheses, or another way to write it.",
            lambda c: d(c) / 2,
            lambda c: d(c) // 2,
            lambda c: 2 * d(c),
        ),
        Mistake(
            "`** 1/2` is not the root, and it multiplies",
            "The power comes before the division: `d ** 1/2` is d / 2. And the"
            " scores become larger here, not smaller.",
            lambda c: 2 / d(c),
        ),
        Mistake(
            "the root of another width is taken",
            f"{WIDTH} Which length of which array is that?",
            *(lambda c, f=f: np.sqrt(f(c)) for f in others),
        ),
        Mistake(
            "another width is taken, and its root is missing",
            f"{WIDTH} Which length of which array is that?",
            *others,
        ),
        Mistake(
            "the root stands on the wrong side of the fraction",
            "Divided by the root, numbers become smaller. Here they become"
            " larger.",
            lambda c: 1 / np.sqrt(d(c)),
        ),
        Mistake(
            "d_k stands where its root belongs, and on the wrong side",
            "Divided by the root, numbers become smaller. Here they become"
            " larger, and by d_k itself.",
            lambda c: 1 / d(c),
        ),
        Mistake(
            "the root of d_k is rounded",
            "A root is rarely a whole number. The next step needs all its"
            " digits.",
            lambda c: max(np.floor(np.sqrt(d(c))), 1),
            lambda c: np.ceil(np.sqrt(d(c))),
            *(lambda c, n=n: np.round(np.sqrt(d(c)), n) for n in range(4)),
        ),
        Mistake(
            "the scale is rounded",
            "One over a root is rarely a short number. The next step needs all"
            " its digits.",
            *(lambda c, n=n: 1 / np.round(d(c) ** -0.5, n) for n in (3, 2, 1)),
        ),
        Mistake(
            "another function takes the place of the root",
            "Of d_k = 16 it must make 4, of d_k = 9 it must make 3.",
            lambda c: np.cbrt(d(c)),
            lambda c: np.sqrt(np.sqrt(d(c))),
            lambda c: np.log(d(c)),
            lambda c: np.log2(d(c)),
            lambda c: np.float64(d(c)) ** 2,
            lambda c: np.float64(d(c)) ** 1.5,
            lambda c: np.exp(d(c)),
        ),
        Mistake(
            "the root of a number near d_k is taken",
            "It is the width of a query as it is: nothing is added to it.",
            lambda c: np.sqrt(d(c) - 1),
            lambda c: np.sqrt(d(c) + 1),
            lambda c: np.sqrt(d(c)) + 1,
            lambda c: np.sqrt(2 * d(c)),
            lambda c: np.sqrt(d(c) / 2),
        ),
        Mistake(
            "a fixed number takes the place of the root",
            "d_k differs from input to input.",
            *(
                lambda c, n=n: n
                for n in (4, 8, 2, 16, 3, 64, 10, 32, 2**0.5, 3**0.5)
            ),
        ),
    )
