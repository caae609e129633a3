"""What hiding a word does to the answer, compared with the word's weight."""

import numpy as np

BINS = np.linspace(0.1, 0.4, 7)  # weights of the words that are compared


def effects(model, examples):
    """Return how far hiding each word moves the answer, and the weights.

    For one layer with one head and the two classes singular and plural. The
    answer is the logit of plural minus that of singular. Two arrays (B, T).
    """

    def lead(mask):
        position = examples.sentences.position
        logits, weights = model.forward(examples.x, position, mask)
        return logits[:, 1] - logits[:, 0], weights[:, 0]

    usual, weights = lead(examples.mask)
    moves = np.zeros(weights.shape)
    for place in range(weights.shape[1]):
        mask = examples.mask.copy()
        mask[:, place] = False
        moves[:, place] = np.abs(lead(mask)[0] - usual)
    return moves, weights


def accuracy_without(runs):
    """Return the accuracy (S,) with some words hidden from the verb, by name.

    Nothing; word 2, which has the second-largest weight; and all nouns.
    """
    orders = [(-e.weights[:, 0]).argsort(axis=1) for e in runs.evaluations]
    places = {
        "nothing": [order[:, :0] for order in orders],
        "word 2": [order[:, [1]] for order in orders],
        "all nouns": [examples.sentences.nouns for examples in runs.tests],
    }
    return {n: runs.without_words(p)[:, 0] for n, p in places.items()}


def nouns_and_others(runs):
    """Return what hiding a noun and another word does, at equal weights.

    Three arrays (S,), a number for each model: how far hiding a noun moves
    the answer, how far hiding another word does, both `at_equal_weights`,
    and which share of these other words are the verb itself.
    """
    found = []
    for model, examples in zip(runs.models, runs.tests, strict=True):
        moves, weights = effects(model, examples)
        is_noun = np.zeros(weights.shape, bool)
        np.put_along_axis(is_noun, examples.sentences.nouns, True, axis=1)
        others = ~is_noun & (weights >= BINS[0]) & (weights < BINS[-1])
        itself = others[:, -1].sum() / others.sum()
        found.append((*at_equal_weights(moves, weights, is_noun), itself))
    return np.transpose(found)


def at_equal_weights(moves, weights, is_noun):
    """Return the mean moves of nouns and of others, compared bin by bin.

    The weights are sorted into `BINS`, and each bin that has both counts for
    nouns as much as it has other words. Three arrays (B, T) -> two numbers.
    """
    bins = np.digitize(weights, BINS)  # 0 and len(BINS): not compared
    pairs = [
        (moves[is_noun & (bins == b)], moves[~is_noun & (bins == b)])
        for b in range(1, len(BINS))
    ]
    pairs = [pair for pair in pairs if all(part.size for part in pair)]
    means = [[part.mean() for part in pair] for pair in pairs]
    many = [other.size for _, other in pairs]
    return np.average(means, axis=0, weights=many)
