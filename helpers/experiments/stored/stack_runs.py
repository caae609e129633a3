"""Deep stacks of blocks: where the norms stand, with a warm-up or without.

Trial room 06b: ten minutes or more.
"""

from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_seed
from helpers.models import LanguageBatches, LanguageModel
from helpers.tasks import agreement
from helpers.training import Adam

LAYERS, WIDTH, HEADS, SENTENCES, BATCH = 6, 32, 2, 3200, 32
STEPS, WARM_UP = 400, 100
RATES = (2e-3, 4e-3, 8e-3, 1.6e-2, 3.2e-2)
NORMS = {"pre": True, "post": False}
MEASURED_ON = 500


def run_name(norm, warm_up, rate, layers=LAYERS, steps=STEPS):
    """Return how a row is named, such as "post, warm-up 0, 0.008"."""
    name = f"{norm}, warm-up {warm_up}, {rate:g}"
    name += f", {layers} blocks" * (layers != LAYERS)
    return name + f", {steps} steps" * (steps != STEPS)


GRID = [(n, w, r) for n in NORMS for w in (0, WARM_UP) for r in RATES]
ROWS = {run_name(*row): row for row in GRID}
for row in (
    ("post", 0, 8e-3, LAYERS, 4 * STEPS),  # late or lost?
    ("post", 0, 1.6e-2, LAYERS, 4 * STEPS),
    ("post", 0, 8e-3, 1),  # one block
    ("post", 0, 1.6e-2, 1),
):
    ROWS[run_name(*row)] = row


def rate_at(step, peak, steps, warm_up):
    """Rise on a line for `warm_up` steps, and fall on a line toward 0."""
    rise = (step + 1) / (warm_up + 1)
    fall = (steps - step) / (steps - warm_up)
    return peak * min(1.0, rise, fall)


def train_blocks(norm, warm_up, rate, layers=LAYERS, steps=STEPS, *, seed):
    """Train a deep language model; return it and its loss at each step.

    norm: one of `NORMS`; warm_up: steps until the full step size `rate`, 0
    for none; layers: blocks.
    """
    grammar, _ = agreement.load(seed)
    vocabulary = agreement.whole().words()
    model = LanguageModel(
        vocabulary,
        agreement.word_vectors(grammar, vocabulary, WIDTH),
        layers=layers,
        num_heads=HEADS,
        hidden=WIDTH,
        pre_norm=NORMS[norm],
        seed=seed,
    )
    sentences = grammar.sentences(SENTENCES, (seed, 0))
    tokens = agreement.token_array(sentences, vocabulary)
    batches = LanguageBatches(tokens, WIDTH, seed=seed, batch_size=BATCH)
    optimizer, losses = Adam(model.parameters, rate), []
    while len(losses) < steps:
        for batch in batches:
            loss, gradients = model.loss_and_gradients(*batch)
            optimizer.learning_rate = rate_at(
                len(losses), rate, steps, warm_up
            )
            optimizer.step(gradients)
            losses.append(loss)
            if len(losses) == steps:
                break
    return model, losses


def above_floor(model, seed):
    """Return nats a word above the grammar itself, on new sentences."""
    grammar, _ = agreement.load(seed)
    held_out = grammar.sentences(MEASURED_ON, (seed, 1))
    length = sum(map(len, held_out))
    floor = -sum(map(grammar.log_probability, held_out)) / length
    tokens = agreement.token_array(held_out, model.vocabulary)
    return model.loss(tokens) - floor


def run(name, seed):
    """Train one row of `ROWS` on one seed; return its `above_floor`."""
    model, _ = train_blocks(*ROWS[name], seed=seed)
    return round(above_floor(model, seed), 4)


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: nats above the floor, one for each seed."""
    return by_seed(run, name, seeds=seeds)
