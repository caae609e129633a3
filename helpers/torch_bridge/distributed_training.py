"""The training of a text model in several processes, one batch among them.

Each process reads its rows of every batch and computes their gradients;
PyTorch's `DistributedDataParallel` averages the gradients while it computes
them (Li et al. 2020, *PyTorch Distributed*). So all processes hold the same
model after each step, the one that a single process with the whole batch
would hold, but for rounding.

A batch is drawn from the seed and the number of its step alone, so that a
run that was interrupted goes on with the batch that it would have had.
"""

import logging
import os
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from helpers.torch_bridge.checkpoints import load_checkpoint, save_checkpoint
from helpers.torch_bridge.shards import Shards
from helpers.torch_bridge.text_model import TextModel
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
        # The end waits for a thread of gloo, which may wait for Python's own
        # lock: let it have the lock first, or neither ever goes on.
        time.sleep(0.1)
        dist.destroy_process_group()


def launch(count, module, arguments):
    """Let torchrun start a module `count` times on this machine, and wait.

    A process that ends with 1 has said what was wrong, so nothing follows.
    """
    from torch.distributed import run
    from torch.distributed.elastic.multiprocessing import SignalException
    from torch.distributed.elastic.multiprocessing.errors import (
        ChildFailedError,
    )

    gpus = torch.cuda.device_count()
    if 0 < gpus < count:
        raise ValueError(f"processes: {count}, but {gpus} GPU: one for each")
    logging.disable(logging.ERROR)
    # a machine's own name need not have an address: torchrun would wait for
    # itself for ever, and gloo warns
    place = [
        "--rdzv-backend=c10d",
        "--rdzv-endpoint=127.0.0.1:0",
        "--local-addr=127.0.0.1",
    ]
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
    try:
        run.main(
            [f"--nproc-per-node={count}", *place, "-m", module, *arguments]
        )
    except ChildFailedError as error:
        codes = {failed.exitcode for failed in error.failures.values()}
        words = "make train: a process was killed; the same command goes on"
        sys.exit(1 if 1 in codes else words)
    except SignalException:
        pass  # the processes have got it, too
    finally:
        logging.disable(logging.NOTSET)


def wait_for_all():
    """Wait until each process is here."""
    if dist.is_initialized():
        dist.barrier()


def device():
    """Return the GPU of this process on its machine, or the CPU."""
    if torch.cuda.is_available():
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
    return torch.device("cpu")


@dataclass
class DistributedTraining:
    """The training of a model, step by step; `done` counts the steps."""

    model: TextModel  # the same in each process, on its device
    shards: Shards
    rank: int  # which process this is
    count: int  # of how many
    steps: int
    seed: int  # of the batches and the dropout
    batch_size: int  # of all processes together; `count` divides it
    learning_rate: float  # the highest
    warm_up: int
    done: int = 0

    def __post_init__(self):
        """Let the processes average their gradients, if there are several."""
        self.optimizer = muon_and_adamw(self.model)
        self.network = self.model
        if dist.is_initialized():
            self.network = DistributedDataParallel(self.model)

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

    def save(self, path, log):
        """Write a checkpoint, whole or not at all, with a log."""
        kept = dict(done=self.done, log=log)
        save_checkpoint(path, self.model, self.optimizer, **kept)

    def load(self, path):
        """Go on from a checkpoint; return its log."""
        kept = load_checkpoint(path, self.model, self.optimizer)
        self.done = kept["done"]
        return kept["log"]
