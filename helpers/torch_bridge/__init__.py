"""Between this course and PyTorch: the only helpers that import torch.

Import the module that holds a name. Ours and theirs:

- `convert`: the same numbers as arrays, tensors and layers
- `comparison`: a layer of ours beside PyTorch's, and planted faults
- `twins`: our classifier and its copy in torch, trained together

Networks and what they learn:

- `networks`, `distance_race`, `fading`: attention, recurrence, near and far
- `normalizers`: weights that are no softmax
- `positional_network`, `length_generalization`: order, longer sentences
- `induction`: copying from the context; `recall`: several pairs at once;
  `plain_copier`: a network of another make
- `partial_model`: a language model with some of its parts

Running text (07):

- `text_model`, `text_training`: the model, its files, its training
- `train`, `train_options`, `distributed_training`, `shards`, `checkpoints`:
  ``make train``

Long sequences: `cost` in time and memory, and a `ring` of processes.

`stored` holds the runs that take minutes, a module for each file.
"""

import os

import torch

# torch keeps a number of its own, for the threads that others start.
torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"].split(",")[0]))
