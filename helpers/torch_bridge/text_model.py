"""A causal language model of running text, in PyTorch, as 07 writes it."""

import functools
import json
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from helpers.experiments.own_text import Refused
from helpers.models.files import replace_file
from helpers.models.text_language_model import (
    read_text_model,
    stored_text_model,
    text_language_model,
)

_ROOT = Path(__file__).parents[2]
# Installed without the course, as on Colab, it is where the notebook runs.
_HERE = _ROOT if (_ROOT / "notebooks").is_dir() else Path.cwd()
MODELS = _HERE / "my_course" / "models"


class TransformerBlock(nn.Module):
    """Attention, then a feed-forward layer, each after a layer norm.

    The pre-norm block of notebook 06 with a GELU instead of the ReLU, and
    with dropout: in training a part of what each layer adds is set to 0.

    width, num_heads : int
        d_model, and into how many heads it is divided.
    dropout : float
    """

    def __init__(self, width, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query, self.key, self.value, self.output = (
            nn.Linear(width, width) for _ in range(4)
        )
        self.feed_forward = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        """x (B, T, d_model) -> (B, T, d_model)."""
        normal = self.norm_1(x)
        heads = [
            layer(normal).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        ]  # (B, H, T, d_k) each
        context = F.scaled_dot_product_attention(*heads, is_causal=True)
        merged = context.transpose(1, 2).flatten(-2)  # (B, T, d_model)
        x = x + self.dropout(self.output(merged))
        return x + self.dropout(self.feed_forward(self.norm_2(x)))


class TextModel(nn.Module):
    """Characters and positions, blocks, a layer norm, logits.

    The decoder of Radford et al. (2019), *Language Models are Unsupervised
    Multitask Learners*, section 2.3, as small as its vocabulary.

    Parameters
    ----------
    num_characters : int
        V, the size of the vocabulary.
    layers, width, num_heads : int
    context : int
        How many characters it reads at most, T.
    dropout : float
        For the training alone.
    seed : int
        Of the initial weights.
    block : class
        Called as `TransformerBlock`, of which it has the layers.

    A class of a learner's has methods of its own in place of `make_layers`
    and `forward`.
    """

    def __init__(
        self,
        num_characters,
        *,
        layers=2,
        width=128,
        num_heads=4,
        context=64,
        dropout=0.0,
        seed=0,
        block=TransformerBlock,
    ):
        super().__init__()
        self.context = context
        self.settings = dict(
            layers=layers,
            width=width,
            num_heads=num_heads,
            context=context,
            dropout=dropout,
        )
        if dropout:
            block = functools.partial(block, dropout=dropout)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.make_layers(
                num_characters, width, num_heads, layers, context, block
            )
            self.dropout = nn.Dropout(dropout)
            self.apply(_initialize)

    def make_layers(
        self, num_characters, width, num_heads, layers, context, block
    ):
        """Make two tables, the blocks, a norm, and the last layer."""
        self.characters = nn.Embedding(num_characters, width)
        self.positions = nn.Embedding(context, width)
        self.blocks = nn.Sequential(
            *(block(width, num_heads) for _ in range(layers))
        )
        self.norm = nn.LayerNorm(width)
        self.logits = nn.Linear(width, num_characters)

    def forward(self, ids):
        """Return the logits of each next character.

        ids (B, T) of int64, T at most `context` -> (B, T, V).
        """
        x = self.characters(ids) + self.positions.weight[: ids.shape[-1]]
        return self.logits(self.norm(self.blocks(self.dropout(x))))


def _initialize(module):
    """Give a layer small normal weights; its bias is 0."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


def text_arrays(model):
    """Return a copy of the weights, {PyTorch's name: float32 array}."""
    return {
        name: tensor.detach().cpu().float().numpy().copy()
        for name, tensor in model.state_dict().items()
    }


def save_text_model(path, model, characters, **kept):
    """Write PATH.safetensors and PATH.json, each whole or not at all.

    characters: the vocabulary; kept: what JSON can hold, such as training=
    (a dict of settings) and log= (a list of rows). Weights in float16 take
    half of the space: ``model.half()`` before.
    """
    from safetensors.torch import save

    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {"characters": "".join(characters), "model": model.settings} | kept
    state = {n: t.contiguous().cpu() for n, t in model.state_dict().items()}
    replace_file(path.with_name(f"{path.name}.safetensors"), save(state))
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    replace_file(path.with_name(f"{path.name}.json"), f"{text}\n".encode())


def new_for(make, vocabulary):
    """Return a new model for a vocabulary; make: as in `open_text_model`."""
    return make(len(vocabulary))


def open_text_model(
    path, make, vocabulary, *, begin=new_for, fresh=False, text=None
):
    """Return the model at a path and its log, or a new one and an empty log.

    make: num_characters and sizes -> a new `TextModel`; vocabulary: the
    characters of the text to train on; begin: `new_for` or `stored_for`;
    fresh: begin in any case; text: the mark of the text, as it was kept with
    the model. Raises Refused if the model at the path had another text.
    """
    if fresh or not Path(f"{path}.safetensors").exists():
        return begin(make, vocabulary), []
    arrays, kept = read_text_model(path)
    model = _filled(path, make, arrays, kept)
    if kept["characters"] != "".join(vocabulary):
        raise Refused(
            f"{path}: this model has other characters than your text; give"
            " your file another name"
        )
    if text and kept.get("text", text) != text:
        raise Refused(
            f"{path}: this model was trained on another text; give your file"
            " another name, and a new model begins"
        )
    return model, kept.get("log", [])


def path_of(kind, text):
    """Return where the model of an `OwnText` is, without the ending.

    kind: what tells several models of one text apart.
    """
    return MODELS / f"{text.name}, {kind}"


def open_kind(kind, begin, make, text):
    """Return what `open_text_model` does, for an `OwnText`."""
    options = dict(begin=begin, fresh=not text.kept, text=text.mark)
    path = path_of(kind, text)
    return open_text_model(path, make, text.vocabulary, **options)


def save_kind(kind, model, text, log):
    """Write the model of an `OwnText`, its log and the mark of the text."""
    kept = dict(log=log, text=text.mark)
    save_text_model(path_of(kind, text), model, text.vocabulary, **kept)


def in_numpy(kind, text):
    """Return the saved model of an `OwnText`, as notebook 06 has it."""
    return text_language_model(path_of(kind, text))


def load_text_model(path=None):
    """Return a `TextModel` and the dict beside it; without a path the stored.

    Raises FileNotFoundError or ValueError naming the file.
    """
    path = path or stored_text_model()
    arrays, kept = read_text_model(path)
    return _filled(path, TextModel, arrays, kept), kept


def _filled(path, make, arrays, kept):
    """Return a new model with the weights of a file."""
    try:
        model = make(len(kept["characters"]), **kept["model"])
        model.load_state_dict({n: torch.tensor(a) for n, a in arrays.items()})
    except (TypeError, RuntimeError) as error:
        raise ValueError(
            f"{path}.safetensors: not the weights of {path}.json"
            f" ({str(error).splitlines()[0]})"
        ) from None
    return model


def stored_for(make, vocabulary):
    """Return a model with the stored weights, for another vocabulary.

    make: as in `open_text_model`. A character that the stored model knows
    keeps its rows; one that is new gets those of a new model, and begins as
    the least likely one.
    """
    arrays, kept = read_text_model(stored_text_model())
    model = make(len(vocabulary), **kept["model"] | {"dropout": 0.0})
    known = {c: i for i, c in enumerate(kept["characters"])}
    new = [i for i, c in enumerate(vocabulary) if c in known]
    old = [known[vocabulary[i]] for i in new]
    state = model.state_dict()
    for name, array in arrays.items():
        stored = torch.tensor(array).float()
        if name.startswith(("characters.", "logits.")):
            rows = state[name]
            if rows.ndim == 1:
                rows.fill_(stored.min())
            rows[new] = stored[old]
        else:
            state[name] = stored
    model.load_state_dict(state)
    return model
