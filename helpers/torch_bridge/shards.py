"""A text in several files; each process maps into memory what it reads.

A folder holds shards.json (the vocabulary, the lengths, what the text is),
train_000.npy, train_001.npy and so on, and validation.npy: the number of each
character.
"""

import io
import json
from pathlib import Path

import numpy as np
import torch

from helpers import validation
from helpers.models.files import replace_file
from helpers.tasks import running_text

INDEX = "shards.json"


def write_shards(folder, text, count, about):
    """Cut a text to train on into `count` files of nearly equal length.

    The last tenth becomes validation.npy. The index is written last: a folder
    without it is not finished. about: a dict for `read_index`, which says
    what the text is.
    """
    count = validation.positive_integer("count", count)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    characters = running_text.Characters(text)
    ids, held_out = running_text.split(characters.ids(text))
    parts = np.array_split(ids, count)
    for number, part in enumerate(parts):
        _write(folder / f"train_{number:03}.npy", part)
    _write(folder / "validation.npy", held_out)
    index = {
        "characters": "".join(characters.vocabulary),
        "lengths": [len(part) for part in parts],
        "about": about,
    }
    data = json.dumps(index, ensure_ascii=False).encode()
    replace_file(folder / INDEX, data)


def _write(path, ids):
    """Two bytes a character are enough for 65,536 different ones."""
    if ids.size and ids.max() > np.iinfo(np.uint16).max:
        raise ValueError(f"text: {ids.max() + 1} different characters")
    file = io.BytesIO()
    np.save(file, ids.astype(np.uint16))
    replace_file(path, file.getvalue())


def read_index(folder):
    """Return the vocabulary, the shards' lengths, and what was told of them.

    Raises FileNotFoundError, or ValueError if the index is damaged.
    """
    path = Path(folder) / INDEX
    try:
        index = json.loads(path.read_text(encoding="utf-8"))
        about = dict(index["about"])
        return tuple(index["characters"]), list(index["lengths"]), about
    except (ValueError, LookupError, TypeError):
        raise ValueError(
            f"{path}: damaged, or of an older version; give another folder"
        ) from None


class Shards:
    """The files of a text, opened without being read.

    folder : path
        One that `write_shards` has written.

    characters : tuple of strings, the vocabulary.
    validation : tensor (N,) of int64.

    Raises FileNotFoundError, or ValueError naming a file that is damaged.
    """

    def __init__(self, folder):
        folder = Path(folder)
        self.characters, lengths, _ = read_index(folder)
        names = [f"train_{number:03}.npy" for number in range(len(lengths))]
        self.parts = [
            _open(folder / name, length)
            for name, length in zip(names, lengths, strict=True)
        ]
        held_out = _open(folder / "validation.npy")
        self.validation = torch.from_numpy(held_out.astype(np.int64))

    def passages(self, batch_size, length, generator, rows=slice(None)):
        """Return some rows of a batch of passages: (B, length) of int64.

        All starts are drawn, so that every process draws the same ones; only
        the passages of `rows` are read. A passage lies within one shard.
        """
        room = torch.tensor([len(part) - length + 1 for part in self.parts])
        room = room.clamp(min=0)
        if not room.any():
            raise ValueError(f"length: {length}, longer than every shard")
        ends = room.cumsum(0)
        drawn = torch.randint(ends[-1], (batch_size,), generator=generator)
        shards = torch.searchsorted(ends, drawn, right=True)
        starts = drawn - ends[shards] + room[shards]
        chosen = zip(shards[rows].tolist(), starts[rows].tolist(), strict=True)
        read = [self.parts[i][start : start + length] for i, start in chosen]
        return torch.from_numpy(np.array(read, dtype=np.int64))


def _open(path, length=None):
    """Map a file into memory."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    try:
        ids = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError):
        raise ValueError(f"{path}: damaged") from None
    if length not in (None, len(ids)):
        raise ValueError(
            f"{path}: {len(ids)} characters, but {INDEX} says {length}"
        )
    return ids
