"""Deep stacks of blocks: where the norms are, with a warm-up or without.

Trial room 06b, claim C62: an hour or more.
"""

from helpers.experiments import language
from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import BRIEF, by_seed
from helpers.models import LanguageModel
from helpers.models.block_variants import PostNormModel
from helpers.training import Adam

LAYERS, NOISE = 4, 0.2  # chosen on seed 0
STEPS, WARM_UP, LONG_WARM_UP = 400, 100, 200
NORMS = {"pre-norm": LanguageModel, "post-norm": PostNormModel}
MEASURED_ON = 500  # sentences
LONGER = 1600  # steps
RATES = (4e-3, 5.5e-3, 8e-3, 16e-3)
MANY = range(1000, 1030)  # of the rows in CLOSE: SEEDS, and 25 new ones
GRID = (
    [
        (norm, warm_up, rate, STEPS)
        for rate in RATES
        for norm in ("post-norm", "pre-norm")
        for warm_up in (0, WARM_UP)
    ]
    + [("post-norm", LONG_WARM_UP, rate, STEPS) for rate in RATES]
    + [("post-norm", warm_up, 8e-3, LONGER) for warm_up in (0, WARM_UP)]
)
STARTS = {
    0: "no warm-up",
    WARM_UP: "warm-up",
    LONG_WARM_UP: "long warm-up",
}


def rate_name(rate):
    """Return a step size as it is printed: 5.5e-3."""
    return f"{1000 * rate:g}e-3"


def row_name(norm, warm_up, rate, steps):
    """Return the name of a row: what it is trained with."""
    longer = "" if steps == STEPS else f", {steps:,} steps"
    return f"{norm}, {STARTS[warm_up]}, {rate_name(rate)}{longer}"


ROWS = {  # options of `train_blocks`
    f"no attention, {rate_name(rate)}": dict(
        norm="pre-norm", rate=rate, attention=False
    )
    for rate in RATES
} | {
    row_name(*each): dict(
        zip(("norm", "warm_up", "rate", "steps"), each, strict=True)
    )
    for each in GRID
}
ROWS[f"{BRIEF} | post-norm, no warm-up, 8e-3"] = dict(
    norm="post-norm", rate=8e-3, steps=20
)

CLOSE = {  # rows whose count five models do not decide
    row_name("post-norm", warm_up, 5.5e-3, STEPS) for warm_up in (0, WARM_UP)
}


def rate_at(step, peak, steps, warm_up):
    """Rise on a line for `warm_up` steps, and fall on a line toward 0."""
    rise = (step + 1) / (warm_up + 1)
    fall = (steps - step) / (steps - warm_up)
    return peak * min(1.0, rise, fall)


def train_blocks(
    norm, rate, *, seed, warm_up=0, steps=STEPS, layers=LAYERS, attention=True
):
    """Train a deep language model; return it and its loss at each step.

    norm: one of `NORMS`; warm_up: steps until the full step size `rate`, 0
    for none; layers: blocks.
    """
    grammar, _, _, sentences = language.material(seed)
    options = dict(kind=NORMS[norm], layers=layers, attention=attention)
    model, batches = language.prepared(
        sentences, grammar, seed, noise_std=NOISE, **options
    )
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


def run(name, seed):
    """Train one of `ROWS` on one seed; return what it has learned.

    Two numbers: the loss in nats per word above that of the grammar itself,
    on new sentences, and how often the verb has the right number after a
    noun never seen.
    """
    model, _ = train_blocks(**ROWS[name], seed=seed)
    results = language.measure(model, seed, MEASURED_ON)
    return [
        round(float(results[measure]), 4)
        for measure in ("above_floor", "number_unseen")
    ]


def train_row(name, seeds=None):
    """Train one of `ROWS` anew: [loss above the floor, number], by seed.

    seeds: `MANY` for the rows in `CLOSE`, else `SEEDS`, unless you say which.
    """
    if seeds is None:
        seeds = MANY if name in CLOSE else SEEDS
    return by_seed(run, name, seeds=seeds)
