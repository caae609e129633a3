"""A [CLS] that is trained to be the sentence's vector: two minutes.

For claim C60: MiniLM was trained with the mean of all rows. Here its last
blocks are trained further, until the row of [CLS] is close to the mean that
the untouched model makes, on sentences whose nouns and adjectives
`tasks.rewordings` does not use.
"""

import numpy as np
import torch
import torch.nn.functional as F

from helpers import tasks
from helpers.experiments.cls_controls import ask
from helpers.experiments.encoder_measures import sentence_vectors
from helpers.experiments.stored import by_seed
from helpers.models import load_encoder
from helpers.models.encoder import EPS, HEADS
from helpers.tasks.rewordings import ADJECTIVES, PEOPLE, THINGS

SEEDS = 1000, 1001
BLOCKS = 2  # the last ones, which are trained
SENTENCES, BATCH, STEPS, RATE = 1000, 32, 300, 2e-4
# Of `tasks.rewordings`. STEPS and RATE were chosen with the seed 9000.
ASKED, ASKED_SEED = 240, 9100


def train(seed, steps=STEPS):
    """Train [CLS]; return the blocks' parameters and the loss of each step.

    The loss is 1 minus the cosine of [CLS] with the untouched mean; the
    step size falls from `RATE` to 0 over `STEPS` steps.
    """
    rng = np.random.default_rng(seed)
    texts = np.array(_sentences(rng))
    drawn = rng.integers(SENTENCES, size=(steps, BATCH))
    read, parts = np.unique(drawn, return_inverse=True)  # few, in few steps
    output = load_encoder().read(texts[read].tolist())
    start, mask = map(torch.tensor, (output.hidden[-1 - BLOCKS], output.mask))
    wanted = torch.tensor(sentence_vectors(output))
    blocks = blocks_to_train()
    every = [each for block in blocks for each in block.values()]
    optimizer, losses = torch.optim.Adam(every, RATE), []
    for step, part in enumerate(parts.reshape(drawn.shape)):
        optimizer.param_groups[0]["lr"] = RATE * (1 - step / STEPS)
        row = last_rows(blocks, start[part], mask[part])[:, 0]  # of [CLS]
        loss = 1 - F.cosine_similarity(row, wanted[part]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return blocks, losses


def blocks_to_train():
    """Return the parameters of the last `BLOCKS` blocks of MiniLM."""
    return [
        {name: torch.tensor(array, requires_grad=True) for name, array in one}
        for one in map(dict.items, load_encoder().blocks[-BLOCKS:])
    ]


def last_rows(blocks, x, mask):
    """What `models.encoder.encoder_block` computes: (B, T, 384), twice."""
    for p in blocks:
        query, key, value = (
            (x @ p[f"w_{n}"] + p[f"b_{n}"])
            .unflatten(-1, (HEADS, -1))
            .transpose(1, 2)
            for n in "qkv"
        )
        context = F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask[:, None, None]
        )
        joined = context.transpose(1, 2).flatten(2)
        x = _norm(x + joined @ p["w_o"] + p["b_o"], p, 1)
        inner = F.gelu(x @ p["w_1"] + p["b_1"])
        x = _norm(x + inner @ p["w_2"] + p["b_2"], p, 2)
    return x


def _norm(x, p, n):
    return F.layer_norm(x, x.shape[-1:], p[f"gain_{n}"], p[f"bias_{n}"], EPS)


def _sentences(rng):
    """Return `SENTENCES` texts in the form of `tasks.rewordings`."""
    lexicon, used = tasks.load_lexicon(), {*PEOPLE, *THINGS, *ADJECTIVES}
    pairs = [pair for kind in lexicon.nouns.values() for pair in kind]
    nouns = [one for one, _ in pairs if one not in used]
    adjectives = [one for one in lexicon.adjectives if one not in used]
    texts = []
    for number in range(SENTENCES):
        doer, thing = rng.choice(nouns, 2, replace=False)
        verb = rng.choice(lexicon.transitive_verbs)
        named = [doer, thing]
        named[number % 2] = f"{rng.choice(adjectives)} {named[number % 2]}"
        texts.append(f"the {named[0]} {verb} the {named[1]}")
    return texts


def answers(blocks):
    """Ask the trained [CLS] the questions of C60: {name: 0 or 1 (240,)}."""
    vectors = {}
    for version, texts in tasks.rewordings(ASKED, ASKED_SEED).items():
        output = load_encoder().read(texts)
        start, mask = output.hidden[-1 - BLOCKS], output.mask
        with torch.no_grad():
            rows = last_rows(blocks, *map(torch.tensor, (start, mask)))
        vectors[version] = rows[:, 0].numpy()
    return {name: [*map(int, each)] for name, each in ask(vectors).items()}


def _row(seed):
    blocks, losses = train(seed)
    return answers(blocks) | {"loss": [round(each, 5) for each in losses]}


ROWS = {"trained": _row}  # of each seed


def train_row(name, seeds=SEEDS):
    """Make the row anew: what `answers` and the loss are, for each seed."""
    return by_seed(ROWS[name], seeds=seeds)
