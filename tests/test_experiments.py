"""What the experiments measure: runs, baselines, heads, sweep, scoreboard."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from helpers import embeddings, tasks
from helpers.attention import multi_head_attention, softmax
from helpers.experiments import (
    baselines,
    head_measures,
    hiding,
    learning_curves,
    measures,
    scale_measures,
    timing,
    what_was_made,
)
from helpers.experiments.evaluation import evaluate
from helpers.experiments.leanings import leanings
from helpers.experiments.runs import DEFAULTS, SEEDS, Runs, run, train
from helpers.experiments.scoreboard import Scoreboard, mean_sd
from helpers.experiments.scoring_functions import ScoringClassifier
from helpers.experiments.stored import (
    own_noun_runs,
    resign_runs,
    scaling_runs,
)
from helpers.gradients import finite_differences
from helpers.models import AttentionClassifier
from helpers.tasks import Examples, Sentences
from helpers.training import cross_entropy

SMALL = dict(train_count=40, test_count=20)


# --- runs ------------------------------------------------------------------


def small_model(**options):
    """An untrained model with two heads and two answers, and 4 sentences."""
    sizes = dict(d_model=6, d_k=3, d_v=3, classes=(2, 3), heads=2)
    model = AttentionClassifier(**sizes, output=True, seed=1, **options)
    rng = np.random.default_rng(5)
    mask = np.arange(5) < np.array([5, 3, 4, 5])[:, None]
    x = rng.standard_normal((4, 5, 6)) * mask[..., None]
    labels = np.stack([rng.integers(0, c, 4) for c in (2, 3)], axis=1)
    evidence = np.array([[0, 1]] * 4)
    nouns = np.zeros((4, 1), int)
    position = np.array([4, 2, 0, 1])
    part = Sentences([["a"]] * 4, position, evidence, labels, nouns, nouns)
    return model, Examples(part, x, mask)


def runs_of(model, test):
    return Runs([model], [test], [evaluate(model, test)])


def one_head():
    """An untrained model of one head and one answer, and 40 sentences."""
    task = tasks.load("which_noun", 0, train_count=64, test_count=40)
    return AttentionClassifier(seed=2), task


def test_the_weights_of_a_rule_take_the_place_of_the_models():
    model, task = one_head()
    runs = runs_of(model, task.test)
    same = runs.with_weights(softmax)
    assert_allclose(same, runs.accuracy[:, 0])
    orders = [(-e.weights[:, 0]).argsort(axis=1) for e in runs.evaluations]

    def hide_top(scores):
        top = scores == scores.max(axis=-1, keepdims=True)
        return softmax(np.where(top, -np.inf, scores))

    hidden = runs.without_words([order[:, :1] for order in orders])
    assert_allclose(runs.with_weights(hide_top), hidden[:, 0])
    left = hiding.accuracy_without(runs)
    assert_allclose(left["nothing"], runs.accuracy[:, 0])
    second = runs.without_words([order[:, [1]] for order in orders])
    assert_allclose(left["word 2"], second[:, 0])
    assert 0 < left["all nouns"][0] < 1


def test_hiding_a_word_moves_the_answer_as_training_would_see_it():
    model, task = one_head()
    test = task.test
    moves, weights = hiding.effects(model, test)
    part = test.sentences
    assert_allclose(weights, evaluate(model, test).weights[:, 0])
    logits, _ = model.forward(test.x, part.position, test.mask)
    mask = test.mask.copy()
    mask[:, 4] = False
    without, _ = model.forward(test.x, part.position, mask)
    lead = [each[:, 1] - each[:, 0] for each in (logits, without)]
    assert_allclose(moves[:, 4], abs(lead[1] - lead[0]))
    found = hiding.nouns_and_others(runs_of(model, test))
    assert found.shape == (3, 1) and (found > 0).all() and found[2] <= 1


def test_words_are_compared_at_equal_weights(rng):
    weights = rng.uniform(0, 0.5, (50, 8))
    is_noun = rng.random(weights.shape) < 4 * weights**2  # heavier ones
    in_bin = np.digitize(weights, hiding.BINS).astype(float)
    noun, other = hiding.at_equal_weights(in_bin, weights, is_noun)
    assert_allclose(noun, other)  # only the weight counts
    assert in_bin[is_noun].mean() > in_bin[~is_noun].mean() + 1
    twice = np.where(is_noun, 2 * in_bin, in_bin)
    noun, other = hiding.at_equal_weights(twice, weights, is_noun)
    assert_allclose(noun, 2 * other)


def test_the_most_similar_noun_is_the_one_with_the_largest_product():
    test = one_head()[1].test
    part, x, found = test.sentences, test.x, baselines.most_similar_noun(test)
    for row in range(5):
        places = part.nouns[row]
        products = x[row, places] @ x[row, part.position[row]]
        assert found[row] == places[products.argmax()]


def test_a_model_without_some_verbs_never_sees_them():
    task = one_head()[1]
    table, vehicle = task.table, tasks.load_lexicon().verbs["vehicle"]
    near = resign_runs.nearest_verbs(table, "resign", vehicle)
    assert near[0][0] == "depart" and len(near) == len(vehicle)
    assert [c for _, c in near] == sorted((c for _, c in near), reverse=True)
    some = {words[-1] for words in task.train.sentences.words[:20]}
    left = resign_runs.without_verbs(task.train, some)
    assert not some & {words[-1] for words in left.sentences.words}
    assert len(left.x) == len(left.mask) == len(left.sentences) < 64
    weights = resign_runs.look(AttentionClassifier(seed=1), table, "resign")
    assert weights.shape == (7,) and np.isclose(weights.sum(), 1)


def test_every_verb_has_a_noun_of_its_own():
    own = own_noun_runs.own_nouns(1)
    assert len({pair for pair in own.values()}) == len(own)
    table, rng = one_head()[1].table, np.random.default_rng(0)
    drawn = own_noun_runs.examples(own, table, 50, rng)
    part = drawn.sentences
    assert (part.numbers.sum(axis=1) == 2).all()
    for words, place, label in zip(
        part.words, part.evidence[:, 0], part.labels[:, 0], strict=True
    ):
        assert words[place] == own[words[-1]][label]
        others = {noun for verb in own for noun in own[verb]}
        assert {words[i] for i in (1, 4, 7, 10)} <= others


def test_queries_and_keys_that_are_trained_alone_find_the_own_nouns():
    table, own = one_head()[1].table, own_noun_runs.own_nouns(1)
    model = AttentionClassifier(d_k=16, scoring="frozen", seed=1)
    kept = {name: array.copy() for name, array in model.parameters.items()}
    own_noun_runs.place(model, table, own, steps=200)
    changed = {n for n in kept if (kept[n] != model.parameters[n]).any()}
    assert changed == {"w_q", "w_k"}
    queries, *_ = model.project(table.vectors([*own]))
    for number in (0, 1):
        nouns = [pair[number] for pair in own.values()]
        _, keys, _ = model.project(table.vectors(nouns))
        found = (queries @ keys.T).argmax(axis=1)
        assert (found == np.arange(len(own))).all()


def test_the_words_of_a_picture_are_new_and_of_three_kinds():
    model, task = one_head()
    words = what_was_made.words_of_kinds(0, ["resign"])
    nouns, verbs, (of_nouns, of_verbs) = words
    train, _ = tasks.load_lexicon().split(0)
    seen = {w for pairs in train.nouns.values() for p in pairs for w in p}
    assert len(nouns) == len(of_nouns) == 30 and not seen & {*nouns}
    assert [of_nouns.count(kind) for kind in {*of_nouns}] == [10] * 3
    assert verbs[-1] == "resign" and of_verbs[-1] is None
    made = what_was_made.keys_and_queries(task, {"a": model}, nouns, verbs)
    x = task.table.vectors(["resign"])
    assert_allclose(made["a"][1][-1:], x @ model.parameters["w_q"])
    assert made["a"][0].shape == (30, 16)


def test_evaluate_counts_answers_and_weighs_the_evidence():
    model, test = small_model()
    found = evaluate(model, test)
    part = test.sentences
    logits, weights = model.forward(test.x, part.position, test.mask)
    first = logits[:, :2].argmax(axis=1) == part.labels[:, 0]
    second = logits[:, 2:].argmax(axis=1) == part.labels[:, 1]
    assert_array_equal(found.correct, np.stack([first, second], axis=1))
    assert_allclose(found.accuracy, [first.mean(), second.mean()])
    expected = weights[:, :, :2].mean(axis=0)  # evidence: words 0 and 1
    assert_allclose(found.mass, expected)


def test_runs_summarize_all_answers_and_the_best_heads():
    model, test = small_model()
    runs = runs_of(model, test)
    correct = runs.evaluations[0].correct
    assert runs.all_correct[0] == (correct[:, 0] & correct[:, 1]).mean()
    assert_allclose(runs.accuracy[0], correct.mean(axis=0))
    assert runs.mass.shape == (1, 2, 2)
    summary = runs.summary()
    assert summary["num_parameters"] == model.num_parameters
    assert_array_equal(summary["accuracy"], runs.all_correct)
    assert_allclose(summary["mass"], runs.mass[0].max(axis=0).mean())


def test_without_both_heads_only_the_bias_answers():
    model, test = small_model()
    without = runs_of(model, test).without_heads(0, 1)
    model.parameters["w_o"][:] = 0
    assert_allclose(without, runs_of(model, test).accuracy)


@pytest.mark.parametrize("name", DEFAULTS)
def test_run_trains_one_model_per_seed(name):
    options = dict(heads=2, d_k=4, d_v=4, scoring="tied")
    training = dict(epochs=1, batch_size=20)
    runs = run(name, seeds=(3, 4), task=SMALL, training=training, **options)
    task = tasks.load(name, 4, **SMALL)
    assert runs.tests[1] is task.test
    assert runs.models[0].classes == tasks.CLASSES[name]
    assert "w_k" not in runs.models[0].parameters
    defaults = DEFAULTS[name][0]
    model = AttentionClassifier(
        **(defaults | options), classes=tasks.CLASSES[name], seed=4
    )
    train(model, task.train, seed=4, **training)
    for parameter, array in runs.models[1].parameters.items():
        assert_array_equal(array, model.parameters[parameter])
    assert not runs.models[1].weights  # what a forward pass keeps is dropped


def test_run_knows_its_tasks():
    with pytest.raises(TypeError, match="wrong"):
        run("two_hop", seeds=[1], task=SMALL, wrong=1)


def test_a_stopped_run_promises_nothing(monkeypatch, capsys):
    """No model is returned, so none "keeps what it has learned"."""

    def stop(model, *batch):
        raise KeyboardInterrupt

    monkeypatch.setattr(AttentionClassifier, "loss_and_gradients", stop)
    with pytest.raises(KeyboardInterrupt, match="no model kept"):
        run("which_noun", seeds=[3], task=SMALL)
    assert capsys.readouterr().out == ""


# --- heads -----------------------------------------------------------------


def test_averaging_equal_heads_changes_nothing():
    model, test = small_model()
    runs = runs_of(model, test)
    kept = model.parameters["w_o"].copy()
    head_measures.average_heads(runs)
    assert_array_equal(model.parameters["w_o"], kept)  # the model stays
    model.parameters["w_o"][3:] = kept[:3]
    runs = runs_of(model, test)
    assert_allclose(head_measures.average_heads(runs), runs.all_correct)


def test_a_pair_of_words_has_one_score_unless_its_vectors_differ():
    model = AttentionClassifier(d_model=4, d_k=2, d_v=2, seed=0)
    table = dict(zip("abc", np.eye(4), strict=False))
    words = ["abc", "acb", "bca", "cab"]
    x = np.array([[table[word] for word in said] for said in words])
    asks, needed = np.array([0, 0, 2, 1]), np.array([[1], [1], [1], [2]])
    labels = np.zeros((4, 1), int)
    part = Sentences(words, asks, needed, labels, needed, labels)
    examples = Examples(part, x, np.ones((4, 3), bool))
    gaps = head_measures.repeated_pair_gaps(model, examples)
    assert_allclose(gaps, [0, 0], atol=1e-12)  # a with b, a with c
    x[0, 1] *= 3  # b, where a asks for it first
    query, key = table["a"] @ model.parameters["w_q"], table["b"]
    key = key @ model.parameters["w_k"]
    gaps = head_measures.repeated_pair_gaps(model, examples)
    assert_allclose(gaps, [2 * abs(query @ key), 0], atol=1e-12)
    with pytest.raises(ValueError, match="one head, got 2"):
        head_measures.repeated_pair_gaps(small_model()[0], examples)


def test_a_model_is_asked_in_words_as_in_its_task():
    task = tasks.load("who_whom", 3, **SMALL)
    model = AttentionClassifier(heads=2, classes=(6, 6), output=True, seed=3)
    part = task.test.sentences
    ask = head_measures.ask_model(model, task, multi_head_attention)
    scores, tokens = ask(f"{' '.join(part.words[1])}!")
    assert tokens == part.words[1] and scores.shape == (2, *[len(tokens)] * 2)
    found = evaluate(model, task.test).weights[1, :, : len(tokens)]
    assert_allclose(softmax(scores)[:, part.position[1]], found)


# --- baselines -------------------------------------------------------------


@pytest.fixture
def batch(rng):
    """Two sentences, of 4 and of 2 words; numbers in the padding too."""
    x = rng.normal(size=(2, 4, 3))
    mask = np.array([[True] * 4, [True, True, False, False]])
    return x, np.array([3, 1]), mask


def test_the_bag_adds_up_the_words_and_no_padding(batch):
    x, _, mask = batch
    features, weights = baselines.bag_of_vectors(*batch)
    assert weights is None
    assert_allclose(features[0], x[0].sum(axis=0))
    assert_allclose(features[1], x[1, 0] + x[1, 1])


@pytest.mark.parametrize("sees_itself", [True, False])
def test_untrained_attention_by_hand(batch, sees_itself):
    x, position, mask = batch
    before = mask.copy()
    context, weights = baselines.untrained_attention(
        *batch, sees_itself=sees_itself
    )
    assert_array_equal(mask, before)
    for i in range(2):
        allowed = mask[i].copy()
        allowed[position[i]] &= sees_itself
        powers = np.exp(x[i] @ x[i, position[i]] / np.sqrt(3)) * allowed
        assert_allclose(weights[i], powers / powers.sum(), rtol=1e-12)
        assert_allclose(context[i], weights[i] @ x[i], rtol=1e-12)


def made_up_task(name, seed):
    """Labels 1, 0, 0, 0, 1 …; the first word's vector has the answer."""

    def examples(count):
        labels = (np.arange(count) % 4 == 0).astype(int)
        x = np.random.default_rng(seed).normal(size=(count, 3, 2))
        x[:, 0, 0] = 2 * labels - 1
        sentences = SimpleNamespace(
            labels=labels[:, None],
            evidence=np.zeros((count, 1), int),
            position=np.full(count, 2),
        )
        mask = np.ones((count, 3), bool)
        return SimpleNamespace(sentences=sentences, x=x, mask=mask)

    return SimpleNamespace(train=examples(60), test=examples(40))


@pytest.mark.parametrize("split, count", [("train", 60), ("test", 40)])
def test_measure(monkeypatch, split, count):
    monkeypatch.setattr(tasks, "load", made_up_task)
    seen = []

    def know(x, position, mask, looks_at=0):
        seen.append(len(x))
        return x[:, 0, :1], np.tile(np.eye(3)[looks_at], (len(x), 1))

    right = baselines.measure(know, seeds=(1, 2, 3), split=split)
    assert seen == [60, count] * 3  # fitted on one half, measured on another
    assert_array_equal(right["accuracy"], [1, 1, 1])
    assert_array_equal(right["mass"], [1, 1, 1])
    blind = baselines.measure(
        lambda x, *_: (np.ones((len(x), 1)), None), seeds=(1, 2), split=split
    )
    assert_array_equal(blind["accuracy"], [0.75, 0.75])  # says 0 to all
    assert blind["mass"] is None
    assert right["num_parameters"] == blind["num_parameters"] == 4
    elsewhere = baselines.measure(lambda *a: know(*a, 2), seeds=(1,))
    assert_array_equal(elsewhere["mass"], [0])
    everywhere = baselines.measure(
        lambda x, *_: (x[:, 0], np.tile([0.5, 0.3, 0.2], (len(x), 1)))
    )
    assert_allclose(everywhere["mass"], [0.5] * 5)
    assert SEEDS == (1000, 1001, 1002, 1003, 1004)


# --- measures --------------------------------------------------------------


@pytest.fixture(scope="module")
def few():
    return tasks.load("which_noun", 0, train_count=50, test_count=20).test


def test_entropy_of_known_rows():
    rows = [[0.25] * 4, [1, 0, 0, 0], [0.5, 0.5, 0, 0]]
    assert_allclose(
        scale_measures.normalized_entropy(rows), [1, 0, 0.5], atol=1e-15
    )


def test_jacobian_norm_is_the_norm_of_the_jacobian():
    weights = softmax(np.random.default_rng(0).normal(0, 3, (20, 5)))
    expected = [np.linalg.norm(np.diag(p) - np.outer(p, p)) for p in weights]
    found = scale_measures.softmax_jacobian_norm(weights)
    assert_allclose(found, expected, rtol=1e-10)
    assert scale_measures.softmax_jacobian_norm([[1.0, 0.0]]) == 0


def test_score_gradients_equal_finite_differences(few):
    model = AttentionClassifier(seed=0)
    found = scale_measures.score_gradient_norms(model, few)
    query, key, value = model.project(few.x[0])
    answers = value @ model.parameters["w_c"] + model.parameters["b_c"]

    def loss(scores):
        logits = softmax(scores) @ answers
        return cross_entropy(logits[None], few.sentences.labels[0])[0]

    scores = query[few.sentences.position[0]] @ key.T * model.scale
    expected = np.linalg.norm(finite_differences(loss, scores))
    assert found[0] == pytest.approx(expected, rel=1e-6)


def test_gradients_of_w_q_are_those_of_each_sentence_and_of_all(few):
    model = AttentionClassifier(seed=0)
    each, whole = scale_measures.query_gradient_norms(model, few)
    part = few.sentences
    batch = few.x, part.position, few.mask, part.labels
    for rows, found in (([0], each[0]), ([7], each[7]), (..., whole)):
        some = [array[rows] for array in batch]
        _, gradients = model.loss_and_gradients(*some)
        norm = np.linalg.norm(gradients["w_q"])
        assert found == pytest.approx(norm, rel=1e-9)


@pytest.mark.parametrize(
    "gaps, said",
    [
        ([0.0], "below 1e-12"),
        ([[[3e-13, -9e-13]]], "below 1e-12"),
        ([1e-12], "below 1e-09"),
        ([1e-13, -2e-7], "below 1e-06"),
        ([np.full((2, 3), -2e-4)], "below 1e-03"),
        ([1e-3], "1e-03"),
        ([0.0, -0.26], "3e-01"),
    ],
)
def test_the_bound_of_rounding_errors(gaps, said):
    assert measures.error_bound(*gaps) == said


@pytest.mark.parametrize(
    "right, wrong, expected",
    [
        ([2, 3], [1, 0], 1.0),
        ([1, 4], [2, 3], 0.5),
        ([0.0], [1, 2], 0.0),
        ([1, 1], [1, 0], 0.75),
    ],
)
def test_auc_counts_pairs(right, wrong, expected):
    assert measures.auc(right, wrong) == expected
    assert measures.auc(7 * np.array(right), 7 * np.array(wrong)) == expected


def test_scores_spread_with_the_root_of_the_width():
    for d_k, scale in ((4, 1), (100, 0.5), (900, 1 / 30)):
        found = scale_measures.score_spread(d_k, scale)
        assert found == pytest.approx(scale * d_k**0.5, rel=0.08)
    assert found != scale_measures.score_spread(900, 1 / 30, seed=1)


@pytest.mark.parametrize(
    "count, said",
    [(0, "none"), (1, "a few"), (19, "a few"), (20, "dozens")]
    + [(99, "dozens"), (100, "hundreds"), (1500, "hundreds")],
)
def test_rough_counts(count, said):
    assert measures.rough_count(count) == said


# --- the sweep over scales -------------------------------------------------


@pytest.mark.parametrize("kind", scaling_runs.SCORING_FUNCTIONS)
def test_other_scores_have_the_right_gradients(kind, check_slopes, few):
    part = few.sentences
    batch = few.x, part.position, few.mask, part.labels
    model = ScoringClassifier(kind, 6, seed=0)
    check_slopes(model, *batch)


def test_other_scores_are_those_of_their_papers(few):
    place, mask = few.sentences.position[:1], few.mask[:1]
    for kind in scaling_runs.SCORING_FUNCTIONS:
        model = ScoringClassifier(kind, 6, seed=0)
        _, weights = model.forward(few.x[:1], place, mask)
        p, x = model.parameters, few.x[0][mask[0]]
        query, scores = x[place[0]] @ p["w_q"], []
        for key in x @ p["w_k"]:
            if kind == "additive":
                scores.append(np.tanh(query + key) @ p["w_s"][:, 0])
            else:
                lengths = np.linalg.norm(query) * np.linalg.norm(key)
                scores.append(4 * (query @ key) / lengths)
        assert_allclose(weights[0, 0][mask[0]], softmax(np.array(scores)))


@pytest.mark.parametrize("setting", ["brisk Adam", "plain SGD"])
def test_the_root_is_a_smaller_start_and_smaller_steps(setting, monkeypatch):
    load = tasks.load
    small = dict(train_count=300, test_count=100)
    monkeypatch.setattr(tasks, "load", lambda *args: load(*args, **small))
    models = []
    monkeypatch.setattr(
        scaling_runs,
        "evaluate",
        lambda model, test: models.append(model) or evaluate(model, test),
    )
    for scale in ("1/sqrt(d_k)", "start and steps", "only the start"):
        scaling_runs.train_cell(setting, 16, scale, 0)
    root, folded, start = (
        models[i].parameters["w_q"] for i in range(5, 18, 6)
    )
    assert_allclose(2 * folded, root, rtol=1e-9, atol=1e-12)
    assert np.abs(2 * start - root).max() > 0.01


# --- time ------------------------------------------------------------------


def test_functions_take_turns():
    calls = []
    functions = {name: lambda n=name: calls.append(n) for name in "ab"}
    times = timing.rounds(functions, count=3, least=0)
    assert list(times) == ["a", "b"]
    assert np.shape([*times.values()]) == (2, 3)
    assert np.min([*times.values()]) >= 0
    assert calls == ["a", "b"] * 3


def test_short_calls_are_repeated_and_counted_once(monkeypatch):
    clock = [0.0]

    def call(cost):
        clock[0] += cost

    monkeypatch.setattr(timing, "CLOCK", lambda: clock[0])
    functions = {"long": lambda: call(2.0), "short": lambda: call(1e-4)}
    found = timing.median_times(functions, least=1e-2)
    assert found == pytest.approx({"long": 2.0, "short": 1e-4})
    ratio = timing.time_ratio(*functions.values())
    assert ratio == pytest.approx(2e4)


def test_operations_are_counted_for_each_byte_moved(monkeypatch):
    """1e6 products and sums in 1 s, 8 bytes a number read and written."""
    times = {"multiply": 1.0, "copy": 0.5}
    monkeypatch.setattr(timing, "median_times", lambda functions: times)
    found = timing.operations_a_byte(width=100, numbers=1000)
    assert found == 2 * 100**3 / (2 * 4 * 1000 / 0.5)


def test_a_busy_machine_is_said_not_guessed(monkeypatch):
    table = iter([[1, 2, 9, 3, 1], [1, 8, 2, 3, 1], [1.0, 1.1, 1.0, 1.1, 9]])

    def rounds(functions):
        return {"slower": np.array(next(table)), "faster": np.ones(5)}

    monkeypatch.setattr(timing, "rounds", rounds)
    assert timing.time_ratio(None, None, attempts=2) is None
    assert timing.time_ratio(None, None, attempts=1) == 1.1


def test_times_are_parts_of_the_first(monkeypatch, capsys):
    good = {"a": np.array([2.0, 4, 2, 4]), "b": np.array([1.0, 2, 1, 2])}
    busy = good | {"b": np.array([1.0, 9, 1, 9])}
    answers = iter([busy, good, busy])
    monkeypatch.setattr(timing, "rounds", lambda *_, count: next(answers))
    functions = dict.fromkeys(good)
    assert timing.time_parts(functions) == {"a": 1, "b": 0.5}
    assert capsys.readouterr().out == "a  1.00\nb  0.50\n"
    timing.time_parts(functions, attempts=1)
    assert "b  too noisy, run again" in capsys.readouterr().out


def test_what_notebook_04_says_about_the_time_of_heads():
    """Wide model: about as long as one head. Long sentence: longer."""

    def holds():
        wide = timing.time_heads(length=128, width=512)
        long = timing.time_heads(length=512, width=64)
        return None not in (wide, long) and wide < 1.5 < long

    assert any(holds() for _ in range(8))  # the machine may be busy


# --- the scoreboard --------------------------------------------------------


def test_rows_are_printed_with_mean_spread_and_worst(capsys):
    board = Scoreboard("Who?", chance=0.25)
    board.add("a model", [0.5, 0.7], [0.1, 0.3], 1234)
    board.add("another", [1.0])
    board.add("m" * 35, [0.9, 0.0, 0.6, 0.5, 0.5], [0.0] * 5, 33_826)
    board.show()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Who?" and "of n seeds" in lines[1]
    assert lines[4::2] == ["chance", "a model", "another", "m" * 35]
    numbers = [" ".join(line.split()) for line in lines[3::2]]
    assert numbers == [
        "accuracy mass params n",
        "0.250 – 0 –",
        "0.60 ± 0.14 [0.50] 0.20 ± 0.14 1,234 2",  # by hand: sd 0.1 √2
        "1.00 [1.00] – 0 1",
        "0.500 ± 0.324 [0.00] 0.000 ± 0.000 33,826 5",  # √(0.42 / 4)
    ]
    assert len({len(line) for line in lines[3::2]}) == 1
    assert max(map(len, lines)) <= 60


@pytest.mark.parametrize(
    "values, decimals, said",
    [
        ([0.5], None, "0.50"),
        ([1, 2, 3, 4], None, "2.50 ± 1.29"),  # √(5 / 3)
        ([1, 2, 3, 4, 5], None, "3.000 ± 1.581"),  # √(10 / 4)
        ([1, 2, 3, 4, 5], 1, "3.0 ± 1.6"),
    ],
)
def test_the_sd_is_that_of_a_sample(values, decimals, said):
    assert mean_sd(values, decimals) == said


def test_a_rise_is_sudden_if_it_is_shorter_than_the_wait(capsys):
    late = [0] * 6 + [5, 6, 7.5, 10]  # of 10: half after 70 steps, all at 100
    even = [*range(10)]
    curves = np.array([late, even])
    found = [
        learning_curves.steps_to(part, curves) for part in (0.1, 0.5, 0.9)
    ]
    assert np.array(found).tolist() == [[70, 20], [70, 60], [100, 100]]
    assert learning_curves.steps_to(0.5, curves, every=1).tolist() == [7, 6]
    assert learning_curves.steps_to(0.5, curves[:1], -10).tolist() == [10]
    sudden = learning_curves.show_rise("two", curves)
    assert [*sudden] == [*learning_curves.ENDS] and sudden[0.9].sum() == 1
    printed = "two                 45   20 (1)   40 (1)   50 (1)   55 (1)\n"
    assert capsys.readouterr().out == printed


def test_sudden_runs_are_gathered_by_the_beginning_of_their_name():
    rises = {"b, slow": {0.7: [True, False]}, "b": {0.7: [True]}}
    rises |= {"other": {0.7: np.array([False])}}
    found = learning_curves.sudden_by_kind(rises, 0.7, ["a", "b"])
    assert {k: v.tolist() for k, v in found.items()} == {
        "a": [0],
        "b": [1, 0, 1],
    }


def test_a_shift_moves_a_leaning_and_leaves_the_others():
    def shift(x, position, landmark):
        return embeddings.cosine(x.mean(axis=0), landmark) - embeddings.cosine(
            x[position], landmark
        )

    found = leanings(shift)  # attention that gives all words equal weights
    assert_allclose(found["attention"], found["mean"], atol=1e-12)
    assert found["word alone"].shape == (32,)
    pairs = found["word alone"].reshape(8, 2, 2).sum(axis=1)  # two senses
    assert_allclose(np.sort(np.abs(pairs.sum(axis=1))), np.zeros(8), atol=1e-9)
    with pytest.raises(TypeError, match="shift"):
        leanings(3)
