"""Words become vectors: the static token table of all-MiniLM-L6-v2.

The model lies in data/all-MiniLM-L6-v2 (its README.md tells origin and
license).  Here only its token table is used: one row of 384 numbers for
each of 30,522 vocabulary entries, the same row in every sentence.  Words
outside the vocabulary are split into pieces (WordPiece: Wu et al. 2016,
section 4.1).
"""

import hashlib
from functools import lru_cache
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parents[1] / "data" / "all-MiniLM-L6-v2"
TABLE = "embeddings.word_embeddings.weight"
SHAPE = (30522, 384)  # (vocabulary, numbers per row)
REPAIR = (
    "Restore it with `git checkout -- data` or rebuild it with "
    "`python data/rebuild_model.py --download`."
)


def tokenize(text):
    """Split a text into lower-cased WordPiece tokens.

    A word outside the vocabulary comes as visible pieces ("##" marks a
    piece that continues a word), or as [UNK] if a character is unknown.

    Raises TypeError if text is no string, ValueError if it is empty or
    if something in it would be lost.
    """
    return _encode(text).tokens


def embed(text):
    """Look up a text: (tokens, X), X (T, 384) float64, one row a token.

    Raises as tokenize does.
    """
    encoding = _encode(text)
    return encoding.tokens, _table(FOLDER)[encoding.ids].astype(np.float64)


def vectors(words):
    """Look up words that are one vocabulary entry each: (n, 384) float64.

    Raises TypeError if words is not a list of strings, ValueError naming
    every word that is split, with its pieces.
    """
    return _table(FOLDER)[_entries(words)].astype(np.float64)


def cosine(a, b):
    """Cosine of the angle between two vectors (d,), a float in -1…1."""
    a, b = _vector(a, "a"), _vector(b, "b")
    if a.shape != b.shape:
        raise ValueError(
            f"a and b differ in length: shapes {a.shape} and {b.shape}"
        )
    return float(np.clip(a @ b, -1.0, 1.0))


def verify():
    """Check the data files against SHA256SUMS, once per process.

    Returns the sha256 of model.safetensors.  Raises FileNotFoundError or
    ValueError naming the file that is missing or damaged.
    """
    return _verified(FOLDER)


class WordTable:
    """Word vectors for training: few, centered, of unit variance.

    Every row is normalized (mean 0, variance 1, as layer normalization
    without gain: Ba et al. 2016), centered on the mean of the training
    words, projected on the d_model principal directions of the training
    words, and divided by one number, so that their variance is 1.  The
    same map then serves all other words of the vocabulary.

    training_words: list of single vocabulary entries, duplicates count
    once.  d_model: 1 … min(383, number of different words − 1).
    """

    def __init__(self, training_words, d_model=64):
        ids = np.unique(_entries(training_words))
        limit = min(SHAPE[1] - 1, len(ids) - 1)
        if not isinstance(d_model, (int, np.integer)) or d_model is True:
            raise TypeError(f"d_model must be an integer, not {d_model!r}")
        if not 1 <= d_model <= limit:
            raise ValueError(
                f"d_model must be between 1 and {limit} for {len(ids)} "
                f"different training words, not {d_model}"
            )
        rows = _normalized(ids)  # (n, 384)
        self.d_model = int(d_model)
        self._mean = rows.mean(axis=0)  # (384,)
        directions = _principal_directions(rows - self._mean, self.d_model)
        scale = ((rows - self._mean) @ directions).std()
        self._map = directions / scale  # (384, d_model)

    def vectors(self, words):
        """Vectors of single words: (n, d_model) float64."""
        return (_normalized(_entries(words)) - self._mean) @ self._map

    def batch(self, sentences):
        """Pad sentences (lists of words) to the longest, T words.

        Returns x (B, T, d_model) float64, 0 where there is no word, and
        mask (B, T) bool, True where there is one.
        """
        sentences = _sentences(sentences)
        names = sorted({word for words in sentences for word in words})
        place = {word: i for i, word in enumerate(names)}
        lengths = np.array([len(words) for words in sentences])
        mask = np.arange(lengths.max()) < lengths[:, None]  # (B, T)
        x = np.zeros((*mask.shape, self.d_model))  # (B, T, d_model)
        order = [place[word] for words in sentences for word in words]
        x[mask] = self.vectors(names)[order]
        return x, mask


def _principal_directions(centered, count):
    """Columns (384, count): eigenvectors, their largest entry positive."""
    covariance = centered.T @ centered / (len(centered) - 1)  # (384, 384)
    columns = np.linalg.eigh(covariance)[1][:, ::-1][:, :count]
    largest = np.abs(columns).argmax(axis=0)
    return columns * np.sign(columns[largest, np.arange(count)])


def _normalized(ids):
    rows = _table(FOLDER)[ids].astype(np.float64)  # (n, 384)
    rows -= rows.mean(axis=-1, keepdims=True)
    return rows / rows.std(axis=-1, keepdims=True)


def _sentences(sentences):
    if isinstance(sentences, str):
        raise TypeError("sentences must be a list of lists of words")
    sentences = list(sentences)
    if not sentences:
        raise ValueError("sentences is empty")
    for i, words in enumerate(sentences):
        if isinstance(words, str):
            raise TypeError(
                f"sentences[{i}] is a string; give a list of words, such "
                f"as {words.split()[:3]}"
            )
        if not len(words):
            raise ValueError(f"sentences[{i}] has no words")
    return sentences


def _entries(words):
    """Vocabulary numbers of words that are one entry each."""
    if isinstance(words, str):
        raise TypeError(f"words must be a list, such as [{words!r}]")
    words = list(words)
    encodings = {word: _encode(word) for word in words}
    if not encodings:
        raise ValueError("words is empty")
    split = [
        f"{word!r} ({' '.join(encoding.tokens)})"
        for word, encoding in encodings.items()
        if len(encoding) != 1 or encoding.tokens == ["[UNK]"]
    ]
    if split:
        raise ValueError("not one vocabulary entry each: " + ", ".join(split))
    return [encodings[word].ids[0] for word in words]


def _vector(x, name):
    x = np.asarray(x, dtype=np.float64)
    if x.ndim != 1:
        raise ValueError(f"{name} must be one vector (d,), not {x.shape}")
    if not np.isfinite(x).all():
        raise ValueError(f"{name} contains NaN or infinity")
    norm = np.linalg.norm(x)
    if norm == 0:
        raise ValueError(f"{name} is the zero vector: it has no direction")
    return x / norm


def _encode(text):
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, not {type(text).__name__}")
    words = text.split()
    if not words:
        raise ValueError("text is empty or only spaces: no token to look up")
    return _tokenizer(FOLDER).encode(" ".join(words), add_special_tokens=False)


@lru_cache
def _tokenizer(folder):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()  # the file asks for 128 tokens, always
    tokenizer.no_padding()
    return tokenizer


@lru_cache
def _table(folder):
    """The token table (30522, 384), float16 as stored, read once."""
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", framework="np") as model:
        return model.get_tensor(TABLE)


@lru_cache
def _verified(folder):
    found = {}
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        expected, name = line.split()
        found[name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        if found[name] != expected:
            raise ValueError(f"{folder / name} is damaged. {REPAIR}")
    return found["model.safetensors"]
