"""The files of data/: each is compared with its sha256 before it is read.

Reading uses no pickle. A missing or damaged file gives one error that
names the file and says what to do.
"""

import hashlib
import json
from functools import lru_cache
from pathlib import Path

from helpers import validation

HELPERS = Path(__file__).resolve().parents[1]
# setup.py puts the files into the package; in a clone they lie beside it.
DATA = next(
    folder
    for folder in (HELPERS / "data", HELPERS.parent / "data")
    if folder.is_dir() or folder.parent != HELPERS
)
SUMS = "SHA256SUMS"
MODEL = "all-MiniLM-L6-v2/model.safetensors"
TOKENIZER = "all-MiniLM-L6-v2/tokenizer.json"
TABLE = "embeddings.word_embeddings.weight"
TABLE_SHAPE = (30522, 384)  # (vocabulary, numbers per row)


def data_file(name):
    """Return the path of a file of data/, such as "words.json".

    Its sha256 is compared once per process. Raises FileNotFoundError or
    ValueError naming the file and the repair.
    """
    return _checked(DATA, validation.string("name", name))


def stored(name):
    """Return what a JSON file of data/ holds, such as "words.json".

    Raises FileNotFoundError or ValueError naming the file.
    """
    return json.loads(data_file(name).read_text(encoding="utf-8"))


def word_table():
    """Return the word vectors (30522, 384) float16, as stored, read-only.

    Raises FileNotFoundError or ValueError naming the file.
    """
    return _word_table(data_file(MODEL))


def model_arrays():
    """Return all arrays of the model {name: array}, float16 as stored.

    Raises FileNotFoundError or ValueError naming the file.
    """
    from safetensors.numpy import load_file

    return load_file(data_file(MODEL))


def tokenizer():
    """Return the model's WordPiece tokenizer; it cuts and pads nothing.

    Raises FileNotFoundError or ValueError naming the file.
    """
    return _tokenizer(data_file(TOKENIZER))


@lru_cache
def _word_table(path):
    from safetensors import safe_open

    with safe_open(path, framework="np") as model:
        table = model.get_tensor(TABLE)
    table.flags.writeable = False
    return table


@lru_cache
def _tokenizer(path):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()  # the file itself asks for 128 tokens, always
    tokenizer.no_padding()
    return tokenizer


@lru_cache
def _checked(folder, name):
    path = folder / name
    if _sha256(path) != _sums(folder).get(name):
        raise _damaged(path, f"its sha256 is {_sha256(path)}")
    return path


@lru_cache
def _sums(folder):
    """Return {name: sha256}, as written in the file SHA256SUMS."""
    path = folder / SUMS
    if not path.is_file():
        raise _missing(path)
    words = path.read_bytes().decode("utf-8", "replace").split()
    sums = dict(zip(words[1::2], words[::2], strict=False))
    if not {MODEL, TOKENIZER} <= sums.keys():
        raise _damaged(path, "a line is missing")
    return sums


@lru_cache
def _sha256(path):
    if not path.is_file():
        raise _missing(path)
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _missing(path):
    return FileNotFoundError(f"{path} is missing. {_repair(path)}")


def _damaged(path, reason):
    with open(path, "rb") as file:
        if file.read(24).startswith(b"version https://git-lfs"):
            reason = "it is a Git LFS pointer"
    return ValueError(f"{path} is damaged ({reason}). {_repair(path)}")


def _repair(path):
    name = path.relative_to(DATA).as_posix()
    repair = f"Restore it with `git checkout -- data/{name}`"
    if name in (MODEL, TOKENIZER):
        return (
            f"{repair} or `python -m tools.author.rebuild_model --download`."
        )
    return (
        f"{repair}; after a change of your own: `python -m tools.author.sums`."
    )
