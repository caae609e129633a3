"""Deep stacks of blocks: where the norm stands, and the warm-up.

data/block_runs.json holds the runs of trial room 06b;
tools/write_block_runs.py writes it.
"""

import math

import numpy as np

from helpers import validation
from helpers.experiments.language import causal_loss
from helpers.models import LanguageBatches, LanguageModel
from helpers.progress import progress
from helpers.tasks import agreement
from helpers.training import Adam

LAYERS, WIDTH, HEADS, SENTENCES, BATCH = 6, 32, 2, 3200, 32
LEARNING_RATES = (5e-4, 1e-3, 2e-3, 4e-3, 8e-3, 1.6e-2)
STEPS, WARM_UP = 400, 100


def learning_rate_at(step, peak, steps, warm_up):
    """Rise on a line for `warm_up` steps, fall on a line to 0 at the end."""
    rise = (step + 1) / (warm_up + 1)
    fall = (steps - step) / (steps - warm_up)
    return peak * min(1.0, rise, fall)


def train_stack(
    pre_norm, warm_up, learning_rate, seed, *, steps=STEPS, layers=LAYERS
):
    """Train a deep language model; return it and the loss of each step.

    pre_norm: where the norms stand; warm_up: steps before the full
    learning_rate, 0 for none. A loss that is not finite ends the training.
    """
    grammar, _ = agreement.load(seed)
    vocabulary = agreement.whole().words()
    vectors = agreement.word_vectors(grammar, vocabulary, WIDTH)
    model = LanguageModel(
        vocabulary,
        vectors,
        layers=layers,
        num_heads=HEADS,
        hidden=WIDTH,
        pre_norm=pre_norm,
        seed=seed,
    )
    sentences = grammar.sentences(SENTENCES, (seed, 0))
    tokens = agreement.token_array(sentences, vocabulary)
    batches = LanguageBatches(tokens, WIDTH, seed=seed, batch_size=BATCH)
    optimizer, losses = Adam(model.parameters, learning_rate), []
    while len(losses) < steps:
        for batch in batches:
            try:
                loss, gradients = model.loss_and_gradients(*batch)
            except validation.NotFiniteError:
                return model, losses + [math.inf]
            optimizer.learning_rate = learning_rate_at(
                len(losses), learning_rate, steps, warm_up
            )
            optimizer.step(gradients)
            losses.append(loss)
            if len(losses) == steps:
                break
    return model, losses
