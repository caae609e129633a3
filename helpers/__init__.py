"""The course's package. Import its modules one by one.

The subject, in NumPy:

- `attention`: softmax, scaled dot-product attention, heads
- `gradients`: their backward passes, and finite differences to check them
- `blockwise`: attention without its table of weights, forward and backward
- `layers`: positions, embedding, layer norm and feed-forward, with backward
- `training`: the loss, SGD and Adam, batches, `fit` (with a `progress_bar`)
- `generation`: text out of a model, word by word, with a cache or without
- `models`: the classifier that notebooks 02 to 05 train, a linear probe, the
  block and the language model of 06, a pretrained encoder
- `chat_model`: a real one, SmolLM2-135M, from its file to a conversation

The material:

- `embeddings`: pretrained word vectors
- `tasks`: sentences from small grammars; ``tasks.load(name, seed)``

The laboratory:

- `experiments`: training over seeds, baselines, measures, the scoreboard
- `torch_bridge`: the same in PyTorch

  Both are shelves: import the module that holds a name. In both, `stored`
  has a module for each file data/*_runs.json.

What is around a lesson:

- `plots`: ``show_x(...)`` draws a figure and says it in words
- `checks`: ``checks.NAME(your_function)`` judges an exercise
- `claims`: ``claims.verdict(...)`` ends a trial; the run decides the word
- `journal`: what a learner has solved and predicted, in their own folder
  (`records` reads it, `guesses` says how far off a prediction is)
- `validation`: what public functions ask of their arguments

A module uses only modules that come later in this order: torch_bridge,
experiments, {models, chat_model}, {tasks, training, gradients, blockwise,
generation}, {attention, layers, embeddings}, records, {validation, journal,
guesses}.
`plots` uses the last four and the softmax. `checks` uses the subject, the
journal and the guesses.
"""

import os

from threadpoolctl import threadpool_limits

_POOLS = ("OPENBLAS", "MKL", "VECLIB_MAXIMUM")


def _use_one_thread():
    """Let BLAS use one thread, unless OMP_NUM_THREADS says otherwise.

    The matrices of the course are small: more threads take three times as
    long. Done here, because every kernel that runs the course gets here.
    """
    if os.environ.get("OMP_NUM_THREADS"):
        return
    os.environ["OMP_NUM_THREADS"] = "1"  # also where it is empty
    for pool in _POOLS:  # for libraries that are still to be loaded
        os.environ.setdefault(f"{pool}_NUM_THREADS", "1")
    threadpool_limits(1)  # for those that are loaded


_use_one_thread()
