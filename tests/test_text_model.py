"""The model of running text: torch, NumPy, files, training."""

import ast
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from helpers import embeddings, models
from helpers.experiments.own_text import OwnText, Refused
from helpers.experiments.own_text import read as read_own_text
from helpers.experiments.stored import load
from helpers.generation import KeyValueCache
from helpers.tasks import running_text
from helpers.torch_bridge import (
    distributed_training,
    text_model,
    text_training,
    train,
)
from helpers.torch_bridge.stored import text_runs

NOTEBOOK = Path(__file__).parents[1] / "notebooks/07_your_own_model.ipynb"

LETTERS = "abcdefgh"


def test_one_half_chooses_and_the_other_judges():
    losses = np.array([[1, 4, 1, 1], [2, 2, 3, 5]])  # by passage
    surprises = losses.repeat(text_runs.LONG, axis=1)
    best, judged = text_runs.chosen_and_judged(surprises)
    assert (best, judged.tolist()) == (1, [3, 5])


@pytest.fixture
def small():
    model = text_model.TextModel(
        8, layers=2, width=12, num_heads=3, context=10
    )
    with torch.no_grad():  # larger weights: the logits differ
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape))
    return model.eval()


def own_text():
    """A text of eight letters; its last part has 200."""
    return OwnText(LETTERS * 250)


def in_numpy(model):
    heads = model.settings["num_heads"]
    arrays = text_model.text_arrays(model)
    return models.TextLanguageModel([*LETTERS], arrays, heads)


def test_numpy_computes_the_same_logits(small):
    ids = np.random.default_rng(0).integers(8, size=(2, 10))
    with torch.no_grad():
        theirs = small.double()(torch.from_numpy(ids)).numpy()
    assert np.abs(in_numpy(small).logits(ids) - theirs).max() < 1e-5


def test_the_cache_changes_nothing(small):
    model, ids = in_numpy(small), np.arange(8)
    cache = KeyValueCache(model)
    parts = [model.logits(part, cache=cache) for part in (ids[:3], ids[3:])]
    np.testing.assert_allclose(np.concatenate(parts), model.logits(ids))


def test_it_comes_back_from_its_files(small, tmp_path):
    path = tmp_path / "models" / "mine"
    text_model.save_text_model(path, small, LETTERS, log=[{"step": 1}])
    make = text_model.TextModel
    again, log = text_model.open_text_model(path, make, [*LETTERS])
    assert log == [{"step": 1}] and again.settings == small.settings
    for name, tensor in small.state_dict().items():
        assert torch.equal(tensor, again.state_dict()[name])
    new, log = text_model.open_text_model(path, make, LETTERS, fresh=True)
    assert log == [] and new.settings != small.settings


def test_a_model_of_another_text_is_refused(small, tmp_path):
    text_model.save_text_model(tmp_path / "mine", small, LETTERS, log=[])
    with pytest.raises(ValueError, match="other characters than your text"):
        text_model.open_text_model(
            tmp_path / "mine", text_model.TextModel, "abc"
        )


def test_the_stored_model_reads_a_text_with_other_characters():
    letters = "ïba #e"
    model = text_model.stored_for(text_model.TextModel, letters)
    whole, kept = text_model.load_text_model()
    known = torch.tensor([kept["characters"].index(c) for c in "ba e"])
    ids = torch.tensor([[1, 2, 3, 5, 1]])
    want = whole.eval()(known[None, [0, 1, 2, 3, 0]])[..., known]
    found = model.eval()(ids)
    assert torch.allclose(found[..., [1, 2, 3, 5]], want, atol=1e-4)
    others = found[..., [0, 4]].softmax(-1)
    assert model(torch.tensor([[0, 4]])).isfinite().all()
    assert others.shape == (1, 5, 2) and model.settings["dropout"] == 0


@pytest.mark.parametrize("ending", ["safetensors", "json"])
def test_damaged_files_are_named(small, tmp_path, ending):
    path = tmp_path / "mine"
    with pytest.raises(FileNotFoundError, match="mine.safetensors"):
        text_model.load_text_model(path)
    text_model.save_text_model(path, small, LETTERS)
    (tmp_path / f"mine.{ending}").write_bytes(b"{")
    with pytest.raises(ValueError, match=f"mine.{ending}: damaged"):
        text_model.load_text_model(path)


def test_weights_of_another_model_are_refused(small, tmp_path):
    text_model.save_text_model(tmp_path / "mine", small, LETTERS)
    settings = tmp_path / "mine.json"
    kept = json.loads(settings.read_text())
    kept["model"]["width"] = 24
    settings.write_text(json.dumps(kept))
    with pytest.raises(ValueError, match="not the weights of"):
        text_model.load_text_model(tmp_path / "mine")


def test_a_full_disk_leaves_the_old_model(small, tmp_path, fill_disk):
    path = tmp_path / "mine"
    text_model.save_text_model(path, small, LETTERS, log=[1])
    before = [file.read_bytes() for file in sorted(tmp_path.iterdir())]
    fill_disk()
    with pytest.raises(OSError, match="No space"):
        text_model.save_text_model(path, small, LETTERS, log=[2])
    after = [file.read_bytes() for file in sorted(tmp_path.iterdir())]
    assert after == before


def test_a_step_with_clipping_is_what_it_says(small):
    ids = torch.randint(8, (200,), generator=torch.Generator().manual_seed(0))
    generator = torch.Generator().manual_seed(1)
    batch = text_training.text_batch(ids, 4, 10, generator)
    optimizer = torch.optim.SGD(small.parameters(), lr=99.0)
    before = [p.detach().clone() for p in small.parameters()]
    loss = text_training.text_step(small, optimizer, *batch, 0.5)
    pairs = zip(small.parameters(), before, strict=True)
    gaps = [(p.detach() - b).norm() for p, b in pairs]
    assert loss > 0
    assert float(torch.stack(gaps).norm()) == pytest.approx(0.5, rel=1e-3)


def test_targets_are_the_next_characters():
    ids = torch.arange(50)
    inputs, targets = text_training.text_passages(
        ids, torch.tensor([3, 44]), 5
    )
    assert inputs.tolist() == [[3, 4, 5, 6, 7], [44, 45, 46, 47, 48]]
    assert torch.equal(targets, inputs + 1)


def test_the_learning_rate_rises_and_falls():
    rates = [
        text_training.learning_rate_factor(i, 100, 10) for i in range(100)
    ]
    assert rates[0] == 0.1 and max(rates) == rates[9] == 1
    assert rates[9:] == sorted(rates[9:], reverse=True) and rates[-1] < 1e-3


def test_the_best_weights_come_back(small):
    best = text_training.BestWeights(small, own_text(), 2)
    before = best.loss
    with torch.no_grad():
        small.logits.bias[0] += 50
    assert best.look() > before
    best.done = 2
    assert best.restore() == before
    assert best.said == f"{before:.1f}"
    best.text.kept = True
    assert best.said == f"{before:.2f}"
    again = text_training.text_loss(small, best.held_out)
    assert again == pytest.approx(before) and best.done == 2


def test_the_curves_have_a_point_for_each_look(small):
    best = text_training.BestWeights(small, own_text(), 40)
    for loss in range(7):
        best.note(float(loss))
    assert best.every == 5 and best.steps == [5] and best.trained == [2.0]
    best.look()
    assert best.steps == [5, 7] and best.trained == [2.0, 5.5]
    assert best.losses == [best.first] * 2
    best.look()  # nothing was trained since
    assert best.steps == [5, 7] and best.done == 7


def test_a_curve_goes_on_where_the_log_ends(tmp_path, monkeypatch):
    found, train = of_the_notebook("def train(")
    monkeypatch.setattr(text_model, "MODELS", tmp_path)
    text = OwnText("the cat sat. " * 40, "cat.txt", kept=True)
    found |= {"device": "cpu", "MY_STEPS": 8, "my_text": text}
    found |= {"make": text_model.TextModel}
    exec(*[c for c in train if "log.append" in c], found)
    first, found["MY_STEPS"] = found["my_best"], 3
    again = found["train_mine"]("from scratch", text_model.new_for)
    assert first.curve[0] == [0, 5, 8] and again.curve[0] == [8, 11]
    assert again.curve[1][0] == pytest.approx(min(first.curve[1]), abs=1e-5)
    assert first.summary == f"8 steps, loss {first.loss:.2f}, {first.turn}"
    assert again.summary.startswith("11 steps, loss ")


@pytest.mark.parametrize(
    "losses, trained, said",
    [
        ([2.0, 1.5], [3.0, 2.0], "lowest at the end"),
        ([1.5, 1.6], [3.0, 2.0], "lowest at step 105, then it learned its"),
        ([1.5, 1.6], [2.0, 2.1], "lowest at step 105"),
        ([5.5, 6.0], [2.0, 1.0], "lowest at step 100"),
        ([], [], "lowest at the end"),
    ],
)
def test_when_the_loss_was_lowest_is_said(small, losses, trained, said):
    best = text_training.BestWeights(small, own_text(), 10)
    best.begun, best.first = 100, 5.0
    best.steps, best.losses = [5, 10][: len(losses)], losses
    best.trained = trained
    assert best.turn.startswith(said)
    assert ("heart" in best.turn) == ("then" in said)


def test_a_second_stop_loses_no_weights(small, monkeypatch):
    best = text_training.BestWeights(small, own_text(), 5)
    kept = {n: t.clone() for n, t in small.state_dict().items()}
    with torch.no_grad():
        small.logits.bias[0] += 50

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(text_training, "text_loss", stop)
    assert best.restore() == best.first
    for name, tensor in small.state_dict().items():
        assert torch.equal(tensor, kept[name])


@pytest.mark.parametrize("stride", [2, 5, 10])
def test_surprises_have_enough_before_them(small, stride):
    ids = torch.arange(47) * 3 % 8
    found = text_training.text_surprises(small, ids, stride=stride)
    assert len(found) == 10 + (46 - 10) // stride * stride
    with torch.no_grad():
        for place in range(len(found)):  # predicts the character after it
            begin = max(0, -(-(place - 9) // stride) * stride)
            logits = small(ids[None, begin : place + 1])[0, -1]
            want = torch.nn.functional.cross_entropy(logits, ids[place + 1])
            assert found[place] == pytest.approx(want.item(), abs=1e-5)


def test_somebody_who_watches_sees_the_loss_and_a_sample(small, monkeypatch):
    seen = []
    monkeypatch.setattr(text_training.Watch, "somebody", lambda _: bool(seen))
    monkeypatch.setattr(
        text_training, "note", lambda text, _: seen.append(text)
    )
    text = own_text()
    text.rivals = {"counting": 1.5}
    best = text_training.BestWeights(small, text, 100)
    assert seen == []
    seen.append("now")
    for _ in range(7):
        best.note(3.0)
    head, step, rival, _, sample = seen[1].split("\n", 4)
    assert head == "nats per character: training, new text"
    assert step == f"after 5 steps: 3.00, {best.loss:.2f}"
    assert rival == "counting, new text: 1.50"
    assert len(sample) == 1 + best.SHOWN and set(sample) <= set(LETTERS)


def cells_of(notebook):
    """Return what a notebook has imported, and its cells of code."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    found = {}
    for node in ast.parse("\n".join(code)).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            exec(ast.unparse(node), found)
    return found, code


def of_the_notebook(words):
    """Return what its cell of code with some words defines, and all cells."""
    found, code = cells_of(NOTEBOOK)
    found |= {"runs": load("text_runs"), "small": [1.6, 1.7]}
    for stub in ("def passages(", "def training_step(", words):
        exec([c for c in code if stub in c][0], found)
    return found, code


def test_the_notebook_stopped_early_keeps_what_it_has_learned(
    tmp_path, monkeypatch
):
    found, train = of_the_notebook("def train(")
    step, done = found["one_step"], []

    def stopped(*given):
        if len(done) == 5:
            raise KeyboardInterrupt
        done.append(step(*given))
        return done[-1]

    text = OwnText("the cat sat. " * 40)
    found |= {"one_step": stopped, "device": "cpu", "MY_STEPS": 300}
    monkeypatch.setattr(text_model, "MODELS", tmp_path)
    found |= {"make": text_model.TextModel, "my_text": text}
    exec(*[c for c in train if "log.append" in c], found)
    path = text_model.path_of("from scratch", text)
    model, kept = text_model.load_text_model(path)
    loss = text_training.text_loss(model, torch.from_numpy(text.held_out))
    assert loss < done[0] - 0.1 and kept["text"] == text.mark
    assert kept["log"] == [{"steps": 5, "loss": pytest.approx(loss, abs=1e-4)}]


def test_models_of_one_text_go_on_and_those_of_another_are_refused(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(text_model, "MODELS", tmp_path)
    text = OwnText("the cat sat. " * 40, "cat.txt", kept=True)
    new = text_model.new_for, text_model.TextModel
    old = text_model.stored_for, text_model.TextModel
    for kind, begin in {"from scratch": new, "fine-tuned": old}.items():
        model, log = text_model.open_kind(kind, *begin, text)
        assert log == []
        text_model.save_kind(kind, model, text, [{"steps": 3}])
        again, log = text_model.open_kind(kind, *begin, text)
        assert log == [{"steps": 3}] and again.settings == model.settings
        assert text_model.in_numpy(kind, text).vocabulary
    other = OwnText("sat the cat. " * 40, "cat.txt", kept=True)
    with pytest.raises(Refused, match="trained on another text"):
        text_model.open_kind("from scratch", *new, other)
    other.kept = False  # a trial begins anew
    assert text_model.open_kind("from scratch", *new, other)[1] == []


def test_texts_that_cannot_be_used_are_refused_in_one_line(tmp_path):
    (tmp_path / "a.txt").write_text("a" * 3000)
    (tmp_path / "b.bin").write_bytes(b"\xff\xfe" * 3000)
    (tmp_path / "c.txt").write_text("")
    said = {"a.txt": "single character", "b.bin": "UTF-8", "c.txt": "empty"}
    said |= {"d.txt": "no such file .searched from", ".": "a folder"}
    for name, words in said.items():
        with pytest.raises(Refused, match=words) as caught:
            read_own_text(tmp_path / name, "instead")
        (line,) = caught.value._render_traceback_()
        assert line.startswith("Not done. ") and "\n" not in line
    for nothing in 5, "":
        with pytest.raises(Refused, match="expected a path"):
            read_own_text(nothing, "instead")
    assert read_own_text(None, "instead " * 300).name == "trial"


@pytest.mark.parametrize("count, few", [(20_000, True), (100_000, False)])
def test_a_short_text_is_called_one(count, few):
    said = str(OwnText(LETTERS * (count // 8)))
    assert said.endswith("too few for words") == few


def test_a_model_of_characters_names_unknown_characters():
    with pytest.raises(ValueError, match="^characters: not in .*'ï'"):
        models.text_language_model().ids([*"naïve"])


def test_all_doors_train_by_one_recipe(tmp_path, monkeypatch):
    """The notebook, the stored runs, and `make train` as it is by itself."""
    seen = []

    def spy(model, optimizer, inputs, targets, learning_rate):
        settings = [
            (type(each).__name__, {**group, "params": len(group["params"])})
            for each in optimizer.optimizers
            for group in each.param_groups
        ]
        seen.append((settings, learning_rate, inputs.shape, model.training))
        return 3.0

    text = "the cat sat. " * 200
    own = OwnText(text)
    own.ids = running_text.Characters(text).ids(text)
    found, _ = of_the_notebook("def train(")
    model = text_model.TextModel(8)
    found |= {"one_step": spy, "device": "cpu"}
    found["train"](model, own, 150)
    notebook = seen.copy()
    seen.clear()
    monkeypatch.setattr(text_training, "text_step", spy)
    runs = text_training.training_steps(
        model, torch.from_numpy(own.ids), steps=150, seed=0
    )
    assert [*runs][-1] == 150 and seen == notebook
    seen.clear()
    monkeypatch.setattr(distributed_training, "text_step", spy)
    (tmp_path / "text.txt").write_text(text)
    where = [f"--text={tmp_path}/text.txt", f"--folder={tmp_path}/run"]
    train.main([*where, "--steps=150"])
    assert seen == notebook


def test_the_stored_model_is_as_good_as_it_says():
    path = models.stored_text_model()
    arrays, kept = models.read_text_model(path)
    assert path.with_name("text_model.safetensors").stat().st_size <= 4e6
    assert all(array.dtype == np.float16 for array in arrays.values())
    last = kept["log"][-1]
    assert last["step"] == kept["training"]["steps"]
    assert kept["end"]["rounded to float16"] <= 1.49
    model, _ = text_model.load_text_model()
    text = embeddings.data_file("shakespeare.txt").read_text(encoding="utf-8")
    characters = running_text.Characters(text)
    assert kept["characters"] == "".join(characters.vocabulary)
    ids = torch.from_numpy(running_text.split(characters.ids(text))[1])
    assert text_training.text_loss(model, ids[:5000]) < 1.55


def test_the_text_until_a_learner_brings_one_is_plain_prose():
    text = running_text.prose()
    assert 90_000 < len(text) < 120_000
    assert not set(text) & set("|<>*`$"), "Markdown is left"
