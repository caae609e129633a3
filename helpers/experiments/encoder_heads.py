"""Does a head with a tidy map matter? Measures of all 72 heads.

Tidiness: how often a word's largest weight lies on its partner, minus what
counting words gets. Harm: how far the vector of a sentence turns when the
head is switched off. Arrays (6, 12) are [block, head].
"""

import numpy as np

from helpers import tasks
from helpers.attention import split_heads
from helpers.experiments.encoder_measures import (
    between_words,
    sentence_vectors,
)
from helpers.models import load_encoder
from helpers.models.encoder import HEADS, LAYERS, encoder_block


def read_relations(seed):
    """40 sentences of `tasks.relations`: the output, and above counting.

    The second is (7, 6, 12): for each relation and head, the accuracy of its
    largest weight among the words, minus that of the best offset.
    """
    sentences, pairs = tasks.relations(40, seed)
    output = load_encoder().read(sentences)
    favorite = between_words(output).argmax(axis=-1)  # (6, 40, 12, T)
    above = []
    for i, q, k in (pairs[name].T for name in tasks.RELATIONS):
        hits = favorite[:, i, :, q] == k[:, None, None]  # (n, 6, 12)
        _, counts = np.unique(k - q, return_counts=True)
        above.append(hits.mean(axis=0) - counts.max() / len(k))
    return output, np.array(above)


def tidiness(chosen_on, measured_on):
    """Each head's value for the relation that it is best at.

    chosen_on, measured_on (7, 6, 12): what chooses the relation, and what
    measures it. Returns (6, 12), and the numbers of the relations (6, 12).
    """
    best = chosen_on.argmax(axis=0)
    return np.take_along_axis(measured_on, best[None], axis=0)[0], best


def harm(output):
    """1 minus the cosine of the sentence's vector without each head: (6, 12).

    The mean over the texts of the output.
    """
    hidden, mask = output.hidden, output.mask
    blocks, whole = load_encoder().blocks, sentence_vectors(output)
    masks = {"mask": mask[:, None, None], "there": mask}
    turned = np.zeros((LAYERS, HEADS))
    for layer, head in np.ndindex(LAYERS, HEADS):
        kept = (np.arange(HEADS) != head).astype(np.float32)
        x, rest = hidden[layer], blocks[layer:]
        x, _ = encoder_block(x, rest[0], **masks, head_mask=kept)
        for block in rest[1:]:
            x, _ = encoder_block(x, block, **masks)
        vectors = sentence_vectors(output._replace(hidden=x[None]))
        turned[layer, head] = 1 - (vectors * whole).sum(axis=1).mean()
    return turned


def weight_on_words(output):
    """The mean weight of each head that is not on [CLS]: (6, 12)."""
    return np.array(
        [_by_head(1 - a[..., 0], output.mask) for a in output.weights]
    )


def norm_added(output):
    """The mean norm of what each head adds to a word: (6, 12)."""
    norms = []
    steps = zip(
        load_encoder().blocks, output.hidden[:-1], output.weights, strict=True
    )
    for p, x, a in steps:
        value = split_heads(x @ p["w_v"] + p["b_v"], HEADS)
        w_o = p["w_o"].reshape(HEADS, -1, x.shape[-1])  # 32 rows for a head
        added = np.linalg.norm(a @ value @ w_o, axis=-1)  # (B, 12, T)
        norms.append(_by_head(added, output.mask))
    return np.array(norms)


def _by_head(numbers, mask):
    """(B, 12, T) -> (12,): the mean over all tokens, without padding."""
    return numbers.swapaxes(1, 2)[mask].mean(axis=0)


def first_texts(output, count):
    """The output for the first texts alone."""
    return output._replace(
        tokens=output.tokens[:count],
        hidden=output.hidden[:, :count],
        weights=output.weights[:, :count],
        mask=output.mask[:count],
    )


def rank_correlation(a, b):
    """Spearman's rank correlation of all numbers of a with those of b."""
    return np.corrcoef(_ranks(a), _ranks(b))[0, 1]


def _ranks(x):
    """1 to n; equal numbers share their mean rank."""
    flat = np.ravel(x)
    below = (flat < flat[:, None]).sum(axis=1)
    return below + ((flat == flat[:, None]).sum(axis=1) + 1) / 2


def inside_blocks(a, b):
    """The mean rank correlation over the rows of a and b."""
    return np.mean([*map(rank_correlation, a, b)])


def by_chance(a, b, draws=1000):
    """95 % of shuffled heads have smaller absolute correlations than these.

    Returns two numbers: for all heads shuffled, and inside their block.
    """
    mix = np.random.default_rng(0).permuted
    mixed = [mix(a.ravel()) for _ in range(draws)]
    mixed_inside = [mix(a, axis=1) for _ in range(draws)]
    return np.quantile(
        [
            [abs(rank_correlation(each, b)) for each in mixed],
            [abs(inside_blocks(each, b)) for each in mixed_inside],
        ],
        0.95,
        axis=1,
    )
