"""What a sentence says of an answer, held against the answer's own code.

Numbers alone cannot tell what a learner wrote: two different mistakes may
give the same ones. So a name that speaks of a median is left out if the code
has nothing that could be one, and one that misses a root if the root is
there.
"""

import re

_ROOT = r"sqrt|\*\* ?\(?(0?\.5|1 ?/ ?2)|\bstd\b|norm|hypot|\bpow(er)?\("
_SOFTMAX = r"softmax|exp\b|exp2|logaddexp|sigmoid|attention|\*\*"
_SUM = r"sum|@|dot|einsum|\+|matmul|inner|bincount|reduction|attention"
_NUMBER = r"(?<![\w.])(\d*\.\d+|\d+e|[2-9]|\d\d+)"
_HAS = (  # what a sentence says, and what the code then has
    (
        r"(is|are) rounded|code rounds",
        r"round|int|ceil|floor|/|rint|%|f'|format|trunc",
    ),
    (r"\bsort(s|ed)\b", r"sort|topk|unique"),
    (r"transposed at the start", r"\.m?T\b|transpose|swapaxes|permute"),
    (r"reverse order", r"-|flip|reverse|sort|insert|stack|concat"),
    (r"minus signs|absolute", r"abs|\*\*|maximum|clip|norm|hypot|relu"),
    (r"in percent", r"100"),
    (
        r"(is|are) squared|squared error|code squares",
        r"\*\* ?2|square|(\w+) \* \1|@|pow|var|dot",
    ),
    (
        r"^(?!.*\bnot\b).*(by|(?<!instead )of) the root|root of .* is taken"
        r"|takes the (square )?root",
        _ROOT,
    ),
    (r"divides .*by the root", r"/|\*\* ?-|divide|power"),
    (r"exp of .* (at the end|is taken)", _SOFTMAX),
    (r"logarithm of .* (at the end|is taken)|takes the log", r"log|entropy"),
    (
        r"softmax (of|is taken twice|comes|twice)"
        r"|(one more|second|puts a) soft",
        _SOFTMAX,
    ),
    (r"(this|result) is the variance", r"var|\*\*|square|cov|mean"),
    (r"median", r"median|sort|quantile|percentile|partition"),
    (r"standard deviation|standardize", r"std|var|sqrt|norm|\*\*"),
    (
        r"^(?!.*\bnot\b).*divide[sd] .*by (one|its|their) norm",
        _ROOT,
    ),
    (r"sigmoid", r"exp|sigmoid|expit|tanh"),
    (
        r"(?<!not )(?<!instead of )averag|the mean (of|is taken)",
        r"mean|average|/|@|dot|\*",
    ),
    (
        r"only half|halved|code halves|by half|half of",
        rf"{_NUMBER}|mean|average",
    ),
    (r"fixed (number|width|range|learning)|is fixed", _NUMBER),
    (r"degrees|full turns", r"pi\b|180|360|deg"),
    (
        r"causal|later (words|characters) (are (?!not)|out)|hides later"
        r"|leaves out later",
        r"tri|causal|range|[<>]|\[:|mask",
    ),
    (r"\bloop\b", r"for |while "),
    (r"only (one part|the first|the last)", r"\[|for |while |split|tri|eye"),
    (r"(summed|sums) up", rf"mean|average|norm|{_SUM}"),
    (r"(?<!not )added up|adds up|sum is taken", _SUM),
    (r"`//`", r"//"),
    (r"by infinity", r"inf"),
    (r"near the right ones", r"rand|normal|rng"),
    (r"NaN is used|\bto NaN", r"nan"),
    (
        r"^(?!.* is (not|missing))((?!\bnot\b).)*the (larger|largest|high)",
        r"max|sort|[<>]|topk|clip",
    ),
    (
        r"mean .*is subtracted|subtracts ((?!\bnot\b).)*\bmean\b",
        r"mean|average|sum|/|@|dot",
    ),
)
_LACKS = (  # what a sentence says is missing: the code has less of it
    (
        r"root is (missing|left out)|not (divided|scaled) by the root"
        r"|not (divide|scale) .*by the root",
        _ROOT,
    ),
    (r"^your code compares dot products", _ROOT),
    (r"exp is (missing|left out)|without exp", r"exp\b|softmax"),
    (
        r"softmax is (missing|left out)|leaves out the softmax",
        r"softmax|exp\b|attention\(",
    ),
    (r"logarithm is (missing|left out)", r"log"),
    (r"minus infinity is (missing|left out)", r"inf"),
)
_NONE = (  # the code has nothing of it
    (r"not added up|not add up|averages .* instead of adding them", _SUM),
    (
        r"large (scores|exponents|logits) overflow",
        r"- ?(np\.a?max\(\w+\)|\w+\.max\(\))",
    ),
)
_INSTEAD = re.compile(r"^`([\w.]+)` is (used instead|taken instead|returned)")
_TWICE = re.compile(r"^`(\w+)` is (a factor|applied|subtracted|added) twice")
_QUOTED = re.compile(r"`([^`]+)`")


def fits(code, sentence, right="", more=False):
    """Tell whether an answer's code can be as a sentence says.

    `code` is "" if it is not known: then every sentence fits. `right` is the
    code of a solution. With `more`, the code must have more than that of
    what the sentence speaks of.
    """
    if not code:
        return True
    for said, has in _HAS:
        if re.search(said, sentence):
            least = len(re.findall(has, right)) if more else 0
            if len(re.findall(has, code)) <= least:
                return False
    for said, lacks in _LACKS:
        if re.search(said, sentence):
            count = len(re.findall(lacks, code))
            if count and count >= len(re.findall(lacks, right)):
                return False
    return not any(
        re.search(said, sentence) and re.search(none, code)
        for said, none in _NONE
    )


def names_fit(code, sentence, known):
    """Tell whether an answer's code has the names that a sentence quotes.

    `known` are names that the task gives.
    """
    if not code:
        return True
    used = _INSTEAD.match(sentence)
    if used and not _has(code, used[1]):
        return False
    if used and used[1] == "_" and not re.search(r"[-+*/@(\[] ?_\b", code):
        return False  # a place for what is not wanted
    twice = _TWICE.match(sentence)
    if twice and not re.search(rf"\b{twice[1]}\b.*\b{twice[1]}\b|\*\*", code):
        return False
    quoted = " ".join(_QUOTED.findall(sentence))
    quoted = re.findall(r"(?<![.\w])[A-Za-z_]\w*", quoted)
    return all(n in known or _has(code, n) for n in quoted)


def _has(code, name):
    return bool(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", code))
