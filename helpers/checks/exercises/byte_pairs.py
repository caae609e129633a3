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
