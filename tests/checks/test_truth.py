"""What the checks say is true of the learner's code, and short."""

import linecache

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from helpers import attention, checks, embeddings
from helpers.checks.engine.edit import generated
from helpers.checks.engine.explain import claims, verdict

WHOLE = "np.sqrt(x) / attention.softmax(x)"
SAID = (  # a sentence, a code, and whether the code can be so
    ("your code rounds the result", "np.round(x, 2)", True),
    ("your code rounds the result", "np.exp(x)", False),
    ("only half of `x` is added", "x + y / 2", True),
    ("only half of `x` is added", "x + attend(x)", False),
    ("does not add up the products", "(q * k).sum(axis=1).std()", False),
    ("does not add up the products", "(q * k).std()", True),
    ("the root is missing", "x / np.sqrt(d)", False),
    ("the root is missing", "x / d", True),
    ("the softmax is missing", "attention.softmax(x)", False),
    ("the median is taken", "np.sort(x)[len(x) // 2]", True),
    ("the median is taken", "x.mean()", False),
    ("the loop runs backward", "x[::-1]", False),
    ("uses a fixed number of heads", "x.reshape(len(x), h, -1)", False),
    ("anything is said of code that is not known", "", True),
)


@pytest.mark.parametrize("said, code, can_be", SAID)
def test_a_sentence_is_held_against_the_code(said, code, can_be):
    assert claims.fits(code, said, WHOLE) == can_be


@pytest.mark.parametrize(
    "said, code, can_be",
    (
        ("`_` is used instead of the counts", "o, c = f(x); o.max()", False),
        ("`len(x)` is used instead of `d`", "x / len(x)", True),
        ("`4` is used instead of `len(x)`", "x / 4", True),
        ("`4` is used instead of `len(x)`", "x / len(x)", False),
        ("`norm` is applied twice", "norm(other(x))", False),
    ),
)
def test_an_edit_names_what_is_there(said, code, can_be):
    assert claims.names_fit(code, said, {"x", "d", "norm", "len"}) == can_be


def test_two_things_need_twice_the_code():
    said, right = "the result is summed up at the end", "x.mean(axis=1)"
    assert claims.fits("x[m].mean(axis=0)", said, right)
    assert not claims.fits("x[m].mean(axis=0)", said, right, more=True)
    assert claims.fits("x[m].mean(axis=0).sum()", said, right, more=True)


def test_what_is_said_has_sixty_words():
    for exercise in checks.EXERCISES.values():
        mistakes = {m for s in exercise.all_steps for m in s.mistakes}
        said = {(m.name, m.idea) for m in mistakes}
        said |= {(e.words, e.idea) for e, _ in generated.of(exercise).made}
        for name, idea in said:
            if len(f"{name} {idea}".split()) < verdict.WORDS - 20:
                continue  # however it is laid out
            text = verdict.say(exercise, "✗", f"{name}.", idea)
            assert len(text.split()) <= verdict.WORDS, text


def self_attention(x):
    """Return the context and the weights, as the exercise asks."""
    return attention.scaled_dot_product_attention(x, x, x)


def answered(name, lines):
    """Return an answer, its code known as that of a cell is."""
    code = f"def answer({checks.EXERCISES[name].call.partition('(')[2]}:\n"
    code += "".join(f"    {line}\n" for line in lines.split("\n"))
    file = f"<cell of {name} {abs(hash(code))}>"
    linecache.cache[file] = len(code), None, code.splitlines(True), file
    names = {"np": np, "attention": attention, "torch": torch, "F": F}
    names |= {"nn": nn, "embeddings": embeddings}
    names["attend"] = self_attention
    names["query"] = np.ones(2)  # an array of the notebook
    exec(compile(code, file, "exec"), names)
    return names["answer"]


ONLINE = """highest, total, mix = -np.inf, 0.0, 0.0
for score, value in zip(scores, values):
    new = max(highest, score)
    scale, weight = np.exp(highest - new), np.exp(score - new)
    total = total * scale + weight
    mix = mix * scale + weight * value
    highest = new
"""
CACHE = "k, v = np.vstack([keys, key]), np.vstack([values, value])\n"
POWERS = "e = np.exp(scores - scores.max(axis=1, keepdims=True))\n"
BY_QUERIES = """top, out = np.zeros((len(query), 1)), []
for i in range(0, len(query), size):
    s = query[i : i + size] @ key.T / np.sqrt(key.shape[1])
"""
CHOSEN = """p = attention.softmax(logits[:-1])
p = p[np.arange(len(p)), tokens[1:]]
"""
SOFTMAX = """def softmax(s):
    powers = np.exp(s - s.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
context = softmax(x @ x.T) @ x
"""
NUDGE = """array = model.parameters[name]
loss, _ = model.loss_and_gradients(*batch)
"""
NUDGED = f"""{NUDGE}array[place] += 0.001
higher, _ = model.loss_and_gradients(*batch)
array[place] -= 0.001
"""
STEP = """history = []
for epoch in range(epochs):
    losses = []
    for batch in batches:
        loss, slopes = model.loss_and_gradients({})
        for name in slopes:
            {}
        losses.append(loss)
    history.append(np.mean(losses))
return history
"""
ANGLES = """d = x.shape[1]
powers, t = 1e4 ** (np.arange(0, d, 2) / d), np.arange(len(x))[:, None]
a = {}
out = x.copy()
out[:, ::2] += np.sin(a)
out[:, 1::2] += np.cos(a)
return out
"""
ONE_PAIR = "q, k = np.random.standard_normal((2, d_k))\n"
HEADS = """n = {}
q, k, v = (layer(n).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
           for layer in (self.query, self.key, self.value))
"""
MOVED = """before, columns = layer(x), []
for j in range(len(x)):
    new = x.copy()
    new[j] = np.random.randn(x.shape[1])
    columns.append(np.abs(layer(new) - before).max(axis=0) > 1e-9)
return np.stack(columns, axis=1)
"""
KNOWN = """tokens = list(tokens)
while known := [p for p in zip(tokens, tokens[1:]) if p in merges]:
    first = min(known, key=merges.get)
    i = known.index(first)
    tokens[i : i + 2] = [merges[first]]
return tokens
"""
SWEEP = """out, i = [], 0
while i < len(tokens):
    pair = tuple(tokens[i : i + 2])
    out.append(merges.get(pair, tokens[i]))
    i += 1 + (pair in merges)
return out
"""
LAYERS = """self.characters = nn.{}
self.positions = nn.Embedding(context, width)
self.blocks = nn.Sequential({}[block(width, num_heads)])
self.norm = nn.LayerNorm(width)
self.logits = nn.Linear(width, num_characters)
"""
TURNS = '"<|im_start|>{role}\\n{said}<|im_end|>\\n" for role, said in turns'
OPEN = '"<|im_start|>assistant\\n"'
TOLD = (  # an exercise, code, what is said, and what is not
    (
        "online_attention",
        f"{ONLINE}return mix / weight",
        "last weight",
        "keep",
    ),
    ("online_attention", f"{ONLINE}    return mix", "inside the loop", "all"),
    (
        "two_layers",
        "a = attention.multi_head_attention(x, *first, num_heads)\n"
        "return x + a",
        "returns two results",
        "inhomogeneous",
    ),
    (
        "two_layers",
        "a = b = attention.multi_head_attention(x, *first, num_heads)\n"
        "return (x + a) + b",
        "returns two results",
        "error",
    ),
    (
        "attend_with_cache",
        f"{CACHE}q = query[None]\n"
        "return attention.scaled_dot_product_attention(q, k, v), k, v",
        "returns two results",
        "differ in shape",
    ),
    (
        "attend_with_cache",
        "k, v = np.append(keys, key), np.append(values, value)\n"
        "return attention.softmax(k @ query) @ v, k, v",
        "`np.append(keys, key)` has no axis",
        "fixed",
    ),
    (
        "attend_with_cache",  # a shape comes before the error of an edge
        "k, v = keys[:-1] + key, values[:-1] + value\n"
        "return attention.softmax(k @ query) @ v, k, v",
        "`all_keys` has the shape (1, 3), but it should be (3, 3)",
        "empty",
    ),
    (
        "grouped_attention",
        "k, v = (np.repeat(a, len(key), axis=0) for a in (key, value))\n"
        "return attention.scaled_dot_product_attention(query, k, v)[0]",
        "Your code runs to its end for 4",
        "fixed",
    ),
    (
        "best_offset",
        "o, c = np.unique(key - query, return_counts=True)\n"
        "return o.min() / len(key)",
        "result is",
        "`_`",
    ),
    ("causal_mask", "return np.eye(t_q, t_k) * t_k > 5", "be True", "1.000"),
    ("best_offset", "return input()", "cannot answer input()", "loop"),
    (
        "best_offset",
        "breakpoint()\n"
        "o, c = np.unique(key - query, return_counts=True)\n"
        "return c.max() / len(key)",
        "✓ best_offset: correct.",
        "error",
    ),
    (
        "best_offset",
        "breakpoint()\nreturn 1",
        "The check skips your breakpoint()",
        "Bdb",
    ),
    (
        "best_offset",
        "o, c = np.unique(key - query, return_counts=True)\n"
        "return c.max() / c.sum() ** 2",
        "by the value of `",
        "correct",
    ),
    (
        "softmax_over_keys",
        f"{POWERS}return e / e.sum(axis=0, keepdims=True)",
        "the totals are sums over the queries",
        "the softmax runs over the queries",
    ),
    (
        "softmax_over_keys",
        f"{POWERS}return e / e.sum()",
        "the total is the sum of the whole matrix",
        "softmax runs",
    ),
    (
        "attend_with_cache",
        f"{CACHE}w = attention.softmax(k @ query[:, None])\n"
        "return (w.T @ v)[0], k, v",
        "the softmax runs along an axis of length 1",
        "depend",
    ),
    (
        "attend_with_cache",
        f"{CACHE}e = np.exp(k @ query)[:, None]\n"
        "w = e / e.sum(axis=1, keepdims=True)\n"
        "return (w * v).sum(axis=0), k, v",
        "each number is divided by itself",
        "softmax runs",
    ),
    (
        "multi_head_attention",
        "q, k, v = (attention.split_heads(x @ w, num_heads)"
        " for w in (w_q, w_k, w_v))\n"
        "s = q @ k.swapaxes(1, 2) / np.sqrt(k.shape[-1])\n"
        "w = attention.softmax(s[..., None])[..., 0]\n"
        "c = (w @ v).swapaxes(0, 1).reshape(len(x), -1)\n"
        "return c @ w_o, w",
        "the softmax runs along an axis of length 1",
        "rounded",
    ),
    (
        "attend_in_blocks",
        f"{BY_QUERIES}    top = top + s.max(axis=1, keepdims=True)\n"
        "return top",
        "the queries are cut into blocks, not the keys",
        "lined up",
    ),
    (
        "attend_in_blocks",
        f"{BY_QUERIES}    out.append(attention.softmax(s) @ value)\n"
        "return np.vstack(out)",
        "right, but the queries are cut into blocks",
        "✓",
    ),
    (
        "grouped_attention",
        "q = query[: len(key)]\n"
        "return attention.scaled_dot_product_attention(q, key, value)[0]",
        "leaves out the queries of some heads",
        "shape is wrong",
    ),
    (
        "score_spread",
        "a, b = np.random.default_rng(0).standard_normal((2, 3000, d_k))\n"
        "return (a * b * scale).std(axis=0).sum()",
        "grows with d_k, not with its root",
        "variance",
    ),
    (
        "hide_future",
        "visible = np.tri(scores.shape[-1], dtype=bool)\n"
        "return np.where(visible, scores, -99.5)",
        "should be -inf",
        "nearly right",
    ),
    (
        "hide_future",
        "visible = np.tri(scores.shape[-1], dtype=bool)\n"
        "s = np.where(visible, scores, -np.inf)\n"
        "return s - s.max(axis=-1, keepdims=True)",
        "result[0, 0] is 0.000",
        "depend",
    ),
    (
        "normalized_entropy",
        "p = np.where(weights > 0, weights, 1)\n"
        "return -(weights * np.log(p)).sum(axis=0) / np.log(len(weights))",
        "the sums run over the queries",
        "transposed",
    ),
    (
        "mean_of_tokens",
        "longest = mask.sum(axis=1).max()\n"
        "return (hidden * mask[..., None]).sum(axis=1) / longest",
        "the length of the longest",
        "divides the sum by T",
    ),
    (
        "mean_of_tokens",
        "v = hidden * mask[..., None]\n"
        "return v.sum(axis=1) / np.maximum((v != 0).sum(axis=1), 1)",
        "With numbers that are 0",
        "✓",
    ),
    (
        "next_word_loss",
        f"{CHOSEN}return -np.log(p + 1e-9).mean()",
        "Yours is 20.72. A number added to a probability",
        "✓",
    ),
    (
        "next_word_loss",
        f"{CHOSEN}return -np.log(p).mean()",
        "not finite if a word is nearly impossible",
        "✓",
    ),
    (
        "block",
        "n = norm_2(norm_2(x))\nx = x + attend(n)\n"
        "return x + feed_forward(norm_2(x))",
        "result[0, 0] is",
        "half",
    ),
    ("center_rows", "return x.astype('float16')", "✗", "rounded"),
    (
        "project_and_score",
        "return (x * w_q) @ (x * w_k).T",
        "`*` multiplies number by number",
        "lined up",
    ),
    (
        "shift_toward",
        f"{SOFTMAX}return (context[position] - x[position]) @ landmark",
        "compares dot products, not cosines",
        "formula",
    ),
    (
        "hide_top",
        "s = scores.copy()\ns[np.argmax(s)] = -np.inf\n"
        "return attention.softmax(s)",
        "argmax searches the whole matrix",
        "loop",
    ),
    (
        "slope_by_hand",
        f"{NUDGE}array[place] += 0.001\n"
        "higher = model.loss_and_gradients(*batch)\narray[place] -= 0.001\n"
        "return (higher - loss) / 0.001",
        "`loss_and_gradients` returns two results",
        "_NoSlopes",
    ),
    (
        "slope_by_hand",
        f"{NUDGE}array += 0.001\n"
        "higher, _ = model.loss_and_gradients(*batch)\n"
        "array[place] -= 0.001\nreturn (higher - loss) / 0.001",
        "makes every number of the array larger",
        "index",
    ),
    (
        "slope_by_hand",
        f"{NUDGE}array[place] += 1\n"
        "higher, _ = model.loss_and_gradients(*batch)\n"
        "array[place] -= 1\nreturn higher - loss",
        "your nudge is not 0.001",
        "✓",
    ),
    (
        "two_layers",
        "x, _ = attention.multi_head_attention(x, *first, num_heads)\n"
        "return attention.multi_head_attention(x, *second, num_heads)[0]",
        "both sums are missing. Each layer adds its output",
        "formula",
    ),
    (
        "block",
        "return feed_forward(norm_2(attend(norm_1(x))))",
        "both sums are missing",
        "formula",
    ),
    (
        "split_heads",
        "d = projected.shape[1] / num_heads\n"
        "return projected.reshape(len(projected), num_heads, d)",
        "`//` gives an integer; `/` does not",
        "axis",
    ),
    ("depends_on", MOVED, "the largest change of each column", "not a word"),
    (
        "forward",
        HEADS.format("x") + "z = F.scaled_dot_product_attention(q, k, v)\n"
        "return self.output(z.transpose(1, 2))",
        "does not merge the heads",
        "two",
    ),
    (
        "forward",
        HEADS.format("x") + "z, w = F.scaled_dot_product_attention(q, k, v)\n"
        "return self.output(z.transpose(1, 2).flatten(2))",
        "returns one tensor, and it is taken apart",
        "two",
    ),
    (
        "forward",
        "return self.output(self.query(self.key(self.values(x))))",
        "has no attribute 'values'",
        "array of the notebook",
    ),
    (
        "block_forward",
        HEADS.format("self.norm1(x)")
        + "z = F.scaled_dot_product_attention(q, k, v)\n"
        "return x + self.output(z.transpose(1, 2).flatten(2))",
        "has no attribute 'norm1'",
        "two results",
    ),
    ("byte_pairs", KNOWN, "takes a position from a list without the", "shape"),
    ("byte_pairs", SWEEP, "goes through the word only once", "shape"),
    (
        "text_layers",
        LAYERS.format("Embedding(width, num_characters)", "*"),
        "a table has no row",
        "The shapes",
    ),
    (
        "text_layers",
        LAYERS.format("Linear(num_characters, width)", "*"),
        "gives IDs to a layer that multiplies",
        "The shapes",
    ),
    (
        "text_layers",
        LAYERS.format("Embedding(num_characters, width)", ""),
        "gives nn.Sequential all blocks in one piece",
        "The shapes",
    ),
    (
        "text_layers",
        "super().__init__()",
        "calls super() where there is no class",
        "The shapes",
    ),
    ("chat_text", f"return [f{TURNS}] + [{OPEN}]", "a list of texts", "arr"),
    (
        "chat_text",
        f"return ''.join(f{TURNS}) + {OPEN}".replace("\\n", "\\\\n"),
        "your text has a backslash and an n, not a line",
        "position",
    ),
    (
        "chat_text",
        f"return ''.join(f{TURNS}) + {OPEN}".replace("|", ""),
        "the bars of the marks are missing",
        "position",
    ),
    (
        "chat_text",
        f"return ''.join(f{TURNS.replace(' for', f' {OPEN} for')})",
        "opens the assistant's turn after",
        "position",
    ),
    ("chat_text", f"return ''.join({TURNS}) + {OPEN}", "in braces", "posit"),
    (
        "chat_text",
        f"return ''.join(f{TURNS.replace('{said', '{said.strip()')}) + {OPEN}",
        "strips the spaces from the ends of each",
        "position",
    ),
    (
        "text_forward",
        "x = self.characters(ids) + self.positions(ids.shape[1])\n"
        "return self.logits(self.norm(self.blocks(x)))",
        "gives self.positions one number, T, not",
        "index is used",
    ),
    (
        "text_forward",
        "x = torch.arange(ids.shape[1])\n"
        "x = torch.cat([self.characters(ids), self.positions(x)])\n"
        "return self.logits(self.norm(self.blocks(x)))",
        "puts the two vectors of a position",
        "single row",
    ),
    (
        "block_forward",
        HEADS.format("self.norm_1(x)")
        + "z = F.scaled_dot_product_attention(q, k, v, is_causal=True)\n"
        "x = self.output(z.transpose(1, 2).flatten(2))\n"
        "return self.feed_forward(self.norm_2(x))",
        "both sums are missing",
        "second place",
    ),
    (
        "train_by_hand",
        "for batch in batches:\n"
        "    loss = model.loss_and_gradients(*batch)\n"
        "    model.parameters['w'] -= learning_rate * loss['w']",
        "A function that returns two results returns a tuple",
        "fixed",
    ),
    *[
        ("train_by_hand", STEP.format(batch, step), phrase, "The shapes there")
        for batch, step, phrase in (
            ("*batch", "p[name] -= slopes", "name 'p' is not defined"),
            (
                "*batch",
                "model.parameters[name] -= learning_rate * slopes",
                "takes all slopes at once",
            ),
            (
                "*batch",
                "model.parameters -= learning_rate * slopes[name]",
                "lets the whole dictionary of parameters",
            ),
            (
                "*batch",
                "array -= learning_rate * slopes[name]",
                "uses a name before it means anything",
            ),
            (
                "*batch",
                "model.parameters['w_q'] -= slopes['w_q']",
                "uses a name that this model does not have",
            ),
            (
                "*batch",
                "model.parameters[name] -= learning_rate * slopes[name] / 64",
                "divides the step by the size of the batch",
            ),
            (
                "*batch",
                "model.parameters[name] *= 1 - learning_rate * slopes[name]",
                "multiplies the array by 1 minus the step",
            ),
            (
                "batch[0], batch[1]",
                "model.parameters[name] -= learning_rate * slopes[name]",
                "does not pass on all parts of the batch",
            ),
        )
    ],
    (
        "train_by_hand",
        STEP.format("*batch)[0", "pass").replace("[0)", "[0]"),
        "keeps only the loss, and two names wait for it",
        "The shapes",
    ),
    (
        "slope_by_hand",
        f"{NUDGED}return (higher - loss) * 0.001",
        "multiplies the rise by the nudge",
        "equal",
    ),
    (
        "slope_by_hand",
        f"{NUDGED}print((higher - loss) / 0.001)",
        "The task asks for `slope`: one number",
        "parameters",
    ),
    (
        "slope_by_hand",
        NUDGED.replace("*batch", "batch[0], batch[1]") + "return 0",
        "does not pass on all parts of the batch",
        "✓",
    ),
    *[
        (
            "fold_root",
            f"return {factor}, rate",
            f"{said}, and leaves the steps as they are",
            "✓",
        )
        for factor, said in (
            (
                "1 / np.sqrt(d_k)",
                "divides each matrix by the whole root of d_k",
            ),
            ("np.sqrt(np.sqrt(d_k))", "makes the scores larger, not smaller"),
            ("d_k ** (1 / 2)", "makes the scores larger, not smaller"),
        )
    ],
    (
        "softmax_with_temperature",
        "return attention.softmax(scores, temperature)",
        "gives the temperature to the softmax as its axis",
        "length",
    ),
    (
        "shift_toward",
        "context = attend(x)\n"
        "return embeddings.cosine(context[position], landmark)",
        "`self_attention` returns two results, and they are used as one",
        "IndexError",
    ),
    *[
        (
            "project_and_score",
            f"root = {root}\nreturn (x @ w_q) @ (x @ w_k).T / root",
            "uses a fixed number instead of the root",
            "factor",
        )
        for root in ("4", "np.sqrt(64)", "7.5")
    ],
    (
        "self_attention",
        "weights = softmax(x @ x.T)\nreturn weights @ x, weights",
        "Do you mean `attention.softmax`?",
        "spelled",
    ),
    (
        "project_and_score",
        "return (x @ w_q) @ (x @ w_k).T / sqrt(w_q.shape[-1])",
        "Do you mean `np.sqrt`?",
        "spelled",
    ),
    (
        "hide_words",
        "return np.where(is_word, scores, -inf)",
        "Do you mean `np.inf`?",
        "spelled",
    ),
    (
        "split_heads",
        "return projected.reshape(T, H, d).swapaxes(0, 1)",
        "`T` is a letter of the text",
        "spelled",
    ),
    (
        "two_layers",
        "return x + np.ones((x.shape[2], 1))",
        "`shape` has one length for each axis",
        "two results",
    ),
    (
        "softmax_over_keys",
        "highest = np.linalg.norm(scores, axis=1, keepdims=True)\n"
        "e = np.exp(scores - highest)\n"
        "return e / e.sum(axis=1, keepdims=True)",
        "subtracts the norm of a row, not its highest",
        "drops the sign",
    ),
    (
        "score_spread",
        f"{ONE_PAIR}return q @ k * q[0] * scale",
        "repeated results are too far apart. Repeated results should scatter",
        "Does the function use random numbers",
    ),
    *[
        ("add_positions", ANGLES.format(angle), phrase, never)
        for angle, phrase, never in (
            (
                "powers / t",
                "divides the divisors by the positions",
                "one part",
            ),
            ("x / powers", "computes the angles from x, not from", "lined"),
            (
                "t / 1e4 ** (np.arange(d) / d)",
                "uses i to count columns, not pairs",
                "lined up",
            ),
        )
    ],
    (
        "two_layers",
        "for each in (first, second):\n"
        "    x = x + attention.multi_head_attention(x, *each, num_heads)[1]\n"
        "return x",
        "the weights are added to x, not the output",
        "lined up",
    ),
    *[
        ("attend_to_others", f"{lines}\nreturn scores", "5 is a fixed", "Does")
        for lines in (
            "scores = np.where(np.eye(5, dtype=bool), -np.inf, scores)",
            "for i in range(5):\n    scores[i, i] = -np.inf",
        )
    ],
    (
        "self_attention",
        "weights = np.round(attention.softmax(x @ x.T), 2)\n"
        "return np.round(weights @ x, 2), weights",
        "Round only what you print,",
        "all digits. Round",
    ),
    (
        "rms_norm",
        "return gain * x / np.linalg.norm(x, axis=-1, keepdims=True)",
        "sums up the squares instead of",
        "factor",
    ),
    (
        "rotate",
        "half = x.shape[-1] // 2\n"
        "w = positions[:, None] * base ** (-np.arange(half) / half)\n"
        "a, b = x[..., :half] * np.cos(w), x[..., half:] * np.sin(w)\n"
        "return np.concatenate([a, b], axis=-1)",
        "only multiplies each half, the first by",
        "not right yet",
    ),
    (
        "rotate",
        "half = x.shape[-1] // 2\n"
        "a, b = x[..., :half], x[..., half:]\n"
        "w = a * base ** (-np.arange(half) / half)\n"
        "one = a * np.cos(w) - b * np.sin(w)\n"
        "two = b * np.cos(w) + a * np.sin(w)\n"
        "return np.concatenate([one, two], axis=-1)",
        "computes the angles from x, not from the positions",
        "not right yet",
    ),
    (
        "shift_toward",  # of a long sentence, some words are left out
        "z = attention.softmax(x[position] @ x[:5].T) @ x[:5]\n"
        "return embeddings.cosine(z, landmark)"
        " - embeddings.cosine(x[position], landmark)",
        "With 12 words of width 3",
        "correct",
    ),
    (
        "swiglu",
        "return (x / (1 + np.exp(-x)) * (x @ w_up)) @ w_down",
        "applies silu to x, not to x @ w_gate",
        "formula",
    ),
    (
        "score_spread",  # nothing in the code could divide by the root
        "q, k = np.random.default_rng(0).standard_normal((2, 4000, d_k))\n"
        "return (scale * q * k).std()",
        "does not add up the products",
        "by the root",
    ),
    (
        "passages",
        "cut = [ids[s : s + context + 1] for s in starts.tolist()]\n"
        "return [(each[:-1], each[1:]) for each in cut]",
        "asks for `inputs` and `targets`",
        "not right yet",
    ),
    (
        "rms_norm",  # what has another epsilon is not called right
        "mean_square = np.mean(x**2, axis=-1, keepdims=True)\n"
        "return gain * x / (mean_square + 1e-6)",
        "keepdims=True)` is right",
        "1e-06",
    ),
    (
        "depends_on",  # random numbers are what its task asks for
        "before, table = layer(x), np.zeros((len(x), len(x)))\n"
        "for j in range(len(x)):\n"
        "    changed = x.copy()\n"
        "    changed[j] = np.random.normal(size=x.shape[1])\n"
        "    table[:, j] = np.abs(layer(changed) - before).max(axis=1)\n"
        "return table",
        "returns numbers, but the task asks for True or False",
        "second time",
    ),
    (
        "mean_of_tokens",
        "return (hidden * mask[..., None])[:, 0]",
        "uses only the first row",
        "padding comes last",
    ),
)


def said_truly(told, name, lines, phrase, never):
    """Assert that a phrase is said about an answer, and another is not."""
    text = told(checks.EXERCISES[name], answered(name, lines))
    assert phrase in text and never not in text, text
    assert len(text.split()) <= verdict.WORDS


@pytest.mark.parametrize("name, lines, phrase, never", TOLD)
def test_only_what_is_true_is_said(name, lines, phrase, never, told):
    said_truly(told, name, lines, phrase, never)


def test_code_that_is_not_known_is_not_said_to_have_anything(told):
    text = told(checks.fold_root, eval("lambda d, rate: (1 / d, rate / d)"))
    assert "uses d_k without a root" in text and "//" not in text


def test_what_the_given_code_prints_is_not_mentioned(told):
    lines = "print(epochs)\nreturn [0] * epochs"
    text = told(checks.train_by_hand, answered("train_by_hand", lines))
    assert "code prints" not in text


def test_numbers_are_shown_as_they_came(told):
    lines = "return scale * 4.2 * np.sqrt(d_k)"
    text = told(checks.score_spread, answered("score_spread", lines))
    assert "result is 42.000, but it should be 10.000" in text
    lines = "return scale * (1.04 * d_k * (d_k != 64) + 3)"
    text = told(checks.score_spread, answered("score_spread", lines))
    assert "result is 107.000, but it should be 10.000" in text


def test_a_check_without_a_function(capsys):
    checks.center_rows()
    said = capsys.readouterr().out
    assert said.startswith("✗ center_rows: the check needs your function")
    assert "checks.center_rows(your_function)" in said
