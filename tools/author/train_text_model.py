"""Train the stored model of notebook 07 anew: about 90 minutes on one core.

    python -m tools.author.train_text_model
    python -m tools.author.train_text_model --steps 50 --folder FOLDER

It writes checkpoint.pt and log.jsonl into FOLDER (my_course/models/stored)
and goes on from them if it is started again. At the end it writes
data/text_model.safetensors (float16) and data/text_model.json (settings and
log), with their sums; with other steps, into FOLDER.
"""

import argparse
import json
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from helpers.torch_bridge.checkpoints import load_checkpoint, save_checkpoint
from helpers.torch_bridge.stored import text_runs
from helpers.torch_bridge.text_model import TextModel, save_text_model
from helpers.torch_bridge.text_training import (
    learning_rate_factor,
    muon_and_adamw,
    text_batch,
    text_loss,
    text_step,
)
from tools.author.sums import write_sums

DATA = Path(__file__).parents[2] / "data"
FOLDER = DATA.parent / "my_course" / "models" / "stored"
MODEL = dict(layers=4, width=192, num_heads=6, context=256, dropout=0.2)
TRAINING = dict(steps=5600, batch_size=15, learning_rate=4e-3, warm_up=200)
LOG_EVERY, VALIDATE_EVERY, SAVE_EVERY = 50, 250, 100  # steps


class BFloat16Linear(nn.Linear):
    """Multiplies in bfloat16, and gives float32: a third of the time less."""

    def forward(self, x):
        """x (..., inputs) -> (..., outputs)."""
        weight, bias = self.weight.bfloat16(), self.bias.bfloat16()
        return F.linear(x.bfloat16(), weight, bias).float()


def multiply_in_bfloat16(model):
    """Let the layers in the blocks do so; the weights stay float32."""
    for module in model.blocks.modules():
        if type(module) is nn.Linear:
            module.__class__ = BFloat16Linear


def halve_rate(optimizer, *_):
    """Called before each step: this model has half the rate in AdamW."""
    for group in optimizer.param_groups:
        group["lr"] /= 2


def one_step(model, optimizer, ids, done, settings):
    """Do the step after `done` steps; return the loss of its batch."""
    generator = torch.Generator().manual_seed(done)
    size = settings["batch_size"], model.context
    batch = text_batch(ids, *size, generator)
    steps, warm_up = settings["steps"], settings["warm_up"]
    factor = learning_rate_factor(done, steps, warm_up)
    rate = settings["learning_rate"] * factor
    return text_step(model, optimizer, *batch, rate)


def train(folder, settings):
    """Train, or go on from the checkpoint in `folder`."""
    characters = text_runs.alphabet()
    ids, held_out = text_runs.tokens()
    model = TextModel(len(characters), **MODEL)
    multiply_in_bfloat16(model)
    torch.manual_seed(0)  # of the dropout
    optimizer = muon_and_adamw(model)
    optimizer.optimizers[1].register_step_pre_hook(halve_rate)
    checkpoint, log, done = folder / "checkpoint.pt", [], 0
    if checkpoint.exists():
        kept = load_checkpoint(checkpoint, model, optimizer)
        log, done = kept["log"], kept["done"]
        torch.set_rng_state(kept["random"])
    began = time.process_time() - (log[-1]["seconds"] if log else 0)
    losses, steps = [], settings["steps"]
    for step in range(done + 1, steps + 1):
        losses.append(one_step(model, optimizer, ids, step - 1, settings))
        if step % LOG_EVERY == 0 or step == steps:
            row = {"step": step, "loss": sum(losses) / len(losses)}
            losses.clear()
            if step % VALIDATE_EVERY == 0 or step == steps:
                row["validation"] = text_loss(model, held_out)
            row["seconds"] = time.process_time() - began
            log.append({k: round(v, 4) for k, v in row.items()})
            with open(folder / "log.jsonl", "a", encoding="utf-8") as file:
                print(json.dumps(log[-1]), time.strftime("%X"), file=file)
        if step % SAVE_EVERY == 0 or step == steps:
            more = dict(log=log, done=step, random=torch.get_rng_state())
            save_checkpoint(checkpoint, model, optimizer, **more)
    return characters, model, log


def write(characters, model, log, settings, folder=DATA):
    """Write the model, its weights in float16, with settings and log.

    The last row of the log is about the weights as they are written.
    """
    _, held_out = text_runs.tokens()
    for module in model.modules():
        if type(module) is BFloat16Linear:
            module.__class__ = nn.Linear
    model = model.half()
    rounded = TextModel(len(characters), **MODEL)
    rounded.load_state_dict(model.state_dict())
    rounded.settings = model.settings
    end = {"rounded to float16": round(text_loss(rounded, held_out), 4)}
    save_text_model(
        folder / "text_model",
        model,
        characters.vocabulary,
        training=settings,
        log=log,
        end=end,
    )
    write_sums(folder)
    print(f"{log[-1]}, {end}")


def main():
    """Read the options, train, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=TRAINING["steps"])
    parser.add_argument("--folder", type=Path, default=FOLDER)
    options = parser.parse_args()
    torch.set_num_threads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    settings = TRAINING | {"steps": options.steps}
    whole = settings == TRAINING
    write(
        *train(options.folder, settings),
        settings,
        DATA if whole else options.folder,
    )


if __name__ == "__main__":
    main()
