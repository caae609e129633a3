"""Train a text model in one process or many: `make train`.

The options, and what a run writes: `helpers.torch_bridge.train_options`.
"""

import json
import os
import signal
import sys
from contextlib import contextmanager

import torch

from helpers.torch_bridge import shards
from helpers.torch_bridge.distributed_training import (
    DistributedTraining,
    device,
    launch,
    process_group,
    wait_for_all,
)
from helpers.torch_bridge.text_model import TextModel, save_text_model
from helpers.torch_bridge.text_training import text_loss
from helpers.torch_bridge.train_options import (
    CHECKPOINT,
    LOG,
    MODEL,
    OF_MODEL,
    OF_RUN,
    options,
    prepare,
)


def begin(chosen, text, rank, count):
    """Return a training, at its start or where its checkpoint left it."""
    of_model, of_run = (
        {name: getattr(chosen, name) for name in names}
        for names in (OF_MODEL, OF_RUN)
    )
    model = TextModel(len(text.characters), **of_model).to(device())
    run = DistributedTraining(model, text, rank, count, **of_run)
    log, path = [], chosen.folder / CHECKPOINT
    if path.exists():
        log = run.load(path)
    if run.done > run.steps:
        raise ValueError(
            f"--steps: {run.steps}, but {path} has made {run.done}"
        )
    if rank == 0 and run.done:
        print(f"goes on after step {run.done} of {run.steps}", flush=True)
    wait_for_all()  # nobody writes a checkpoint that another still reads
    return run, log


@contextmanager
def stop_signals():
    """Yield a list of the signals to stop that came: Ctrl-C and SIGTERM."""
    came = []
    both = signal.SIGINT, signal.SIGTERM
    before = [signal.signal(n, lambda n, _: came.append(n)) for n in both]
    try:
        yield came
    finally:
        for number, handler in zip(both, before, strict=True):
            signal.signal(number, handler)


def train(chosen, rank, count):
    """Train to the last step, or until asked to stop; rank 0 writes."""
    if rank == 0:
        prepare(chosen)
    wait_for_all()
    text = shards.Shards(chosen.folder)
    run, log = begin(chosen, text, rank, count)
    stop = False
    with stop_signals() as came:
        while run.done < run.steps and not stop:
            loss, stop = run.step(bool(came))
            last = stop or run.done == run.steps
            if last or run.done % chosen.log_every == 0:
                log.append({"step": run.done, "loss": round(loss, 7)})
                if rank == 0:
                    print(f"step {run.done}: loss {loss:.4f}", flush=True)
            if rank == 0 and (last or run.done % chosen.save_every == 0):
                run.save(chosen.folder / CHECKPOINT, log)
    if rank == 0:
        if stop:
            print(f"stopped after step {run.done}; the same command goes on")
        finish(chosen, text, run, log)


def finish(chosen, text, run, log):
    """Measure the model on the last tenth, and store it with its log."""
    model = run.model.cpu()
    loss = text_loss(model, text.validation)
    print(f"validation: {loss:.4f} nats per character")
    lines = "".join(json.dumps(row) + "\n" for row in log)
    (chosen.folder / LOG).write_text(lines, encoding="utf-8")
    path = chosen.folder / MODEL
    more = {"log": log, "validation": loss}
    save_text_model(path, model, text.characters, **more)
    print(f"stored: {path}.safetensors")


def main(arguments=None):
    """Read the options, join or start the other processes, train."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        chosen = options(arguments)
        if chosen.processes > 1 and "RANK" not in os.environ:
            prepare(chosen)  # what is wrong is said once, not by each process
            return launch(chosen.processes, __spec__.name, arguments)
        with process_group() as (rank, count):
            train(chosen, rank, count)
    except (ValueError, OSError) as error:
        speaks = int(os.environ.get("LOCAL_RANK", 0)) == 0
        sys.exit(f"make train: {error}" if speaks else 1)
    except RuntimeError as error:
        if "gloo" not in str(error):
            raise
        sys.exit(3)  # another process has ended, and this one has lost it
    except KeyboardInterrupt:
        sys.exit("make train: stopped; the same command goes on")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
