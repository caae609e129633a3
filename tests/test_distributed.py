"""`make train`: several processes, runs that are stopped, its folder."""

import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import torch

from helpers.tasks import running_text
from helpers.torch_bridge import shards, train
from helpers.torch_bridge.text_model import load_text_model
from tools.classes.hub import free_ports

TEXT = "The cat sat on the mat, and the dog sat on the log. Why? " * 60
SMALL = ["--layers=1", "--width=16", "--num-heads=2", "--context=16",
         "--batch-size=6", "--steps=20", "--warm-up=5", "--log-every=1",
         "--save-every=6", "--shards=3", "--dropout=0.1"]  # fmt: skip
# Python 3.12 and newer warn, but nothing runs in the threads of pytest-xdist.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
needs_fork = pytest.mark.skipif(
    not hasattr(os, "fork") or sys.platform == "darwin",
    reason="the processes of these tests are forked",
)


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "a text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def arguments(folder, text, *more):
    return [f"--folder={folder}", f"--text={text}", *SMALL, *more]


def losses(folder):
    lines = (folder / train.LOG).read_text().splitlines()
    return [json.loads(line)["loss"] for line in lines]


def process(rank, count, port, arguments, ending):
    """What a process does that torchrun has started; how its first run ends.

    ending: None, or (which process, after which step, "step" or "save", which
    signal it gets then).
    """
    os.environ |= {"RANK": f"{rank}", "WORLD_SIZE": f"{count}"}
    os.environ |= {"LOCAL_RANK": f"{rank}"}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": f"{port}"}
    where, at, during, number = ending or (None, None, "step", None)
    cls = train.DistributedTraining
    goes_on = getattr(cls, during)

    def ends(run, *given):
        if (rank, run.done) == (where, at):
            if during == "save":  # with all bytes written, but not in place
                os.fsync = lambda _: os.kill(os.getpid(), number)
            else:
                os.kill(os.getpid(), number)
        return goes_on(run, *given)

    setattr(cls, during, ends)
    train.main(arguments)


def run(count, arguments, ending=None):
    """Run in forked processes; return their exit codes."""
    context = multiprocessing.get_context("fork")
    given = count, *free_ports(1), arguments, ending
    started = [
        context.Process(target=process, args=(rank, *given), daemon=True)
        for rank in range(count)
    ]
    for each in started:
        each.start()
    for each in started:
        each.join(60)
    return [each.exitcode for each in started]


@needs_fork
def test_two_processes_compute_what_one_computes(tmp_path, text, capfd):
    one, two = tmp_path / "one", tmp_path / "two"
    train.main(arguments(one, text, "--dropout=0"))
    assert run(2, arguments(two, text, "--dropout=0")) == [0, 0]
    assert len(losses(one)) == 20
    np.testing.assert_allclose(losses(two), losses(one), atol=1e-4)
    model, kept = load_text_model(two / "model")
    other, _ = load_text_model(one / "model")
    for mine, theirs in zip(
        model.parameters(), other.parameters(), strict=True
    ):
        torch.testing.assert_close(mine, theirs, atol=1e-3, rtol=0)
    assert [row["loss"] for row in kept["log"]] == losses(two)


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A folder with a text, and a run that has ended."""
    folder = tmp_path_factory.mktemp("begun")
    (folder / "a text.txt").write_text(TEXT, encoding="utf-8")
    train.main(arguments(folder / "run", folder / "a text.txt"))
    return folder


@pytest.fixture(scope="module")
def whole(begun):
    """The losses of two processes that nobody has stopped."""
    assert run(2, arguments(begun / "two", begun / "a text.txt")) == [0, 0]
    found = losses(begun / "two")
    shutil.rmtree(begun / "two")
    return found


@pytest.mark.parametrize(
    "ending, codes, kept",
    [
        ((1, 9, "step", signal.SIGKILL), [3, -9], 6),
        ((0, 12, "save", signal.SIGKILL), [-9, 3], 6),
        ((1, 9, "step", signal.SIGINT), [0, 0], 11),
    ],
)
@needs_fork
def test_it_goes_on(whole, tmp_path, text, capfd, ending, codes, kept):
    ended = tmp_path / "ended"
    assert run(2, arguments(ended, text), ending) == codes
    assert (ended / train.LOG).exists() == (codes == [0, 0])
    said = capfd.readouterr()
    assert "Traceback" not in said.err
    if kept == 11:
        assert f"stopped after step {kept}" in said.out
        assert load_text_model(ended / "model")[1]["log"][-1]["step"] == kept
    assert run(2, arguments(ended, text)) == [0, 0]
    assert f"goes on after step {kept} of 20" in capfd.readouterr().out
    assert losses(ended) == whole  # with dropout, too


def test_ctrl_c_reaches_the_processes_that_make_starts(tmp_path, text):
    given = arguments(tmp_path, text, "--steps=100000", "--processes=2")
    with subprocess.Popen(
        [sys.executable, "-m", "helpers.torch_bridge.train", *given],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
    ) as started:
        waited = threading.Timer(60, started.kill)
        waited.start()
        assert started.stdout.readline().startswith("step 1: ")
        waited.cancel()
        started.send_signal(signal.SIGINT)
        said, errors = started.communicate(timeout=60)
    assert "\nstopped after step " in said and "stored: " in said
    assert errors == "" and started.returncode == 0


def files():
    return {p: p.read_bytes() for p in Path().rglob("*") if p.is_file()}


@pytest.mark.parametrize(
    "more, said",
    [
        ("--text=other.txt", "begun with --text a text.txt .not other.txt.;"),
        ("--text=new/a text.txt", "--text a text.txt .not as it is now.;"),
        ("--text=no.txt", "no.txt: there is no such file"),
        ("--text=new", "new: there is a folder, not a file"),
        ("--text=empty.txt", "empty.txt: it is empty"),
        ("--text=utf16.txt", "utf16.txt: byte 1 is not UTF-8 text"),
        ("--text=latin1.txt", "latin1.txt: byte 6 is not UTF-8 text"),
        ("--text=short.txt", "5 characters; a model needs"),
        ("--width=32 --seed=1", r"--width 16 .not 32., --seed 0 .not 1.;"),
        ("--learning-rate=0.004", "--learning-rate 0.008 .not 0.004.;"),
        ("--steps=5", "--steps: 5, but .*checkpoint.pt has made 20"),
        ("--log-every=0", "--log-every: expected at least 1, got 0"),
        ("--processes=0", "--processes: expected at least 1, got 0"),
        ("--processes=4", "--batch-size: 6 cannot .* 4 processes"),
        ("--num-heads=3", "--width: 16 cannot .* 3 heads"),
        ("--learning-rate=nan", "--learning-rate: "),
        ("--context=999 --folder=new", "--context: 999, but .* allow 341"),
        ("--folder=left", "--folder: left holds checkpoint.pt, but no shards"),
    ],
)
def test_what_does_not_fit_is_said(begun, tmp_path, monkeypatch, more, said):
    monkeypatch.chdir(shutil.copytree(begun, tmp_path / "here"))
    other = TEXT.replace("cat", "cow")
    texts = {
        "other": other,
        "new/a text": other,
        "empty": "",
        "short": "five ",
    }
    for name in "new", "left":
        Path(name).mkdir()
    for name, words in texts.items():
        Path(f"{name}.txt").write_text(words)
    Path("utf16.txt").write_bytes(TEXT.encode("utf-16"))
    Path("latin1.txt").write_bytes(("A caf\xe9. " + TEXT).encode("latin1"))
    shutil.copy(Path("run", train.CHECKPOINT), "left")
    kept = files()
    given = arguments("run", "a text.txt") + re.split(" (?=--)", more)
    with pytest.raises(SystemExit, match=f"^make train: .*{said}"):
        train.main(given)
    assert files() == kept


def test_a_text_may_move_and_a_run_may_grow(begun, tmp_path, capsys):
    folder = shutil.copytree(begun, tmp_path / "here")
    moved = (folder / "a text.txt").rename(folder / "moved.txt")
    train.main(arguments(folder / "run", moved, "--steps=22"))
    assert "goes on after step 20 of 22" in capsys.readouterr().out
    assert len(losses(folder / "run")) == 22


@pytest.mark.parametrize(
    "name, data",
    [
        (train.CHECKPOINT, b"PK"),
        ("train_001.npy", b""),
        (shards.INDEX, b"{}"),
        (shards.INDEX, b'{"characters": "ab", "lengths": [9]}'),  # an old one
    ],
)
def test_damage_is_named(begun, tmp_path, name, data):
    folder = shutil.copytree(begun, tmp_path / "here") / "run"
    (folder / name).write_bytes(data)
    with pytest.raises(SystemExit, match=f"{name}: damaged"):
        train.main(arguments(folder, folder.parent / "a text.txt"))


def test_a_full_disk_leaves_the_old_checkpoint(tmp_path, text, fill_disk):
    folder = tmp_path / "run"
    train.main(arguments(folder, text, "--steps=6"))
    before = (folder / train.CHECKPOINT).read_bytes()
    fill_disk()
    with pytest.raises(SystemExit, match="No space left on device"):
        train.main(arguments(folder, text, "--steps=12"))
    assert (folder / train.CHECKPOINT).read_bytes() == before
    assert not [*folder.glob("*.part")]


def test_shards_are_the_text(tmp_path):
    shards.write_shards(tmp_path, TEXT, 3, {})
    found = shards.Shards(tmp_path)
    characters = running_text.Characters(TEXT)
    ids, held_out = running_text.split(characters.ids(TEXT))
    assert np.array_equal(np.concatenate(found.parts), ids)
    assert np.array_equal(found.validation, held_out)
    assert found.characters == characters.vocabulary


def test_processes_share_a_batch(tmp_path):
    shards.write_shards(tmp_path, TEXT, 3, {})
    found = shards.Shards(tmp_path)

    def drawn(rows):
        generator = torch.Generator().manual_seed(1)
        return found.passages(40, 17, generator, rows)

    whole = drawn(slice(None))
    halves = drawn(slice(0, None, 2)), drawn(slice(1, None, 2))
    assert torch.equal(torch.stack(halves, 1).flatten(0, 1), whole)
    texts = ["".join(found.characters[i] for i in row) for row in whole]
    assert all(passage in TEXT for passage in texts)
    assert len({*texts}) > 20
    with pytest.raises(ValueError, match="length: 5000, longer than every"):
        found.passages(1, 5000, torch.Generator())


def test_every_place_of_every_shard_is_drawn(tmp_path):
    """So the arithmetic of starts and shards leaves none out."""
    text = "".join(map(chr, range(32, 82)))  # 45 to train on, all different
    shards.write_shards(tmp_path, text, 2, {})
    found = shards.Shards(tmp_path)
    drawn = found.passages(2000, 4, torch.Generator().manual_seed(3))
    starts = {*drawn[:, 0].tolist()}
    assert starts == {*range(0, 20), *range(23, 42)}  # 23 + 22 characters
    assert torch.equal(drawn - drawn[:, :1], torch.arange(4).expand(2000, 4))
