"""From text to byte pairs and back, and from a chat to a text.

Byte pairs: Sennrich et al. (2016), section 3.2, on bytes: Radford et al.
(2019), section 2.2. Each numeral is cut out first and is a piece of its own;
what is left is cut by GPT-2's pattern. 21 bytes have no token and are lost:
6 that control a terminal, and 15 that hardly a text contains.
"""

import re

SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
START, END = "<|im_start|>", "<|im_end|>"


def build_tokenizer(vocabulary, special, merges):
    """Return a `tokenizers.Tokenizer` from what the model's file holds.

    See `file.Contents` for the arguments.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    numbers = {token: i for i, token in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.BPE(vocab=numbers, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(special)
    return tokenizer


def pieces(tokenizer, text):
    """Cut a text into pieces whose bytes are merged among themselves.

    Yields a list for each piece: the tokens of its bytes, or of one special
    token, which is never cut.
    """
    number = tokenizer.token_to_id
    special = {
        token.content: i
        for i, token in tokenizer.get_added_tokens_decoder().items()
    }
    pattern = "|".join(map(re.escape, special))
    for part in re.split(f"({pattern})", text):
        if part in special:
            yield [special[part]]
        elif part:
            for piece, _ in tokenizer.pre_tokenizer.pre_tokenize_str(part):
                found = map(number, piece)  # a character for each byte
                yield [token for token in found if token is not None]


def turn(role, text):
    """Return one turn of a chat as the model has learned to read it."""
    return f"{START}{role}\n{text}{END}\n"


def template(question, system=SYSTEM):
    """Return the text of a chat up to where the answer begins."""
    chat = turn("system", system) + turn("user", question)
    return f"{chat}{START}assistant\n"
