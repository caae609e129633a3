"""The training of a text model in several processes, one batch among them.

Each process reads its rows of every batch and computes their gradients;
PyTorch's `DistributedDataParallel` averages the gradients while it computes
them (Li et al. 2020, *PyTorch Distributed*). So all processes hold the same
model after each step, the one that a single process with the whole batch
would hold, but for rounding.

A batch is drawn from the seed and the number of its step alone, so that a
run that was interrupted goes on with the batch that it would have had.
"""

import os
from contextlib import contextmanager

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from helpers.torch_bridge.text_training import (
    learning_rate_factor,
    muon_and_adamw,
    text_step,
)


@contextmanager
def process_group():
    """Join the processes that torchrun has started; yield (rank, count).

    Without torchrun there is one process, of rank 0. They talk through nccl
    where there are GPUs, one for each, else through gloo.
    """
    if "RANK" not in os.environ:
        yield 0, 1
        return
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    try:
        yield dist.get_rank(), dist.get_world_size()
    finally:
        dist.destroy_process_group()


def wait_for_all():
    """Wait until each process is here."""
    if dist.is_initialized():
        dist.barrier()


def device():
    """Return the GPU of this process on its machine, or the CPU."""
    if torch.cuda.is_available():
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
    return torch.device("cpu")


class DistributedTraining:
    """The training of a model, step by step.

    Parameters
    ----------
    model : TextModel
        The same in each process, on its device.
    shards : Shards
    rank, count : int
        Which process this is, of how many.
    batch_size : int
        Of all processes together; `count` must divide it.
    steps, warm_up : int
    learning_rate : float
        The highest.
    seed : int
        Of the batches and of the dropout.

    done : int
        Steps so far.
    """

    def __init__(
        self,
        model,
        shards,
        *,
        rank,
        count,
        batch_size,
        steps,
        learning_rate,
        warm_up,
        seed,
    ):
        self.model, self.shards = model, shards
        self.rank, self.count, self.batch_size = rank, count, batch_size
        self.steps, self.warm_up, self.seed = steps, warm_up, seed
        self.learning_rate, self.done = learning_rate, 0
        self.optimizer, self.network = muon_and_adamw(model), model
        if dist.is_initialized():
            self.network = DistributedDataParallel(model)

    def batch(self):
        """Return the rows of this step's batch that this process reads."""
        drawn = self.seed * 1_000_003 + self.done
        # Dropout draws from here: other numbers in each process and step,
        # and the same ones if the run is resumed.
        torch.manual_seed(drawn * self.count + self.rank)
        passages = self.shards.passages(
            self.batch_size,
            self.model.context + 1,
            torch.Generator().manual_seed(drawn),
            slice(self.rank, None, self.count),
        ).to(device())
        return passages[:, :-1], passages[:, 1:]

    def step(self, stop=False):
        """Do one step; return the loss of the whole batch, and `stop`.

        stop: whether this process was asked to end; it is true for all of
        them as soon as one was asked.
        """
        factor = learning_rate_factor(self.done, self.steps, self.warm_up)
        rate = self.learning_rate * factor
        loss = text_step(self.network, self.optimizer, *self.batch(), rate)
        self.done += 1
        total = torch.tensor([loss, stop], device=device())
        if self.count > 1:
            dist.all_reduce(total)
        return total[0].item() / self.count, bool(total[1])
