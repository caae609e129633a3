"""Public functions refuse what makes no sense, and name the argument."""

import re

import numpy as np
import pytest
import torch

from helpers import layers, tasks
from helpers.attention import (
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from helpers.blockwise import blockwise_attention, blockwise_attention_backward
from helpers.experiments.baselines import untrained_attention
from helpers.experiments.evaluation import evaluate
from helpers.experiments.measures import auc, error_bound, rough_count
from helpers.experiments.published import cache_bytes
from helpers.experiments.runs import run
from helpers.experiments.scale_measures import normalized_entropy, score_spread
from helpers.experiments.scoreboard import Scoreboard
from helpers.experiments.scoring_functions import ScoringClassifier
from helpers.experiments.stored import language_runs, shared_head_runs
from helpers.experiments.two_memories import Machine, in_blocks, whole_matrix
from helpers.generation import (
    KeyValueCache,
    generate,
    next_word_probabilities,
    write_text,
)
from helpers.gradients import (
    finite_differences,
    multi_head_attention_backward,
    softmax_backward,
)
from helpers.gradients import (
    scaled_dot_product_attention_backward as attention_grads,
)
from helpers.layers import (
    feed_forward,
    feed_forward_backward,
    gelu,
    layer_norm,
    layer_norm_backward,
    sinusoidal_positions,
)
from helpers.models import (
    AttentionClassifier,
    GroupedClassifier,
    LanguageBatches,
    LanguageModel,
    LinearProbe,
    block_parameters,
    load_encoder,
    transformer_block,
    transformer_block_backward,
)
from helpers.models.encoder import encoder_block
from helpers.tasks import agreement
from helpers.torch_bridge import distance_race
from helpers.torch_bridge.convert import (
    to_encoder_layer,
    to_multihead_attention,
)
from helpers.torch_bridge.length_generalization import order_data
from helpers.torch_bridge.normalizers import NormalizerNetwork, race_normalizer
from helpers.torch_bridge.positional_network import PositionalNetwork
from helpers.torch_bridge.ring import ring_attention
from helpers.torch_bridge.stored import induction_runs, position_runs
from helpers.training import (
    SGD,
    Adam,
    Batches,
    cross_entropy,
    fit,
    loss_and_gradient,
    predict,
)

NAN, INF = np.nan, np.inf
WORDS = (".", "the", "fox")
X = np.random.default_rng(0).normal(size=(2, 3, 4))
THERE = np.array([[True, True, True], [True, True, False]])
MODEL = LanguageModel(WORDS, np.eye(3, 4), num_heads=2, hidden=4, max_length=4)
CLASSIFIER = AttentionClassifier(4, 2, 2, heads=2)
TOKENS = np.array([[0, 1, 2], [0, 1, -1]])
SMALL, TASK = AttentionClassifier(), tasks.load("which_noun", 1)
LEXICON, RNG = tasks.load_lexicon(), np.random.default_rng(0)
BLOCK = block_parameters(4, 4)
FEED = dict(w_1=np.ones((4, 5)), b_1=np.ones(5), w_2=np.ones((5, 4)))
NO_BIAS = {n: BLOCK[n] for n in BLOCK if n != "b_q"}
SIZES = ["tokens", "layers", "kv_heads", "d_head", "bytes_each"]
ARRAYS = {n: BLOCK[n] for n in BLOCK if n[:2] in ("w_", "b_")}
ATTENTION = {n: BLOCK[n] for n in ARRAYS if n[2] in "qkvo"}
BATCH = dict(
    x=X, position=[2, 1], mask=THERE, labels=np.zeros((2, 1), dtype=int)
)


class Hostile:
    def __array__(self, dtype=None, copy=None):
        raise KeyError("no array for you")


def ones(*shape, dtype=float, first=1):
    """An array of ones, with another number at its first entry."""
    array = np.ones(shape, dtype)
    if first != 1:
        array.flat[0] = first
    return array


def attend(**changes):
    """Valid arguments with T_q 3, T_k 5, d_k 4, d_v 6, some replaced."""
    return scaled_dot_product_attention(**qkv(**changes))


def heads(**changes):
    """Valid arguments with T 3, d_model 4, 2 heads, some replaced."""
    given = {"x": ones(3, 4), "num_heads": 2}
    given |= {f"w_{name}": ones(4, 4) for name in "qkvo"}
    return multi_head_attention(**given | changes)


def cached_logits(tokens):
    cache = KeyValueCache(MODEL)
    MODEL.logits([0, 1], cache=cache)
    return MODEL.logits(tokens, cache=cache)


def layer_with(**arrays):
    return to_multihead_attention(2, ARRAYS | arrays)


def block_with(**arrays):
    return transformer_block(X, BLOCK | arrays, 2)


def read(**arguments):
    return load_encoder().read(**{"texts": "a fox"} | arguments)


def embed(ids):
    return load_encoder().embed(ids)


def draw(**arguments):
    given = dict(cue="late", phrases=4) | arguments
    return tasks.noun_phrases(LEXICON, 2, RNG, **given)


def write(**changes):
    given = {"model": MODEL, "prompt": "the", "max_words": 2}
    return generate(**given | changes)


def qkv(**changes):
    """The arguments of `attend`, for other ways to attend."""
    return dict(query=ones(3, 4), key=ones(5, 4), value=ones(5, 6)) | changes


def blocks_backward(**changes):
    arrays = dict(zip(("query", "key", "value"), (X, X, X), strict=True))
    context, log_sums = blockwise_attention(**arrays)
    given = arrays | dict(context=context, log_sums=log_sums)
    return blockwise_attention_backward(
        **{"grad_context": X} | given | changes
    )


NO_FLAG = ("no", 0, None)
NO_COUNT = (0, -3, 1.5, True, "3", None)
NO_SEED = ("x", -1, 0.5, None)
NO_GENERATOR = (0, None, "x")  # a seed: what a learner would try
NO_NUMBER = (NAN, INF, "x", None, True)
NO_CLASSES = ((), b"ab", "ab", 2, (0,), (1.5,), None)
NO_TOKENS = ([0.0, 1.0], [[0, 9]], [[-2, 1]], "fox", None)
BOOL, ROWS = ones(3, 5, dtype=bool), ones(2, 3)
NO_ARRAY = (  # not numbers, or not a whole table of them
    None, "fox", *(ones(3, 4, dtype=t) for t in (object, complex, bool)),
    np.ma.ones((3, 4)), [[10**30]], [[1.0, 2.0], [3.0]], Hostile(),
    torch.ones(3, 4, requires_grad=True), 1.0,
)  # fmt: skip
NOT_FINITE = ones(3, 4, first=NAN), ones(3, 4, first=INF)
NO_MATRIX = *NO_ARRAY, *NOT_FINITE, ones(4), []
NO_HEADS = (3, 8, 0, -2, 10**30, 2.0, True, "2", None, [2])
NO_MASK = (
    ones(3, 5, dtype=int), [[1, 0, 1, 0, 1]] * 3, "causal",
    np.ma.ones((3, 5)), [[True], [True, False]], ones(3, 4, dtype=bool),
    ones(3, dtype=bool), ones(2, 3, 5), ones(0, 5), ones(3, 5, first=NAN),
    ones(3, 5, first=INF),
)  # fmt: skip
# function, arguments that work, {argument: what is refused}
TABLE = [
    (softmax, dict(scores=ROWS), dict(
        scores=(*NO_ARRAY, *NOT_FINITE, [NAN, -INF]),
        axis=(2, None, 1.0, True, (0, 1)))),
    (softmax, dict(scores=ones(2, 1)), dict(axis=(2, -3))),
    (attend, {}, dict(
        query=(*NO_MATRIX, ones(3, 5)),
        key=(*NO_MATRIX, ones(6, 4), ones(0, 4)), value=NO_MATRIX,
        mask=NO_MASK, is_causal=(1, BOOL),
        scale=(NAN, -INF, 10**400, "0.5", True, [0.5], [[1], [1, 2]]))),
    (heads, {}, dict(
        x=(*NO_MATRIX, ones(3, 5)), w_q=(*NO_MATRIX, ones(4, 6)),
        w_k=NO_MATRIX, w_v=(*NO_MATRIX, ones(5, 4), ones(4, 4, 4)),
        w_o=(*NO_MATRIX, ones(5, 4)), num_heads=NO_HEADS, is_causal=(1,),
        b_q=(ones(3), 0.0), b_v=(ones(3, 4),),
        b_o=(ones(4, first=NAN), True),
        mask=(ones(3, 3, 3, 3), ones(4, dtype=bool), ones(3, 3, dtype=int)))),
    (split_heads, dict(x=X, num_heads=2), dict(
        x=NO_MATRIX, num_heads=NO_HEADS)),
    (merge_heads, dict(x=X), dict(x=(*NO_MATRIX, ROWS))),
    (fit, dict(model=CLASSIFIER, batches=[BATCH.values()], show=False), dict(
        model=(None, 3), batches=(3, None, []), epochs=(-3, 1.5, "2", None),
        learning_rate=(*NO_NUMBER, -1), linear_decay=NO_FLAG, show=NO_FLAG,
        optimizer=(None, 3), after_epoch=(3, "x"))),
    (SGD, dict(parameters=BLOCK, learning_rate=0.1), dict(
        parameters=(None, [], {}), learning_rate=NO_NUMBER)),
    (Adam, dict(parameters=BLOCK, learning_rate=0.1), dict(
        learning_rate=NO_NUMBER, beta1=("x", 1, -0.1, NAN), beta2=(2, None),
        epsilon=(0, -1, NAN))),
    (SGD(BLOCK, 0.1).step, dict(gradients={"b_q": np.zeros(4)}), dict(
        gradients=(None, {"b_q": np.ones(1)}, {"w": np.ones(4)}))),
    (Adam(BLOCK, 0.1).step, dict(gradients={"b_q": np.zeros(4)}), dict(
        gradients=(None, {"b_q": np.ones(1)}, {"w": np.ones(4)}))),
    (cross_entropy, dict(logits=X[0], labels=[0, 1, 2]), dict(
        logits=(X, NAN, None, np.full((3, 4), INF), X[0, :0]),
        labels=([0, 1, 4], [0, 1], [0.0, 1.0, 2.0], None))),
    (predict, dict(logits=np.eye(2), classes=(2,)), dict(
        logits=(np.eye(3), None), classes=NO_CLASSES)),
    (loss_and_gradient,
     dict(logits=np.eye(2), labels=[[0], [1]], classes=(2,)), dict(
        logits=(np.eye(3), None), classes=NO_CLASSES,
        labels=([0, 1], [[0], [2]], [[0.0], [1.0]], None))),
    (Batches, dict(examples=TASK.train, seed=0), dict(
        examples=(None, 3), seed=NO_SEED, batch_size=NO_COUNT,
        noise_std=(*NO_NUMBER, -1))),
    (AttentionClassifier, {}, dict(
        classes=NO_CLASSES, d_model=NO_COUNT, layers=NO_COUNT, heads=NO_COUNT,
        hidden=(-1, 0.5, None), scale=(NAN, "x"), gain=NO_NUMBER,
        output=NO_FLAG, residual=NO_FLAG, seed=NO_SEED,
        scoring=("no", None, []), values=("no", 3))),
    (CLASSIFIER.loss_and_gradients, BATCH, dict(
        x=(X[0], X[..., :3], None),
        position=([-1, 0], [0.0, 1.0], [3, 0], [0], 0, None),
        mask=(THERE[0], THERE * 1, None), labels=([0, 1], [[0], [5]]))),
    (CLASSIFIER.forward, dict(x=X, position=[2, 1], mask=THERE), dict(
        head_mask=([1], [[1, 1]] * 2, [1, NAN], "x"))),
    (CLASSIFIER.project, dict(x=X), dict(x=(X[..., :3], None, "x"))),
    (transformer_block, dict(x=X, parameters=BLOCK, num_heads=2), dict(
        x=(X * NAN,), is_causal=NO_FLAG, num_heads=(3, "x", 0),
        parameters=(3, None, BLOCK | {"w_x": X}, NO_BIAS))),
    (block_with, {}, dict.fromkeys(("w_q", "w_2", "b_1"), (X[0],))),
    (transformer_block_backward,
     dict(grad_output=X, x=X, parameters=BLOCK, num_heads=2), dict(
        grad_output=(X[:1], X * NAN, None))),
    (to_encoder_layer, dict(num_heads=2, parameters=BLOCK), dict(
        parameters=(NO_BIAS, ARRAYS, {}, None), num_heads=(3, 0, "x"))),
    (block_parameters, dict(d_model=4, hidden=4), dict(
        d_model=NO_COUNT, hidden=NO_COUNT, attention=NO_FLAG,
        feed_forward=NO_FLAG, seed=NO_SEED)),
    (LanguageModel, dict(vocabulary=WORDS, vectors=np.eye(3, 4)), dict(
        attention=NO_FLAG, feed_forward=NO_FLAG, norm=NO_FLAG,
        is_causal=NO_FLAG, seed=NO_SEED, layers=NO_COUNT, hidden=NO_COUNT,
        max_length=NO_COUNT, vocabulary=(None, 3, ("the", "the", "fox")),
        num_heads=(*NO_COUNT, 3), vectors=(np.eye(2, 4), None))),
    (MODEL.logits, dict(tokens=[0, 1]), dict(
        tokens=(*NO_TOKENS, [], 0, [0] * 5), cache=("x", 3))),
    (cached_logits, dict(tokens=[2]), dict(
        tokens=([[1], [2]], [1, 2, 1], *NO_TOKENS))),
    (MODEL.loss, dict(tokens=TOKENS), dict(tokens=(
        *NO_TOKENS, [0, 1], [[0]], [[0, -1]], [[-1, 0]], [[0, -1, 1]],
        [[0] * 6], np.zeros((0, 3), int)))),
    (MODEL.ids, dict(words=["fox"]), dict(words=(None, 3, ["cat"], [[]]))),
    (LanguageBatches, dict(tokens=TOKENS, d_model=4, seed=0), dict(
        tokens=(None, [0, 1], [[0.5]]), d_model=NO_COUNT, seed=NO_SEED,
        batch_size=NO_COUNT, noise_std=(*NO_NUMBER, -1))),
    (GroupedClassifier, dict(heads=4, output=True, key_value_heads=2), dict(
        key_value_heads=(3, 2.0, *NO_COUNT))),
    (LinearProbe, {}, dict(ridge=(0, -1, *NO_NUMBER))),
    (LinearProbe().fit, dict(features=np.eye(3, 2), labels=[0, 1, 0]), dict(
        features=(np.ones(3), X, np.full((3, 2), NAN), None),
        labels=([0, 1], [-1, 0, 1], [0.5, 1.5, 0.5], None))),
    (LinearProbe().fit(np.eye(3, 2), [0, 1, 0]).predict,
     dict(features=np.eye(2)), dict(features=(np.ones((3, 3)), None))),
    (generate, dict(model=MODEL, prompt="the", max_words=2), dict(
        model=(None, 3), prompt=(None, 3, "", "cat", [3]), use_cache=NO_FLAG,
        stop=(7, "cat"), max_words=NO_COUNT, seed=NO_SEED, top_k=(0, 9, 1.5),
        temperature=(0, -1, *NO_NUMBER))),
    (write_text, dict(model=MODEL, prompt=".", length=2), dict(
        prompt=("", 3, None), length=NO_COUNT, seed=NO_SEED,
        temperature=(0, -1, *NO_NUMBER), top_p=(0, 1.5, *NO_NUMBER))),
    (Machine, {}, dict(bytes_each=(0, -1, 2.5, None))),
    (KeyValueCache, dict(model=MODEL), dict(model=(None, 3))),
    (sinusoidal_positions, dict(length=3, d_model=4), dict(
        length=NO_COUNT, d_model=(3, *NO_COUNT), base=(0, *NO_NUMBER))),
    (layer_norm, dict(x=X, gain=np.ones(4), bias=np.ones(4)), dict(
        x=(X * NAN, None), gain=(np.ones(3),), bias=(np.ones((1, 4)),),
        eps=(0, -1, *NO_NUMBER))),
    (layer_norm_backward, dict(grad_output=X, x=X, gain=np.ones(4)), dict(
        grad_output=(X[0], None), x=(X * NAN,), gain=(np.ones(3),))),
    (feed_forward, dict(x=X, **FEED, b_2=np.ones(4)), dict(
        x=(np.full(4, INF),), w_1=(np.ones((3, 5)), None), b_1=(np.ones(4),),
        w_2=(np.ones((4, 4)),), b_2=(np.ones(5),))),
    (feed_forward_backward, dict(grad_output=X, x=X, **FEED), dict(
        grad_output=(X[:1], X * NAN), w_2=(np.ones((4, 4)),))),
    (layers.embed, dict(tokens=[0, 1], table=np.eye(2)), dict(
        tokens=([2], [-1], [0.0], None), table=([1.0], None))),
    (cache_bytes, dict(zip(SIZES, [3] * 5, strict=True)), dict.fromkeys(
        SIZES, NO_COUNT)),
    (finite_differences, dict(function=np.sum, x=X[0]), dict(
        function=(None, 3), x=(None, "x", [NAN]), step=(0, -1, *NO_NUMBER))),
    (softmax_backward, dict(grad_weights=X, weights=X), dict(
        grad_weights=(X[0], None), weights=(X * NAN, None),
        axis=(3, None, 1.0))),
    (attention_grads, dict(grad_context=X, query=X, key=X, value=X), dict(
        grad_context=(X[0], X[None], X * NAN, "one"), key=(X[..., :3], None),
        mask=(np.ones((3, 3), int), X), scale=("half", NAN),
        is_causal=NO_FLAG)),
    (multi_head_attention_backward,
     dict(grad_output=X, x=X, num_heads=2, **ATTENTION), dict(
        grad_output=(X[:1], X * NAN, None), num_heads=(3, 0, None),
        w_q=(np.eye(3), None), b_o=(np.ones(3),))),
    (blocks_backward, {}, dict(
        log_sums=(np.full((2, 3), NAN), np.full((2, 3), INF), X),
        grad_context=(X[0], X * NAN), context=(X[0], X * NAN),
        query=(X * NAN, X * 1e307, X[..., :3]), value=(X[:, :2],),
        scale=(1e30, NAN), is_causal=NO_FLAG, blocks=(3, (0, 1), "ab"))),
    (tasks.which_noun, dict(lexicon=LEXICON, count=2, rng=RNG), dict(
        lexicon=(None, 3), count=NO_COUNT, rng=NO_GENERATOR,
        balanced=NO_FLAG)),
    (tasks.two_hop, dict(lexicon=LEXICON, count=2, rng=RNG), dict(
        lexicon=(None, 3), count=NO_COUNT, rng=NO_GENERATOR)),
    (draw, {}, dict(
        cue=("no", None), phrases=(2, *NO_COUNT), balanced=NO_FLAG,
        between=(-1, 4, 1.5, "x"))),
    (lambda between=None: draw(cue="early", between=between), {}, dict(
        between=("x", 1))),
    (tasks.repeated_texts, dict(num_words=30, count=2, rng=RNG), dict(
        num_words=(3, "x"), count=NO_COUNT, rng=NO_GENERATOR,
        fixed_gap=NO_FLAG)),
    (tasks.load, dict(name="which_noun", seed=1), dict(
        name=("no", None, []), seed=NO_SEED, reserved=NO_FLAG,
        other_noun=NO_FLAG, held_out=(-1, 1, "x"), hold_out_verbs=NO_FLAG)),
    (tasks.labeled_nouns, dict(lexicon=LEXICON), dict(lexicon=(None, 3))),
    (LEXICON.without, dict(singulars=["cat"]), dict(
        singulars=(None, 3, "cat", ["cats"]))),
    (agreement.token_array, dict(sentences=[["the"]], vocabulary=WORDS), dict(
        sentences=(None, 3, [], ["the"], [["cat"]]), vocabulary=(None, 3))),
    (agreement.third_person, dict(verb="swim"), dict(verb=(None, b"swim"))),
    (evaluate, dict(model=SMALL, examples=TASK.test), dict(
        model=(None, 3), examples=(None, 3))),
    (untrained_attention, dict(x=X, position=[0, 1], mask=THERE), dict(
        x=(X[0], None), position=([3, 0], [0.5, 0], 0), mask=(None, X[0]),
        sees_itself=NO_FLAG)),
    (tasks.relations, dict(count=2, seed=0), dict(
        count=NO_COUNT, seed=NO_SEED)),
    (tasks.rewordings, dict(count=2, seed=0), dict(
        count=NO_COUNT, seed=NO_SEED)),
    (embed, dict(ids=[101, 102]), dict(
        ids=([-5], [40_000], [1.0], [101] * 513, 3, None))),
    (read, {}, dict(
        texts=(3, None, [], [3], "", ["a cat", 3]), attend=(3,),
        hide=(9, -1, 1.5, "x", [True]), head_mask=(3, [1] * 12, "x"))),
    (encoder_block, dict(x=np.ones((3, 384)),
                         parameters=load_encoder().blocks[0]), dict(
        parameters=(None, 3), head_mask=([1], "x"))),
    (to_multihead_attention, dict(num_heads=2, arrays=ARRAYS), dict(
        num_heads=(3, 0, "x"), arrays=(None, {}, {"w_q": np.eye(4)}))),
    (layer_with, {}, dict(b_k=(np.zeros(5),), w_o=(X[0],))),
    (score_spread, dict(d_k=4), dict(
        d_k=NO_COUNT, scale=NO_NUMBER, pairs=NO_COUNT, seed=("x", -1))),
    (rough_count, dict(count=3), dict(count=(-1, NAN, "x", None))),
    (normalized_entropy, dict(weights=[[0.5, 0.5]]), dict(
        weights=([[1.0]], [[NAN, 1]], None))),
    (auc, dict(right=[1.0], wrong=[0.0]), dict(
        right=([], [NAN], "x"), wrong=([], [INF], None))),
    (Scoreboard, dict(task="Who?", chance=0.5), dict(
        chance=(1.5, -1, NAN, "x"))),
    (Scoreboard("Who?", 0.5).add,
     dict(model="one", accuracy=[0.5]), dict(
        model=("m" * 36,), accuracy=([1.2], [], [[0.5]], [NAN], None),
        mass=([0.1, 0.2], [-0.1], "x"), num_parameters=(-1, None, 0.5))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("function", "works", "refused"),
    TABLE,
    ids=[getattr(row[0], "__qualname__", "?") for row in TABLE],
)
def test_what_makes_no_sense_is_refused_by_name(function, works, refused):
    function(**works)  # so that only the bad argument is refused
    for name, values in refused.items():
        for value in values:
            with pytest.raises((TypeError, ValueError)) as caught:
                function(**works | {name: value})
            said = str(caught.value)
            assert name.removeprefix("num_") in said, (name, value, said)


# what only several arguments together show, or one with the others' shapes:
# function, what is wrong, its name, what the message shows
TOGETHER = [
    (softmax, dict(scores=ones(2, 0)), "axis", "(2, 0)"),
    (softmax, dict(scores=ones(0, 3), axis=0), "axis", "(0, 3)"),
    (softmax, dict(scores=ROWS, axis=2), "axis", "(2, 3)"),
    (softmax, dict(scores=ROWS, axis=(0, 1)), "axis", "(2,)"),
    (attend, dict(query=ones(3, 5)), "query and key", "(3, 5) (5, 4)"),
    (attend, dict(key=ones(6, 4)), "key and value", "(6, 4) (5, 6)"),
    (attend, dict(key=ones(0, 4)), "key and value", "(0, 4) (5, 6)"),
    (attend, dict(query=ones(3, 0), key=ones(5, 0)), "d_k", "(3, 0) (5, 0)"),
    (attend, dict(query=ones(2, 3, 4), key=ones(3, 5, 4)),
     "query, key and value", "(2, 3, 4) (3, 5, 4) (5, 6)"),
    (attend, dict(key=ones(2, 1, 5, 4), value=ones(3, 4, 5, 6)),
     "query, key and value", "(2, 1, 5, 4) (3, 4, 5, 6)"),
    # torch would answer with a batch nobody asked for
    (attend, dict(query=ones(1, 3, 4), mask=[BOOL] * 7), "mask", "(7, 3, 5)"),
    (attend, dict(mask=ones(3, 4, dtype=bool)), "mask", "(3, 4) (3, 5)"),
    (attend, dict(mask=ones(2, 3, 5)), "mask", "(2, 3, 5) (3, 5)"),
    # where causal hides it
    (attend, dict(mask=np.roll(ones(3, 5, first=NAN), 4), is_causal=True),
     "mask", "NaN"),
    (attend, dict(mask=np.roll(ones(3, 5, first=INF), 4), is_causal=True),
     "mask", "infinity"),
    (attend, dict(scale=10**400), "scale", "inf"),
    (attend, dict(scale=1e308 * np.ones(())), "scale", "(3, 4)"),
    (heads, dict(x=ones(3, 5)), "w_q", "(3, 5) (4, 4)"),
    (heads, dict(w_q=ones(5, 4), w_k=ones(5, 4)), "w_q", "(3, 4) (5, 4)"),
    (heads, dict(w_q=ones(4, 6)), "w_q and w_k", "(4, 6) (4, 4)"),
    (heads, dict(w_v=ones(5, 4)), "w_v", "(3, 4) (5, 4)"),
    (heads, dict(w_o=ones(5, 4)), "w_o", "(4, 4) (5, 4)"),
    (heads, dict(w_v=ones(4, 3), w_o=ones(3, 4)), "w_v", "(4, 3)"),
    (heads, dict(w_q=ones(4, 3), w_k=ones(4, 3)), "w_q", "(4, 3)"),
    (heads, dict(b_q=ones(3)), "b_q", "(3,) (4,)"),
    (heads, dict(b_v=ones(3, 4)), "b_v", "(3, 4) (4,)"),
    (heads, dict(x=1e300 * ones(3, 4), w_q=1e300 * ones(4, 4)), "query", ""),
    (heads, dict(w_o=1e308 * ones(4, 4)), "output", "(3, 4)"),
    (heads, dict(mask=ones(4, dtype=bool)), "mask", "(2, 3, 3)"),
    (read, dict(texts=["a cat", " "]), "texts[1]", "is empty"),
    (read, dict(texts="a cat \U0001f600"), "texts", "unknown"),
    (read, dict(texts="word " * 511), "texts: 513 tokens", "512 positions"),
    (read, dict(hide=7), "hide: expected numbers from 0 to 3", "got 7"),
    (read, dict(hide=[True]), "hide", "(1, 4)"),
    (read, dict(head_mask=ones(12, 6)), "head_mask", "(12, 6)"),
    (write, dict(prompt="the cat runs"), "prompt", "['cat', 'runs']"),
    (write, dict(prompt="the " * 20), "prompt: 20 words", "positions for 3"),
    (write, dict(max_words=20), "max_words: 20", "for 3"),
    (write, dict(temperature=0), "temperature", "top_k=1"),
    (AttentionClassifier, dict(scoring="hard"), "scoring", "'hard'"),
    (AttentionClassifier, dict(values="identity", heads=2), "identity",
     "heads=1"),
    (AttentionClassifier, dict(values="keys", scoring="uniform"), "keys",
     "uniform"),
    (AttentionClassifier, dict(residual=True), "residual", "needs output"),
    (AttentionClassifier, dict(layers=2), "layers=2", "needs output"),
    (AttentionClassifier(scoring="uniform").project, dict(x=ones(2, 64)),
     "uniform", "no query"),
    *[(way, arguments, *said) for way in (whole_matrix, in_blocks)
      for arguments, *said in (
        (qkv(query=ones(1, 3, 4)), "query", "(1, 3, 4)"),
        (qkv(key=ones(0, 4), value=ones(0, 6)), "key", "(0, 4)"),
        (qkv(rows=0), "blocks", "0"),
        (qkv(key=ones(5, 2)), "key", "(5, 2)"))],
    (ring_attention, qkv(processes=5), "query", "(3, 4)"),
    (ring_attention, qkv(processes=3), "key", "(5, 4)"),
    (ring_attention, qkv(query=ones(1, 3, 4), processes=2), "query",
     "(1, 3, 4)"),
    (ring_attention, qkv(processes=0), "processes", "0"),
    (ring_attention, qkv(key=ones(5, 2), processes=1), "key", "(5, 2)"),
    (ring_attention, qkv(processes=1, timeout=0), "timeout", "0"),
    (error_bound, {}, "gaps", "nothing"),
    (lambda gap: error_bound(gap), dict(gap=NAN), "gaps", ""),
    (ScoringClassifier, dict(kind="cosine", d_k=6, seed=0), "kind",
     "'cosine'"),
    (language_runs.train, dict(kind="three layers", seed=0), "kind",
     "'three layers'"),
    (run, dict(name="distance_late"), "name: expected one of", "two_hop"),
    (PositionalNetwork, dict(code="alibi"), "code", "'alibi'"),
    (PositionalNetwork("none"), dict(x=torch.ones(1, 129, 64)), "128 words",
     "(1, 129, 64)"),
    (PositionalNetwork("none"), dict(x=torch.ones(1, 4, 64), back=[2, 1, 0]),
     "back: 4 words", "(3,)"),
    (order_data, dict(question="second", seed=0), "question", "'second'"),
    (position_runs.train_network, dict(name="1 head", seed=0), "name",
     "'1 head'"),
    (induction_runs.train_network, dict(name="1 head", seed=0), "name",
     "'1 head'"),
    (NormalizerNetwork, dict(kind="cosine"), "kind", "'cosine'"),
    (NormalizerNetwork("softmax"), dict(
        x=torch.ones(1, 3, 64), position=torch.tensor([1]),
        mask=torch.tensor([[True, True, False]])), "mask", ""),
    (race_normalizer, dict(kind="relu / sum", steps=600, seed=1000),
     "learning_rate", "needed unless"),
    (distance_race.race, dict(cue="never", network="GRU", steps=3, seed=0),
     "learning_rate", "'never'"),
    (shared_head_runs.train_shared, dict(name="5 x (1 + 1)"), "name",
     "5 x (1 + 1)"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "given", "name", "shown"), TOGETHER)
def test_what_does_not_fit_is_shown_with_its_shapes(
    function, given, name, shown
):
    with pytest.raises(ValueError if shown != "(2,)" else TypeError) as caught:
        function(**given)
    for part in (name, *(re.findall(r"\(.*?\)", shown) or [shown])):
        assert part in str(caught.value)


def test_the_kind_of_error_and_what_it_shows():
    """TypeError for what is no array of numbers; each shows a shape."""
    kinds = [TypeError] * 7 + [ValueError] * 8
    shown = ["()", "()", *["(3, 4)"] * 4, "(1, 1)", *["without a shape"] * 2,
             "detach", "()", "(3, 4)", "(3, 4)", "(4,)", "(0,)"]  # fmt: skip
    for value, kind, part in zip(NO_MATRIX, kinds, shown, strict=True):
        with pytest.raises(kind, match=re.escape(part)):
            attend(query=value)
    with pytest.raises(TypeError, match=r"mask.*int"):
        attend(mask=NO_MASK[0])


def test_scores_that_overflow():
    """In float64, in float32, in float16, and where products fit."""

    def all_are(number, dtype=float):
        given = qkv().items()
        return {n: np.full(a.shape, number, dtype) for n, a in given}

    x = 3e153 * ones(2, 1, 64)  # 64 products of 9e306
    at = r".*\(3, 4\).*\(5, 4\)"
    for given, said in (
        (all_are(1e200), f"query, key, scale{at}"),
        ({"query": 1e308 * ones(3, 4), "key": -8 * ones(5, 4)}, f"query{at}"),
        (all_are(1e25, np.float32), f"float32{at}"),
        (all_are(300, np.float16), f"float16{at}"),
        ({"query": 8e307 * ones(3, 4), "mask": np.full(5, 1e308)},
         r"mask.*\(3, 5\)"),
        ({"query": x, "key": x, "value": x, "scale": 1}, "query, key, scale"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            attend(**given)


def test_messages_show_a_lone_value_but_no_whole_array():
    with pytest.raises(TypeError, match=r"got float 1\.5 of shape \(\)$"):
        split_heads(X, num_heads=1.5)
    with pytest.raises(TypeError, match=r"got ndarray of shape \(2,\)$"):
        split_heads(X, num_heads=ones(2))


def test_a_seed_in_place_of_a_generator_says_what_to_do():
    with pytest.raises(TypeError, match=r"rng: .*default_rng\(0\), got int 7"):
        tasks.which_noun(LEXICON, 2, 7)


def test_what_needs_something_before_it():
    with pytest.raises(RuntimeError, match="call forward first"):
        AttentionClassifier(4, 2, 2).backward(np.zeros((2, 2)))
    with pytest.raises(RuntimeError, match="fit"):
        LinearProbe().predict(np.eye(2))


def test_right_results_without_a_warning():  # warnings are errors here
    cold = next_word_probabilities([0.0, 1.0, 1.0], temperature=1e-300)
    np.testing.assert_array_equal(cold, [0, 0.5, 0.5])
    np.testing.assert_array_equal(gelu([1e300, -1e300]), [1e300, 0])
