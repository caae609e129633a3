"""Write what SmolLM2-135M-Instruct computes according to transformers.

    python -m venv /tmp/reference
    /tmp/reference/bin/pip install torch==2.13.0 transformers==5.23.0 \\
        accelerate regex gguf==0.19.0 safetensors
    /tmp/reference/bin/python -m tools.author.write_chat_reference FILE.gguf

Writes data/chat_reference.safetensors and its line in data/SHA256SUMS: for
each text its tokens, the best token after each of them, and some columns of
the logits, from LlamaForCausalLM, which reads the file itself. For ordinary
and odd strings: their tokens, by the words of the papers in plain Python.
Nothing of helpers takes part. The course itself never needs transformers.
"""

import json
import sys
import unicodedata
from functools import cache
from importlib import import_module  # what is in no list of ours
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from tools.author.sums import DATA, write_sums

NAME = "chat_reference.safetensors"
COLUMNS = slice(None, None, 512)  # 96 of 49,152 tokens
CHAT = (
    "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained"
    " by Hugging Face<|im_end|>\n<|im_start|>user\n{}<|im_end|>\n"
    "<|im_start|>assistant\n"
)
QUESTIONS = (
    "What is the capital of France?",
    "Why is the sky blue?",
    "Écris un poème 🐉",
    "What is 7 plus 5?",
    "Tell me about attention in neural networks.",
)
PLAIN = (
    "Once upon a time there was",
    "def add(a, b):\n    return",
    "1234567 + 89 =",
    "The quick brown fox jumps over the lazy dog.",
    "x",
    "Paris is to France as Rome is to",
    "one two three four one two three four one two",
    "日本の首都は",
    "    if x  09\n\n\tpass  ",
    "Question: How many legs has a spider?\nAnswer:",
    "<|im_start|>user\n<|im_end|>",
    "In 1969, men landed on the Moon; in 2012, a robot on Mars.",
)
ODD = (
    "|  |   |\n|\n\n |  \n x|a  b|  09|don't I'LL we've|O'Brien's|x²+y³|½ ⅓"
    "|٣٤٥|Ⅷ Ⅻ|12345| 12 345|a1b2|_a_b_|__init__|日本語テキスト|नमस्ते"
    "|é e\u0301|🐉🔥 👩\u200d👩\u200d👧|tab\tsep|\r\n\r\n|\u00a0x|a\u200bb"
    "|\u3000全角|…—“”|$3.50!|()[]{}|http://a.b/c?d=e&f|C++ C#|   lead"
    "|trail   |a\n\n\nb|ﬁ ß ẞ|Ελλάδα|Привет, мир|שלום|مرحبا ١٢|x\x00y"
    "|\x1c\x1d|\x85z|\u2028line|ªº|𝟙𝟚|①②|ʰ ʲ|ˈa|\u0301|a\u20dd|三一二|〇 x"
    "|'s't 's|’s it’s|\x04\x06\x13 bell|strawberry"
).split("|")
LETTERS = " \n\t'_-.,09aZéß日🐉²½\u00a0\u0301sdtmre٣①Ⅷ\x85\u200b"
GPT2 = (
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+"
    r"|\s+(?!\S)|\s+"
)


def texts():
    """Return the 20 texts, short, long and from a play."""
    plays = (DATA / "shakespeare.txt").read_text(encoding="utf-8")
    long = [plays[500_000:500_900], plays[700_000:700_400], plays[:200]]
    return [*map(CHAT.format, QUESTIONS), *PLAIN, *long]


def strings():
    """Return 2,000 ordinary lines and 200 odd strings."""
    plays = (DATA / "shakespeare.txt").read_text(encoding="utf-8")
    lines = [line for line in plays.splitlines() if line]
    rng, odd = np.random.default_rng(0), list(ODD)
    while len(odd) < 200:
        odd.append("".join(rng.choice(list(LETTERS), rng.integers(1, 25))))
    return lines[:: len(lines) // 2000][:2000] + odd


class BytePairs:
    """The tokenizer in plain Python: slow, and as the papers say it."""

    def __init__(self, vocabulary, merges):
        self.numbers = {token: i for i, token in enumerate(vocabulary)}
        self.rank = {tuple(m.split(" ")): i for i, m in enumerate(merges)}
        self.pattern = import_module("regex").compile(GPT2)
        plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
        rest = [byte for byte in range(256) if byte not in plain]
        self.letter = {byte: chr(byte) for byte in plain}
        self.letter |= {byte: chr(256 + i) for i, byte in enumerate(rest)}
        self.merge = cache(self.merge)

    def pieces(self, text):
        """Cut each numeral out, then the rest by GPT-2's pattern."""
        stretch = ""
        for sign in text:
            if unicodedata.category(sign).startswith("N"):
                yield from self.pattern.findall(stretch)
                yield sign
                stretch = ""
            else:
                stretch += sign
        yield from self.pattern.findall(stretch)

    def merge(self, piece):
        """Join the pair that was learned first, until none is left."""
        parts = [self.letter[byte] for byte in piece.encode()]
        while len(parts) > 1:
            pairs = list(zip(parts, parts[1:], strict=False))
            best = min(pairs, key=lambda p: self.rank.get(p, len(self.rank)))
            if best not in self.rank:
                break
            at = pairs.index(best)
            parts[at : at + 2] = ["".join(best)]
        return [self.numbers[p] for p in parts if p in self.numbers]

    def encode(self, text):
        """Return the tokens of a text without special tokens."""
        return [i for piece in self.pieces(text) for i in self.merge(piece)]


def read_tokenizer(path):
    """Return `BytePairs`, and the special tokens."""
    fields = import_module("gguf").GGUFReader(path).fields
    tokens, kinds, merges = (
        fields[f"tokenizer.ggml.{name}"].contents()
        for name in ("tokens", "token_type", "merges")
    )
    special = [t for t, k in zip(tokens, kinds, strict=True) if k == 3]
    return BytePairs(tokens, merges), special


def encode(text, pairs, special):
    """Return the tokens of a text with special tokens."""
    regex = import_module("regex")
    cut = regex.split("(" + "|".join(map(regex.escape, special)) + ")", text)
    found = [
        [pairs.numbers[part]] if part in special else pairs.encode(part)
        for part in cut
    ]
    return sum(found, [])


def write(path, data=DATA):
    """Run all texts and write the arrays."""
    torch, transformers = map(import_module, ("torch", "transformers"))
    pairs, special = read_tokenizer(path)
    model = transformers.LlamaForCausalLM.from_pretrained(
        path.parent,
        gguf_file=path.name,
        dtype=torch.float32,
        attn_implementation="eager",
    ).eval()
    arrays = {}
    for i, text in enumerate(texts()):
        ids = encode(text, pairs, special)
        with torch.no_grad():
            logits = model(torch.tensor([ids])).logits[0].numpy()  # (T, V)
        arrays[f"{i}.tokens"] = np.array(ids, np.uint16)
        arrays[f"{i}.best"] = logits.argmax(axis=1).astype(np.uint16)
        arrays[f"{i}.highest"] = logits.max(axis=1)
        arrays[f"{i}.logits"] = logits[:, COLUMNS].copy()
    found = [pairs.encode(text) for text in strings()]
    arrays["strings.tokens"] = np.array(sum(found, []), np.uint16)
    arrays["strings.lengths"] = np.array([len(f) for f in found], np.uint16)
    metadata = {
        "texts": json.dumps(texts()),
        "odd": json.dumps(strings()[2000:]),
        "made_by": f"transformers {transformers.__version__}",
    }
    save_file(arrays, data / NAME, metadata=metadata)
    write_sums(data)


if __name__ == "__main__":
    write(Path(sys.argv[1]).resolve())
