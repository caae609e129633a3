"""One model trained in several processes, and a run that is killed."""

import json
import multiprocessing
import os
import shutil
import signal
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from helpers.tasks import running_text  # noqa: E402
from helpers.torch_bridge import shards, train  # noqa: E402
from helpers.torch_bridge.text_model import load_text_model  # noqa: E402
from tools.classes.hub import free_ports  # noqa: E402

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


def process(rank, count, port, arguments, killed_at):
    """What a process does that torchrun has started."""
    os.environ |= {"RANK": f"{rank}", "WORLD_SIZE": f"{count}"}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": f"{port}"}
    step = train.DistributedTraining.step

    def killed(run):
        if run.done == killed_at and rank == count - 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return step(run)

    train.DistributedTraining.step = killed
    train.main(arguments)


def run(count, arguments, killed_at=None):
    """Run in forked processes; return their exit codes."""
    context = multiprocessing.get_context("fork")
    given = count, *free_ports(1), arguments, killed_at
    started = [
        context.Process(target=process, args=(rank, *given), daemon=True)
        for rank in range(count)
    ]
    for each in started:
        each.start()
    for each in started:
        each.join(120)
    return [each.exitcode for each in started]


@needs_fork
def test_two_processes_compute_what_one_computes(tmp_path, text, capfd):
    one, two = tmp_path / "one", tmp_path / "two"
    train.main(arguments(one, text, "--dropout=0"))
    assert run(2, arguments(two, text, "--dropout=0")) == [0, 0]
    assert len(losses(one)) == 20
    np.testing.assert_allclose(losses(two), losses(one), atol=1e-5)
    model, kept = load_text_model(two / "model")
    other, _ = load_text_model(one / "model")
    for mine, theirs in zip(
        model.parameters(), other.parameters(), strict=True
    ):
        torch.testing.assert_close(mine, theirs, atol=1e-4, rtol=0)
    assert [row["loss"] for row in kept["log"]] == losses(two)


@needs_fork
def test_a_killed_run_goes_on_from_its_last_checkpoint(tmp_path, text, capfd):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert run(2, arguments(whole, text)) == [0, 0]
    codes = run(2, arguments(killed, text), killed_at=9)
    assert codes[1] == -signal.SIGKILL and codes[0] != 0
    assert not (killed / train.LOG).exists()
    capfd.readouterr()
    assert run(2, arguments(killed, text)) == [0, 0]
    assert capfd.readouterr().out.startswith("step 7: ")  # 6 were kept
    assert losses(killed) == losses(whole)  # with dropout, too


def test_what_does_not_fit_is_said(tmp_path, text):
    folder = tmp_path / "run"
    train.main(arguments(folder, text))
    with pytest.raises(SystemExit, match="checkpoint.pt: damaged, or a check"):
        train.main(arguments(folder, text, "--width=32"))
    with pytest.raises(SystemExit, match="there is no such file"):
        train.main(arguments(tmp_path / "other", tmp_path / "no.txt"))
    (tmp_path / "no.txt").write_text("short")
    with pytest.raises(SystemExit, match="5 characters; a model needs"):
        train.main(arguments(tmp_path / "other", tmp_path / "no.txt"))
    (folder / "train_001.npy").write_bytes(b"")
    with pytest.raises(SystemExit, match="train_001.npy: damaged"):
        train.main(arguments(folder, text))
    (folder / shards.INDEX).write_text("{}")
    with pytest.raises(SystemExit, match="shards.json: damaged"):
        train.main(arguments(folder, text))
    shutil.rmtree(folder)
    with pytest.raises(ValueError, match="6 passages cannot be .* 4 process"):
        train.DistributedTraining(
            None, None, rank=0, count=4, batch_size=6, steps=1
        )


def test_a_full_disk_leaves_the_old_checkpoint(tmp_path, text, monkeypatch):
    folder = tmp_path / "run"
    train.main(arguments(folder, text, "--steps=6"))
    before = (folder / train.CHECKPOINT).read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SystemExit, match="No space left on device"):
        train.main(arguments(folder, text, "--steps=12"))
    assert (folder / train.CHECKPOINT).read_bytes() == before
    assert not [*folder.glob("*.part")]


def test_shards_are_the_text(tmp_path):
    shards.write_shards(tmp_path, TEXT, 3)
    found = shards.Shards(tmp_path)
    characters = running_text.Characters(TEXT)
    ids, held_out = running_text.split(characters.ids(TEXT))
    assert np.array_equal(np.concatenate(found.parts), ids)
    assert np.array_equal(found.validation, held_out)
    assert found.characters == characters.vocabulary


def test_processes_share_a_batch(tmp_path):
    shards.write_shards(tmp_path, TEXT, 3)
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
    shards.write_shards(tmp_path, text, 2)
    found = shards.Shards(tmp_path)
    drawn = found.passages(2000, 4, torch.Generator().manual_seed(3))
    starts = {*drawn[:, 0].tolist()}
    assert starts == {*range(0, 20), *range(23, 42)}  # 23 + 22 characters
    assert torch.equal(drawn - drawn[:, :1], torch.arange(4).expand(2000, 4))
