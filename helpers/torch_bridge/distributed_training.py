"""The training of a text model in several processes, one batch among them.

Each process reads its rows of every batch and computes their gradients;
PyTorch's `DistributedDataParallel` averages the gradients while it computes
them (Li et al. 2020, *PyTorch Distributed*). So all processes hold the same
model after each step, the one that a single process with the whole batch
would hold, but for rounding.
"""

import os
from contextlib import contextmanager

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from helpers.torch_bridge.text_training import TextTraining


@contextmanager
def process_group():
    """Join the processes that torchrun has started; yield (rank, count).

    Without torchrun there is one process, of rank 0. They talk through nccl
    where each has a GPU, else through gloo.
    """
    if "RANK" not in os.environ:
        yield 0, 1
        return
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    try:
        yield dist.get_rank(), dist.get_world_size()
    finally:
        dist.destroy_process_group()


def device():
    """Return the GPU of this process on its machine, or the CPU."""
    if torch.cuda.is_available():
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
    return torch.device("cpu")


class DistributedTraining(TextTraining):
    """A `TextTraining` whose batches are shared among processes.

    Parameters
    ----------
    model : TextModel
        The same in each process, on its device.
    shards : Shards
    rank, count : int
        Which process this is, of how many.
    batch_size : int
        Of all processes together.
    settings
        As `TextTraining` takes them.

    Raises ValueError if the batch cannot be shared equally.
    """

    def __init__(self, model, shards, *, rank, count, batch_size, **settings):
        if batch_size % count:
            raise ValueError(
                f"batch_size: {batch_size} passages cannot be shared equally"
                f" by {count} processes"
            )
        super().__init__(model, None, batch_size=batch_size, **settings)
        self.shards, self.rank, self.count = shards, rank, count
        if dist.is_initialized():
            self.network = DistributedDataParallel(model)

    def batch(self, generator):
        """Return the rows of the batch that this process reads."""
        # Dropout draws from here: other numbers in each process and step,
        # and the same ones if the run is resumed.
        torch.manual_seed(
            (self.seed * 1_000_003 + self.done) * self.count + self.rank
        )
        passages = self.shards.passages(
            self.batch_size,
            self.model.context + 1,
            generator,
            slice(self.rank, None, self.count),
        ).to(self.model.positions.weight.device)
        return passages[:, :-1], passages[:, 1:]

    def step(self):
        """Do one step; return the loss of the whole batch."""
        loss = super().step()
        if self.count == 1:
            return loss
        total = torch.tensor(loss, device=self.model.positions.weight.device)
        dist.all_reduce(total)
        return total.item() / self.count
