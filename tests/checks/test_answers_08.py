"""Answers to the exercises of notebook 08, as learners write them."""

from itertools import pairwise

import numpy as np
import pytest

from helpers import checks


def silu(g):
    return g / (1 + np.exp(-g))


def merged_in_place(tokens, merges):
    while known := [p for p in pairwise(tokens) if p in merges]:
        first = min(known, key=merges.get)
        i = [*pairwise(tokens)].index(first)
        tokens[i : i + 2] = [merges[first]]
    return tokens


def merged_at_every_place(tokens, merges):
    tokens = list(tokens)
    while known := [p for p in pairwise(tokens) if p in merges]:
        pair, old, tokens = min(known, key=merges.get), tokens, []
        while old:
            same = tuple(old[:2]) == pair
            tokens.append(merges[pair] if same else old[0])
            old = old[1 + same :]
    return tokens


def on_complex_numbers(x, positions, base):
    half = x.shape[-1] // 2
    angle = positions[:, None] * base ** (-np.arange(half) / half)
    turned = (x[..., :half] + 1j * x[..., half:]) * np.exp(1j * angle)
    return np.concatenate([turned.real, turned.imag], axis=-1)


def a_number_in_a_slice(tokens, merges):
    tokens = list(tokens)
    while pairs := [*zip(tokens[:-1], tokens[1:], strict=True)]:
        if not (known := [pair for pair in pairs if pair in merges]):
            break
        best = min(known, key=merges.get)
        i = pairs.index(best)
        tokens[i : i + 2] = merges[best]
    return tokens


def rotated_and_joined(join):
    def answer(x, positions, base):
        half = x.shape[-1] // 2
        angle = positions[:, None] * base ** (-np.arange(half) / half)
        cos, sin = np.cos(angle), np.sin(angle)
        a, b = x[..., :half], x[..., half:]
        return join([a * cos - b * sin, b * cos + a * sin])

    return answer


RIGHT = [
    ("byte_pairs", merged_at_every_place),
    ("swiglu", lambda x, a, b, c: silu(x @ a) * (x @ b) @ c),
    ("key_head", lambda head, heads, groups: head * groups // heads),
    ("key_head", lambda head, heads, groups: np.repeat(
        np.arange(groups), heads // groups)[head]),
    ("rotate", on_complex_numbers),
    ("chat_text", lambda turns: "".join(
        f"<|im_start|>{a}\n{b}<|im_end|>\n" for a, b in turns
    ) + "<|im_start|>assistant\n"),
]  # fmt: skip


@pytest.mark.parametrize("name, answer", RIGHT)
def test_another_right_answer_is_right(name, answer, told):
    said = told(getattr(checks, name), answer)
    assert said.startswith(f"✓ {name}: correct.")


WRONG = [
    ("byte_pairs", merged_in_place, "but your code changes its argument tok"),
    ("byte_pairs", a_number_in_a_slice, "a number to a slice of the list"),
    ("rotate", rotated_and_joined(np.concatenate), "along another axis"),
    ("rotate", rotated_and_joined(np.hstack), "along another axis"),
    ("rms_norm", lambda x, gain: x / np.sqrt((x**2).mean(
        axis=-1, keepdims=True) + 10e-5) * gain, "other than 1e-5 inside"),
    ("rms_norm", lambda x, gain: x / (np.sqrt((x**2).mean(
        axis=-1, keepdims=True) + 1e-5) * gain), "rows by the gain"),
    ("swiglu", lambda x, a, b, c: (silu(x) @ a * (x @ b)) @ c,
     "applies silu to x, before the product"),
    ("swiglu", lambda x, a, b, c: (x @ a / 1 + np.exp(-x @ a)) * (x @ b) @ c,
     "parentheses are missing around the denominator"),
    ("key_head", lambda head, heads, groups: head // 3,
     "does not depend on `heads` and `groups`"),
    ("chat_text", lambda turns: [*turns, "<|im_start|>assistant\n"],
     "does not return what the task asks for"),
    ("chat_text", lambda turns: "".join(
        f"<|im_start|> {a}\n{b}<|im_end|>\n" for a, b in turns
    ) + "<|im_start|>assistant\n", "goes wrong at position 12"),
]  # fmt: skip


@pytest.mark.parametrize("name, answer, words", WRONG)
def test_what_is_wrong_is_named(name, answer, words, told):
    assert words in told(getattr(checks, name), answer)
