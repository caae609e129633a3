"""Train a text model in one process or many: `make train`.

    make train ARGS="--text my.txt --folder my_course/models/run" PROCESSES=2

The first time, the text is cut into shards. A checkpoint is written every
--save-every steps, and when you stop the training with Ctrl-C; the same
command, started again, goes on from the last one. At the end the folder holds
model.safetensors, model.json and log.jsonl, a line for each --log-every
steps. The folder knows its text and its settings, and refuses others.
"""

import argparse
import os
from hashlib import sha256
from pathlib import Path

from helpers import validation
from helpers.tasks import running_text
from helpers.torch_bridge import shards
from helpers.torch_bridge.text_training import (
    BATCH_SIZE,
    LEARNING_RATE,
    WARM_UP,
    muon_and_adamw,
)

CHECKPOINT, LOG, MODEL = "checkpoint.pt", "log.jsonl", "model"
FOLDER = Path("my_course", "models", "run")
KEPT = {  # option: its default, and what it is; a folder keeps what it got
    "layers": (2, "blocks of the model"),
    "width": (128, "d_model"),
    "num_heads": (4, "heads of each block"),
    "context": (64, "characters that the model reads"),
    "dropout": (0.0, "part of each layer that is set to 0 in training"),
    "seed": (0, "of the weights and the batches"),
    "batch_size": (BATCH_SIZE, "passages a step, of all processes together"),
    "learning_rate": (LEARNING_RATE, "the highest learning rate"),
    "warm_up": (WARM_UP, "steps until the highest learning rate"),
    "shards": (4, "files that the text is cut into"),
}
OPTIONS = KEPT | {
    "steps": (1000, "steps in all"),
    "save_every": (100, "steps from one checkpoint to the next"),
    "log_every": (10, "steps from one line of the log to the next"),
    "processes": (int(os.environ.get("WORLD_SIZE", 1)), "PROCESSES of make"),
}
OF_MODEL = "layers", "width", "num_heads", "context", "dropout", "seed"
OF_RUN = "steps", "batch_size", "learning_rate", "warm_up", "seed"


def flag(name):
    """Return an option as it is typed."""
    return f"--{name.replace('_', '-')}"


def options(arguments):
    """Read the command line; raise ValueError where it cannot be meant."""
    parser = argparse.ArgumentParser(
        prog="make train",
        usage='make train PROCESSES=1 ARGS="--text my.txt ..."',
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words = "a file in UTF-8; without it Shakespeare"
    parser.add_argument("--text", type=Path, help=words)
    words = "where shards, checkpoints and the model go"
    parser.add_argument("--folder", type=Path, default=FOLDER, help=words)
    for name, (default, words) in OPTIONS.items():
        look = {"type": type(default), "default": default}
        parser.add_argument(flag(name), help=f"{words} ({default})", **look)
    chosen = parser.parse_args(arguments)
    check(vars(chosen))
    return chosen


def check(chosen):
    """Raise ValueError naming an option that cannot be meant."""
    for name, (default, _) in OPTIONS.items():
        if isinstance(default, int):
            least = 0 if name in ("seed", "warm_up") else 1
            validation.integer(flag(name), chosen[name], least=least)
    validation.fraction("--dropout", chosen["dropout"])
    rate = chosen["learning_rate"]
    validation.real_number("--learning-rate", rate, above=0)
    for name, by in ("width", "num_heads"), ("batch_size", "processes"):
        if chosen[name] % chosen[by]:
            raise ValueError(
                f"{flag(name)}: {chosen[name]} cannot be shared equally by"
                f" {chosen[by]} {by.replace('num_', '')}"
            )


def prepare(chosen):
    """Cut the text, or find that the folder holds just this text and run.

    Raises ValueError before anything is overwritten.
    """
    if chosen.text:
        name, text = chosen.text.name, running_text.read_text(chosen.text)
    else:
        name, text = "shakespeare.txt", running_text.shakespeare()
    about = {"text": name, "sha256": sha256(text.encode()).hexdigest()}
    about |= {name: getattr(chosen, name) for name in KEPT}
    about["optimizer"] = muon_and_adamw.__name__
    if (chosen.folder / shards.INDEX).exists():
        return compare(chosen.folder, about)
    for name in CHECKPOINT, LOG, f"{MODEL}.json", f"{MODEL}.safetensors":
        if (chosen.folder / name).exists():
            raise ValueError(
                f"--folder: {chosen.folder} holds {name}, but no"
                f" {shards.INDEX} that says of which text; give another"
            )
    held_out = len(text) - int((1 - running_text.VALIDATION_PART) * len(text))
    most = min(held_out, (len(text) - held_out) // chosen.shards) - 1
    if chosen.context > most:
        raise ValueError(
            f"--context: {chosen.context}, but {len(text):,} characters in"
            f" {chosen.shards} shards allow {most}"
        )
    shards.write_shards(chosen.folder, text, chosen.shards, about)


def compare(folder, about):
    """Raise ValueError naming all in which a folder was begun otherwise."""
    _, _, before = shards.read_index(folder)
    same = before.get("sha256") == about["sha256"]
    if same or before.get("text") == about["text"]:
        about["text"] = before.get("text") if same else "as it is now"
    others = [
        f"{flag(name)} {before.get(name)} (not {now})"
        for name, now in about.items()
        if name != "sha256" and before.get(name) != now
    ]
    if others:
        raise ValueError(
            f"--folder: {folder} was begun with {', '.join(others)}; give the"
            " same to go on, or another folder"
        )
