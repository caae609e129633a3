"""Stored trainings: each file is what its module trains, row by row."""

import json
import re
from importlib import import_module
from pathlib import Path

import nbformat
import numpy as np
import pytest
from numpy.testing import assert_allclose

from helpers import tasks
from helpers.experiments import stored
from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import encoder_runs
from helpers.models import load_encoder
from tests.course import reading
from tools.author import store_runs, sums

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
FILES = store_runs.modules()
IN_TORCH = [name for name in FILES if ".torch_bridge." in FILES[name]]
# A notebook trains a row of these anew, and prints it beside the stored one.
IN_A_NOTEBOOK = {
    "bag_runs": ("01_vectors_and_softmax", "bag_runs.train_row("),
    "cache_bits_runs": ("08_inside_a_chat_model", "cache_bits_runs.loss("),
    "chat_head_runs": ("08_inside_a_chat_model", "chat_head_runs.scores("),
    "control_runs": ("02_projections", "control_runs.train_row("),
    "fading_runs": ("05_recurrent_and_costs", "fading.fading("),
    "induction_runs": ("06_order_and_copying", "copier.measure("),
    "language_runs": ("06_language_model", "above_floor(model)"),
    "mask_after_softmax_runs": (
        "06b_inside_the_block",
        "mask_after_softmax_runs.train(",
    ),
    "normalizer_runs": ("10_shares_and_machines", "race_normalizer("),
    "position_runs": ("06_order_and_copying", "position_runs.train_network("),
    "recall_runs": ("05_recurrent_and_costs", "recall.recall("),
    "shared_head_runs": ("10_shares_and_machines", "train_shared("),
    "temperature_runs": ("06b_inside_the_block", "temperature_runs.run("),
    "two_hop_runs": ("06b_inside_the_block", "two_hop_runs.run("),
    "verb_table_runs": ("06b_inside_the_block", "verb_table_runs.run("),
    "window_runs": ("08_inside_a_chat_model", "window_runs.measure("),
}
# A row of each other file, which of its seeds is trained anew here, and how
# far another processor may be off.
RETRAINED = {
    "copy_runs": ("unseen plays", 1, 0),
    "distance_runs": ("late | attention | 300 steps", 0, 0.02),
    "fact_capacity_runs": ("brief | two layers of attention", 1, 0.01),
    "head_runs": ("two_hop | 1 layer", 2, 0.004),
    "nudge_runs": ("brief | 1/sqrt(d_k)", 5, 0.004),
    "own_noun_runs": ("brief | d_k = 16", 0, 0.02),
    "resign_runs": ("without the four nearest", 0, 0.01),
    "scaling_runs": ("brisk Adam | d_k 16 | QK-norm", 4, 0.0015),
    "second_verb_runs": ("brief | pairs", 1, 0.03),
    "stack_runs": ("brief | post-norm, no warm-up, 8e-3", 1, 0.01),
    "stair_runs": ("brief | one character", 0, 0.01),
    "text_copy_runs": ("brief | a second", 1, 0.01),
    "text_runs": ("brief | a second", 1, 0.01),
    "text_size_runs": ("brief | text | 1/64", 1, 0.01),
}


def module_of(name):
    if name in IN_TORCH:
        pytest.importorskip("torch")
    return import_module(FILES[name])


def of_seed(row, place):
    """What a row holds of one seed."""
    if isinstance(row, dict):
        return {key: of_seed(part, place) for key, part in row.items()}
    return row[place] if isinstance(row, list) else row


def assert_close(found, expected, atol):
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key, part in expected.items():
            assert_close(found[key], part, atol)
    else:
        assert_allclose(found, expected, atol=atol, err_msg=str(found))


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_the_rows_of_its_module_and_their_form(name):
    text = (sums.DATA / f"{name}.json").read_text(encoding="utf-8")
    rows = json.loads(text)
    assert [*rows] == [*module_of(name).ROWS]
    assert text == store_runs.text_of(rows)


@pytest.mark.parametrize("name", RETRAINED)
def test_a_stored_row_comes_out_again(name, monkeypatch):
    row, place, atol = RETRAINED[name]
    module = module_of(name)
    kept = json.loads((sums.DATA / f"{name}.json").read_bytes())
    expected = of_seed(kept[row], place)
    if name in ("text_copy_runs", "text_runs"):  # one model, trained once
        # of its curve the end says enough
        monkeypatch.setattr(module_of("text_runs"), "MEASURED", 1)
    if name == "text_runs":
        expected = {"curve": expected["curve"][-1:]}
    seed = getattr(module, "SEEDS", SEEDS)[place]
    found = of_seed(module.train_row(row, [seed]), 0)
    tasks.datasets._load.cache_clear()
    assert_close(found, expected, atol)


@pytest.mark.parametrize("name", IN_A_NOTEBOOK)
def test_a_notebook_prints_a_repeated_row_beside_the_stored_one(name):
    notebook, call = IN_A_NOTEBOOK[name]
    (path,) = NOTEBOOKS.rglob(f"{notebook}.ipynb")
    cells = reading.code_cells(nbformat.read(path, 4))
    called = [cell for cell in cells if call in cell.source]
    printed = "".join(map(reading.stdout, called))
    assert re.search("repeated|again|same as|first model", printed)
    assert "stored" in "".join([printed, *(cell.source for cell in called)])


def test_every_file_has_a_row_that_is_trained_again():
    here = RETRAINED.keys() | {"cls_runs", "encoder_runs"}  # below
    here |= {"depth_runs"}  # in test_chat_experiments
    assert here | IN_A_NOTEBOOK.keys() == FILES.keys()
    assert not here & IN_A_NOTEBOOK.keys()


def test_runs_of_the_encoder_come_out_again():
    runs = stored.load("encoder_runs")
    for name, found in encoder_runs.probe(300, SEEDS[0]).items():
        kept = runs["probe, 300 sentences"][name][0]
        assert_allclose(found, kept, atol=0.02)


def test_a_trained_cls_begins_as_it_is_stored():
    module, torch = module_of("cls_runs"), pytest.importorskip("torch")
    kept = stored.load("cls_runs")["trained"]
    _, losses = module.train(module.SEEDS[1], steps=2)
    assert_allclose(losses, kept["loss"][1, :2], atol=1e-3)
    output = load_encoder().read(["a cat", "the dog sees the car"])
    start = torch.tensor(output.hidden[-1 - module.BLOCKS])
    with torch.no_grad():
        rows = module.last_rows(
            module.blocks_to_train(), start, torch.tensor(output.mask)
        )
    found, wanted = rows.numpy()[output.mask], output.hidden[-1][output.mask]
    assert_allclose(found, wanted, atol=1e-4)


def test_an_induction_network_begins_as_it_is_stored():
    module = module_of("induction_runs")
    runs = stored.load("induction_runs")
    for name in ("2 layers", "2 layers, learned words"):
        _, curve = module.train_network(name, SEEDS[0], steps=10)
        assert_allclose(curve[0][:3], runs[name][0, 0], atol=1e-3)
        assert_allclose(curve[0][3], runs[f"{name} | loss"][0, 0], atol=1e-3)


def test_a_network_that_copies_is_trained_once_for_all_its_rows(monkeypatch):
    module = module_of("induction_runs")
    curve = [[1, 2, 3, 4], [5, 6, 7, 8]]
    trained = []

    def train(name, seed):
        trained.append((name, seed))
        return seed, curve

    monkeypatch.setattr(module, "train_network", train)
    monkeypatch.setattr(module, "at_the_end", lambda copier: copier)
    monkeypatch.setattr(module, "one_text", lambda *seen: seen)
    module._trained.cache_clear()
    two = {row: module.train_row(row) for row in [*module.ROWS][:4]}
    module._trained.cache_clear()
    assert [*two] == [
        "2 layers",
        "2 layers | loss",
        "2 layers | end",
        "a text",
    ]
    assert two["2 layers"] == [[[1, 2, 3], [5, 6, 7]]] * 5
    assert two["2 layers | loss"] == [[4, 8]] * 5
    assert two["2 layers | end"] == [*SEEDS]
    assert two["a text"] == (SEEDS[0], module.SHOWN)
    assert trained == [("2 layers", seed) for seed in SEEDS]


def test_the_words_that_choose_heads_do_not_measure(monkeypatch):
    words = np.array([word for word, *_ in tasks.senses()])
    asked = []

    def without(heads):
        asked.append(list(heads))
        return np.stack([np.arange(128), words == "bank"])

    monkeypatch.setattr(encoder_runs, "without", without)
    alike = np.ones((2, 128, 6, 12))
    alike[1, :32, 0, 0] = 0  # only the first two words need the first head
    alike[1, :32, 5, 11] = 2
    monkeypatch.setattr(encoder_runs, "without_each_head", lambda: alike)
    monkeypatch.setattr(encoder_runs, "COUNTS", [71])
    first, second, *_ = encoder_runs.train_row("chosen by word")[71]
    assert {*words[:32]} == {"bank", "bat"}
    assert first == [79.5, 0] and second[1] == pytest.approx(1 / 6, abs=1e-4)
    assert asked[0][0] == 71 and 0 not in asked[0]
    assert 0 in asked[1] and 71 not in asked[1]


def test_the_last_epoch_of_stored_cells():
    module = module_of("scaling_runs")
    rows = stored.load("scaling_runs")
    found = module.last_epoch("plain SGD", "1/d_k", measure="mass")
    assert found.shape == (5, 4)
    cell = rows[module.cell_name("plain SGD", 64, "1/d_k")]
    assert found[3, 1] == cell["mass"][3, -1]
    name = module.cell_name("Adam 0.01", 64, "1/d_k", seeds="tuning")
    found = module.last_epoch("Adam 0.01", "1/d_k", [64], seeds="tuning")
    assert found[2, 0] == rows[name]["accuracy"][2, -1]
    assert module.ROWS[name][1] == module.TUNING_SEEDS


# --- reading ---------------------------------------------------------------


def test_lists_come_as_arrays_and_seeds_in_front(monkeypatch):
    rows = {
        "a | x": {"both": [0.5, 1], "size": 3},
        "b | x": [{"end": 1, "curve": [1, 2]}, {"end": 2, "curve": [3, 4]}],
        "b | y": {"words": ["one", "two"]},
    }
    monkeypatch.setattr(stored.embeddings, "stored", {"my.json": rows}.get)
    found = stored.load("my")
    assert [*found] == [*rows]
    assert found["a | x"]["both"].tolist() == [0.5, 1]
    assert found["a | x"]["size"] == 3
    assert found["b | x"]["end"].tolist() == [1, 2]
    assert found["b | x"]["curve"].tolist() == [[1, 2], [3, 4]]
    assert found["b | y"] == rows["b | y"]
    assert [*stored.load("my", "b")] == ["x", "y"]
    with pytest.raises(ValueError, match=r"group: .*my.*'c | …'"):
        stored.load("my", "c")


def test_a_file_that_is_not_there_is_named():
    with pytest.raises((ValueError, FileNotFoundError), match="my_runs.json"):
        stored.load("my_runs")


def test_each_seed_runs_once_and_measures_are_columns():
    def run(name, seed):
        return {"twice": 2 * seed, "name": name}

    one = stored.by_seed(run, "a", seeds=[3])
    assert one == [{"twice": 6, "name": "a"}]
    found = stored.by_measure(run, "a", seeds=[3, 5])
    assert found == {"twice": [6, 10], "name": ["a", "a"]}


# --- writing ---------------------------------------------------------------


class Module:
    """Rows a, b, c; notes what is trained, and may break off."""

    ROWS = dict.fromkeys("abc")

    def __init__(self):
        self.trained, self.value, self.fails = [], 1, ""

    def train_row(self, name):
        if name in self.fails:
            raise KeyboardInterrupt
        self.trained.append(name)
        return [self.value, "…"]


@pytest.fixture
def module(monkeypatch):
    made = Module()
    monkeypatch.setattr(store_runs, "modules", lambda: {"my_runs": "my"})
    monkeypatch.setattr(store_runs, "import_module", {"my": made}.get)
    return made


def rows_in(folder):
    text = (folder / "my_runs.json").read_text(encoding="utf-8")
    return {name: value for name, (value, _) in json.loads(text).items()}


def test_all_rows_or_the_named_ones_are_trained(module, tmp_path):
    store_runs.store("my_runs", folder=tmp_path)
    lines = ",\n".join(f'"{row}": [1, "\\u2026"]' for row in "abc")
    text = (tmp_path / "my_runs.json").read_text()
    assert text == "{\n" + lines + "\n}\n"
    module.value, module.trained = 2, []
    store_runs.store("my_runs", only=["b"], folder=tmp_path)
    assert module.trained == ["b"]
    assert rows_in(tmp_path) == {"a": 1, "b": 2, "c": 1}
    module.ROWS = dict.fromkeys("cdb")  # a is no more, d is new
    store_runs.store("my_runs", only=["d"], folder=tmp_path)
    assert [*rows_in(tmp_path)] == ["c", "d", "b"]


def test_what_is_stopped_has_lost_one_row_only(module, tmp_path):
    store_runs.store("my_runs", folder=tmp_path)
    module.value, module.fails = 2, "b"
    with pytest.raises(KeyboardInterrupt):
        store_runs.store("my_runs", folder=tmp_path)
    assert rows_in(tmp_path) == {"a": 2, "b": 1, "c": 1}
    assert (tmp_path / "SHA256SUMS").read_text() == sums.write_sums(tmp_path)


def test_a_full_disk_leaves_the_old_file(module, tmp_path, fill_disk):
    store_runs.store("my_runs", folder=tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    fill_disk()
    with pytest.raises(OSError, match="No space"):
        store_runs.store("my_runs", folder=tmp_path)
    after = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert after == before  # and no draft is left


def test_unknown_files_and_rows_are_named(module, tmp_path):
    with pytest.raises(ValueError, match=r"file: .*'my_runs'.*'yours'"):
        store_runs.store("yours", folder=tmp_path)
    with pytest.raises(ValueError, match=r"rows: \['d'\].*'a', 'b', 'c'"):
        store_runs.store("my_runs", only=["a", "d"], folder=tmp_path)
    assert module.trained == []
