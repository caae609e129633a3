"""The files of data/all-MiniLM-L6-v2: opened when needed, once, checked.

Reading uses no pickle.  A missing or damaged file gives one error that
names the file and says what to do.
"""

import hashlib
from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "data" / "all-MiniLM-L6-v2"
MODEL, TOKENIZER, SUMS = "model.safetensors", "tokenizer.json", "SHA256SUMS"
TABLE = "embeddings.word_embeddings.weight"
TABLE_SHAPE = (30522, 384)  # (vocabulary, numbers per row)
REPAIR = (
    "Restore it with `git checkout -- data/all-MiniLM-L6-v2`, or rebuild "
    "it with `python data/rebuild_model.py --download`."
)


def word_table():
    """The table of word vectors, (30522, 384) float16, as stored.

    Read at the first call only; the array is read-only.  Raises
    FileNotFoundError or ValueError naming the file.
    """
    return _word_table(FOLDER)


def tokenizer():
    """The model's WordPiece tokenizer, which cuts and pads nothing.

    Raises FileNotFoundError or ValueError naming the file.
    """
    return _tokenizer(FOLDER)


def verify():
    """Compare the files with their sha256, once per process.

    Returns the sha256 of model.safetensors.  Raises FileNotFoundError or
    ValueError naming the file.
    """
    return _verified(FOLDER)


@lru_cache
def _word_table(folder):
    from safetensors import SafetensorError, safe_open

    path = _existing(folder / MODEL)
    try:
        with safe_open(path, framework="np") as model:
            stored = model.get_slice(TABLE)
            found = stored.get_dtype(), tuple(stored.get_shape())
            if found != ("F16", TABLE_SHAPE):
                reason = f"{TABLE} is {found}, not ('F16', {TABLE_SHAPE})"
                raise _damaged(path, reason)
            table = model.get_tensor(TABLE)
    except (SafetensorError, OSError) as error:
        raise _damaged(path, error) from None
    table.flags.writeable = False
    return table


@lru_cache
def _tokenizer(folder):
    from tokenizers import Tokenizer

    path = _existing(folder / TOKENIZER)
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise _damaged(path, error) from None
    if tokenizer.get_vocab_size() != TABLE_SHAPE[0]:
        raise _damaged(path, f"{tokenizer.get_vocab_size()} entries")
    tokenizer.no_truncation()  # the file itself asks for 128 tokens, always
    tokenizer.no_padding()
    return tokenizer


@lru_cache
def _verified(folder):
    sums = _existing(folder / SUMS).read_text(encoding="utf-8").split()
    expected = dict(zip(sums[1::2], sums[::2], strict=False))
    if not {MODEL, TOKENIZER} <= expected.keys():
        raise _damaged(folder / SUMS, "a line is missing")
    for name in sorted(expected):
        with open(_existing(folder / name), "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != expected[name]:
            raise _damaged(folder / name, f"its sha256 is {found}")
    return expected[MODEL]


def _existing(path):
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing. {REPAIR}")
    return path


def _damaged(path, reason):
    with open(path, "rb") as file:
        if file.read(24).startswith(b"version https://git-lfs"):
            reason = "it is a Git LFS pointer"
    return ValueError(f"{path} is damaged ({reason}). {REPAIR}")
