"""Train a text model in one process or many: `make train`.

    make train ARGS="--text my.txt --folder my_course/models/run" PROCESSES=2

torchrun starts the processes. The first time, the text is cut into shards.
A checkpoint is written every --save-every steps; the same command, started
again after a kill, goes on from the last one. At the end the folder holds
model.safetensors, model.json and log.jsonl, a line for each --log-every
steps.
"""

import argparse
import json
import sys
from pathlib import Path

import torch
import torch.distributed as dist

from helpers.tasks import running_text
from helpers.torch_bridge import shards
from helpers.torch_bridge.distributed_training import (
    DistributedTraining,
    device,
    process_group,
)
from helpers.torch_bridge.text_model import TextModel, save_text_model
from helpers.torch_bridge.text_training import text_loss

CHECKPOINT, LOG = "checkpoint.pt", "log.jsonl"
FOLDER = Path("my_course", "models", "run")
NUMBERS = {  # option: its default, and what it is
    "shards": (4, "files that the text is cut into"),
    "layers": (2, "blocks of the model"),
    "width": (128, "d_model"),
    "num-heads": (4, "heads of each block"),
    "context": (64, "characters that the model reads"),
    "dropout": (0.0, "part of each layer that is set to 0 in training"),
    "steps": (1000, "steps in all"),
    "batch-size": (32, "passages a step, of all processes together"),
    "learning-rate": (4e-3, "the highest learning rate"),
    "warm-up": (100, "steps until the highest learning rate"),
    "seed": (0, "of the weights and the batches"),
    "save-every": (100, "steps from one checkpoint to the next"),
    "log-every": (10, "steps from one line of the log to the next"),
}


def options(arguments):
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="make train",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words = "a file in UTF-8; without it Shakespeare"
    parser.add_argument("--text", type=Path, help=words)
    words = "where shards, checkpoints and the model go"
    parser.add_argument("--folder", type=Path, default=FOLDER, help=words)
    for name, (default, words) in NUMBERS.items():
        look = {"type": type(default), "default": default}
        parser.add_argument(f"--{name}", help=f"{words} ({default})", **look)
    return parser.parse_args(arguments)


def prepare(chosen, rank):
    """Cut the text once, in the first process; return the shards."""
    if rank == 0 and not (chosen.folder / shards.INDEX).exists():
        text = running_text.shakespeare()
        if chosen.text:
            text = running_text.read_text(chosen.text)
        shards.write_shards(chosen.folder, text, chosen.shards)
    if dist.is_initialized():
        dist.barrier()
    return shards.Shards(chosen.folder)


def begin(chosen, text, rank, count):
    """Return a training, at its start or where its checkpoint left it."""
    model = TextModel(
        len(text.characters),
        layers=chosen.layers,
        width=chosen.width,
        num_heads=chosen.num_heads,
        context=chosen.context,
        dropout=chosen.dropout,
        seed=chosen.seed,
    ).to(device())
    run = DistributedTraining(
        model,
        text,
        rank=rank,
        count=count,
        batch_size=chosen.batch_size,
        steps=chosen.steps,
        learning_rate=chosen.learning_rate,
        warm_up=chosen.warm_up,
        seed=chosen.seed,
    )
    log = []
    if (chosen.folder / CHECKPOINT).exists():
        log = run.load(chosen.folder / CHECKPOINT)["log"]
    if dist.is_initialized():
        dist.barrier()  # nobody writes a checkpoint that another still reads
    return run, log


def train(chosen, rank, count):
    """Train to the last step; the first process writes."""
    text = prepare(chosen, rank)
    run, log = begin(chosen, text, rank, count)
    while run.done < run.steps:
        loss = run.step()
        if run.done % chosen.log_every == 0 or run.done == run.steps:
            log.append({"step": run.done, "loss": round(loss, 7)})
            if rank == 0:
                print(f"step {run.done}: loss {loss:.4f}", flush=True)
        if rank == 0 and (
            run.done % chosen.save_every == 0 or run.done == run.steps
        ):
            run.save(chosen.folder / CHECKPOINT, log=log)
    if rank == 0:
        finish(chosen, text, run, log)


def finish(chosen, text, run, log):
    """Measure the model on the last tenth, and store it with its log."""
    model = run.model.cpu()
    loss = text_loss(model, text.validation)
    print(f"validation: {loss:.4f} nats per character")
    lines = "".join(json.dumps(row) + "\n" for row in log)
    (chosen.folder / LOG).write_text(lines, encoding="utf-8")
    path = chosen.folder / "model"
    more = {"log": log, "validation": loss}
    save_text_model(path, model, text.characters, **more)
    print(f"stored: {path}.safetensors")


def main(arguments=None):
    """Read the options, join the other processes, train."""
    chosen = options(arguments)
    try:
        with process_group() as (rank, count):
            train(chosen, rank, count)
    except (ValueError, OSError) as error:
        sys.exit(f"make train: {error}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
