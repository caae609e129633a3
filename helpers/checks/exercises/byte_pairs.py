"""What byte_pairs.txt takes from Python."""


def one_pass(tokens, merges):
    """Merge each pair that is met, from left to right, once."""
    found = []
    for token in tokens:
        pair = (found[-1], token) if found else None
        if pair in merges:
            found[-1] = merges[pair]
        else:
            found.append(token)
    return found


def one_sweep(tokens, merges):
    """Merge each pair that is met, from left to right, and go past it."""
    found, i = [], 0
    while i < len(tokens):
        pair = tuple(tokens[i : i + 2])
        found.append(merges.get(pair, tokens[i]))
        i += 1 + (pair in merges)
    return found


def by_entries(tokens, merges):
    """Merge one pair after the other, as the dictionary has them."""
    tokens = list(tokens)
    for pair, new in merges.items():
        i = 0
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == pair:
                tokens[i : i + 2] = [new]
            i += 1
    return tokens


def longest(tokens, merges):
    """Take the longest known token from the left, again and again."""
    spelled = {}
    for (left, right), token in merges.items():
        spelled[token] = spelled.get(left, (left,)) + spelled.get(
            right, (right,)
        )
    known, found, i = {v: k for k, v in spelled.items()}, [], 0
    while i < len(tokens):
        for end in range(len(tokens), i, -1):
            part = tuple(tokens[i:end])
            if part in known or end == i + 1:
                found.append(known.get(part, tokens[i]))
                i = end
                break
    return found
