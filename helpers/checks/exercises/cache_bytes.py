"""Notebook 08: how many bytes a cache of keys and values takes."""

from helpers.checks.engine import Exercise, Mistake, Probe, Step

_BOTH = "For each token the cache keeps a key and a value."
_HEADS = (
    "What is kept are keys and values, so their heads count. Several query"
    " heads may share one."
)


def _probe(words, *args, level="basic"):
    return Probe(words, args, level)


_heads = Step(
    "heads",
    lambda c: c.kv_heads,
    Mistake(
        "the heads of the queries are counted",
        f"{_HEADS} A query is used once and never kept.",
        lambda c: c.query_heads,
    ),
    Mistake(
        "queries are kept as well",
        "The query of a word is used once, when the word comes. No later word"
        " needs it.",
        {"kept": lambda c: c.kv_heads + c.query_heads / 2},
        {"kept": lambda c: 1.5 * c.kv_heads},
    ),
    Mistake(
        "query heads and key heads are multiplied",
        _HEADS,
        lambda c: c.query_heads * c.kv_heads,
    ),
    Mistake(
        "the query heads for each key head are counted",
        _HEADS,
        lambda c: c.query_heads / c.kv_heads,
    ),
)
_kept = Step("kept", lambda c: c.heads)
_a_token = Step(
    "a_token",
    lambda c: 2 * c.kept * c.d_head * c.bytes_each,
    Mistake(
        "the factor 2 is missing: keys and values",
        _BOTH,
        lambda c: c.kept * c.d_head * c.bytes_each,
    ),
    Mistake(
        "numbers are counted, not bytes",
        "Each number takes bytes_each bytes.",
        lambda c: 2 * c.kept * c.d_head,
    ),
    Mistake(
        "the width of a head is missing",
        "A key has d_head numbers, and so has a value here.",
        lambda c: 2 * c.kept * c.bytes_each,
    ),
    Mistake(
        "bits and bytes are mixed up",
        "bytes_each is in bytes already: nothing times 8, or divided by it.",
        lambda c: 16 * c.kept * c.d_head * c.bytes_each,
        lambda c: c.kept * c.d_head * c.bytes_each / 4,
    ),
)
_total = Step(
    "bytes",
    lambda c: c.tokens * c.layers * c.a_token,
    Mistake(
        "only one layer is counted",
        "Every layer attends, with keys and values of its own.",
        lambda c: c.tokens * c.a_token,
    ),
    Mistake(
        "the tokens enter with their square",
        "The table of weights has T times T numbers; keys and values have a"
        " row for each token.",
        lambda c: c.tokens**2 * c.layers * c.a_token,
    ),
    Mistake(
        "this is for one token",
        "Keys and values of all tokens are kept.",
        lambda c: c.layers * c.a_token,
    ),
    Mistake(
        "it is given in another unit",
        "Asked for are bytes.",
        *(
            lambda c, n=n: c.tokens * c.layers * c.a_token / n
            for n in (1e3, 1e6, 1e9, 2**10, 2**20, 2**30)
        ),
    ),
)
_SIGNATURE = "tokens, layers, query_heads, kv_heads, d_head, bytes_each"
cache_bytes = Exercise(
    name="cache_bytes",
    call=f"cache_bytes({_SIGNATURE})",
    results=("bytes",),
    shape="one number",
    steps=(_heads, _kept, _a_token, _total),
    probes=(
        _probe("7 tokens and 6 heads that share 3", 7, 5, 6, 3, 11, 2),
        _probe("100 tokens and 8 heads that share 2", 100, 3, 8, 2, 13, 4),
        _probe("1000 tokens and heads of their own", 1000, 4, 7, 7, 5, 2),
        _probe("one key head for all", 50, 2, 9, 1, 16, 2, level="edge"),
        _probe("one byte for each number", 9, 3, 4, 2, 7, 1, level="edge"),
    ),
    praise="It grows with the tokens, not with their square.",
)
