"""Models that several notebooks ask about: trained once, and stored.

Notebooks 02 and 04 train the first models of their tasks before the reader's
eyes. Wherever the same models, or their controls, are only asked something,
`load` brings them back, so that nobody waits for them twice; `language_model`
and `counters` do so for others. ``python -m tools.author.store_models`` trains
them anew.
"""

from functools import lru_cache

from helpers import embeddings, tasks, validation
from helpers.experiments import language, runs, token_counting
from helpers.experiments.stored import language_runs
from helpers.models.files import check_shapes, load_arrays
from helpers.models.variants import AveragedClassifier

FILE = "trained_models.safetensors"
LANGUAGE, FIRST, COUNTER = "language model", runs.SEEDS[0], "counter of "
TWO = dict(heads=2, d_k=32, d_v=32)
FOUR = dict(heads=4, d_k=16, d_v=16)
GROUPS = {  # name: (task, options of `runs.run`); five seeds of each
    "which noun": ("which_noun", {}),
    "the other noun": ("which_noun", dict(task=dict(other_noun=True))),
    "frozen W_Q, W_K": ("which_noun", dict(scoring="frozen")),
    "tied W_Q = W_K": ("which_noun", dict(scoring="tied")),
    "W_V = W_K": ("which_noun", dict(values="keys")),
    "no W_V": ("which_noun", dict(values="identity")),
    "one matrix for all": (
        "which_noun",
        dict(d_k=64, gain=0.5, scoring="tied", values="keys"),
    ),
    "who and whom, 2 heads": ("who_whom", TWO),
    "who and whom, 4 heads": ("who_whom", FOUR),
    "who and whom, averaged": (
        "who_whom",
        TWO | dict(kind=AveragedClassifier),
    ),
    "two jobs, 2 heads": ("subject_and_previous", TWO),
    "two jobs, 4 heads": ("subject_and_previous", FOUR),
}


def train(name, seeds=runs.SEEDS):
    """Train one of `GROUPS` anew; return its `Runs`."""
    task, options = GROUPS[validation.choice("name", name, GROUPS)]
    return runs.run(task, seeds=seeds, **options)


def load(name):
    """Return the `Runs` of one of `GROUPS`, as `train` does, but stored.

    Raises ValueError for another name; FileNotFoundError or ValueError
    naming the file, if it is missing or damaged.
    """
    task, options = GROUPS[validation.choice("name", name, GROUPS)]
    model_options = {n: o for n, o in options.items() if n != "task"}
    found = runs.Runs()
    for seed in runs.SEEDS:
        data = tasks.load(task, seed, **options.get("task", {}))
        model = runs.new_model(task, seed, **model_options)
        found.add(_filled(model, name, seed), data.test)
    return found


def language_model():
    """Return the first model of notebook 06, stored.

    As ``language_runs.train("one layer", 1000)`` trains it. Raises as `load`.
    """
    grammar, _, _, sentences = language.material(FIRST)
    model, _ = language.prepared(sentences, grammar, FIRST)
    return _filled(model, LANGUAGE, FIRST)


def counters(kind):
    """Return five models of room 06b that count, stored.

    As `token_counting.train_counter` trains them. Raises as `load`.
    """
    return [
        _filled(token_counting.new_counter(kind, seed), COUNTER + kind, seed)
        for seed in runs.SEEDS
    ]


def train_all():
    """Train everything that is stored: yield (name, seed, model)."""
    for name in GROUPS:
        for seed, model in zip(runs.SEEDS, train(name).models, strict=True):
            yield name, seed, model
    yield LANGUAGE, FIRST, language_runs.train("one layer", FIRST)
    for kind in token_counting.KINDS:
        for seed in runs.SEEDS:
            model = token_counting.train_counter(kind, seed)
            yield COUNTER + kind, seed, model


def _filled(model, name, seed):
    """Overwrite the parameters of a new model with those of the file."""
    path, start = embeddings.data_file(FILE), f"{name} | {seed} | "
    arrays = {
        key.removeprefix(start): array
        for key, array in _stored(path).items()
        if key.startswith(start)
    }
    shapes = {n: a.shape for n, a in model.parameters.items()}
    check_shapes(path, arrays, shapes)
    for parameter, array in arrays.items():
        model.parameters[parameter][...] = array
    return model


@lru_cache(maxsize=1)
def _stored(path):
    return load_arrays(path)[0]
