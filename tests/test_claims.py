"""What was measured decides a verdict's word, and fills its text."""

import re

import numpy as np
import pytest

from helpers import claims
from helpers.claims import numbers, pairs, words

HEAD = """\
+++
claim = "A fox sees a dog."
said = ["Aesop"]
found = "Half true"
held = "✓✗"
tested = "one fox"
+++
"""
KNOWN = {"claim", "said", "found", "tested", "untested", "kind"}
KNOWN |= {"held", "condition"}
YES, NO, OPEN = {"a": True}, {"b": False}, {"c": None}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (dict(parts=YES | {"b": np.True_}), "True"),
        (dict(parts=YES | NO), "Half true"),
        (dict(parts=NO), "False as stated"),
        (dict(parts=YES | NO | OPEN), "Half true"),
        (dict(parts=NO | OPEN), "Not decided here"),
        (dict(under=YES | NO | OPEN), "True if"),
        (dict(under=YES | NO), "True if"),
        (dict(under=YES), "True"),
        (dict(under=NO), "False as stated"),
        (dict(under=YES | OPEN), "Not decided here"),
    ],
)
def test_the_word_follows(given, wanted):
    assert words.word(**given) == wanted


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({}, ValueError, "one of them"),
        (dict(parts=YES, under=NO), ValueError, "one of them"),
        (dict(parts={"a": 0.9}), TypeError, "'a': .*0.9"),
        (dict(under={"a": "yes"}), TypeError, "'a': .*'yes'"),
    ],
)
def test_statements_are_of_one_kind_and_hold_or_not(given, error, said):
    with pytest.raises(error, match=said):
        words.word(**given)


def test_a_text_takes_numbers_and_none_is_left_over():
    runs = np.array([0.9, 0.94])
    text = "{r:.1%}, {r:±.1%}, {n:,}, {low:.2f}, {gap:.0e}, {said}, {d[x]:.1f}"
    text += "; {low:+.1p} points, {r:.0p}"
    given = dict(r=runs, n=np.int64(3305), low=-0.116, gap=1e-12, said="few")
    filled = "92.0%, 92.0 ± 2.8%, 3,305, −0.12, 1e-12, few, 0.5"
    filled += "; −11.6 points, 92"
    assert numbers.fill(text, given | {"d": {"x": 0.5}}) == filled
    for wrong in (
        {"n": 1}, {"one": 1, "two": 2}, {"one": np.nan}, {"one": []},
    ):  # fmt: skip
        with pytest.raises(ValueError, match="numbers"):
            numbers.fill("{one:.1f}", wrong)
    with pytest.raises(ValueError, match=r"no 'y' in \['x'\]"):
        numbers.fill("{d[y]:.1f}", {"d": {"x": 0.5}})


def test_pairs_say_when_they_cannot_tell():
    one = np.array([0.90, 0.92, 0.95, 0.91, 0.93])
    found = claims.paired(one, one - [0.02, 0.03, 0.02, 0.03, 0.02])
    assert found.mean == pytest.approx(0.024)
    assert str(found) == "+0.024 ± 0.002 (standard error of 5 pairs)"
    assert [found.above(m) for m in (0.01, 0.024, 0.1)] == [True, None, False]
    assert [found.at_most(m) for m in (0.01, 0.024, 0.1)] == [
        False,
        None,
        True,
    ]
    assert [found.within(m) for m in (0.1, 0.024, 0.01)] == [True, None, False]
    for wrong in ([1.0], [1.0, np.nan], [[1.0, 2.0]], [1.0, 2.0, 3.0]):
        with pytest.raises(ValueError, match="one, other"):
            claims.paired(wrong, [0.0] * min(len(wrong), 2))


@pytest.mark.parametrize("count", [2, 5, 40])
def test_intervals_hold_the_truth_in_95_of_100_experiments(count):
    drawn = np.random.default_rng(0).normal(3, 2, (4000, count))
    found = [claims.paired(row, 0 * row) for row in drawn]
    inside = np.mean([each.low <= 3 <= each.high for each in found])
    assert inside == pytest.approx(0.95, abs=0.01)


def test_quantiles_are_those_of_student():
    assert len(pairs.QUANTILES) == 30
    assert list(pairs.QUANTILES) == sorted(pairs.QUANTILES, reverse=True)


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """What `verdict` shows, with a folder of one claim."""
    found = []
    monkeypatch.setattr(claims, "FOLDER", tmp_path)
    monkeypatch.setattr(
        claims, "display", lambda data, **more: found.append((data, more))
    )
    (tmp_path / "C99.md").write_text(f"{HEAD}Seen {{n}} times.")
    return found


def test_a_verdict_is_shown_and_stored(shown):
    claims.verdict("C99", {"sees": np.True_, "is a fox": False}, n=3)
    [(data, more)] = shown
    stored = more["metadata"]["text/markdown"]["verdict"]
    assert stored["word"] == stored["title"] == "Half true"
    assert stored["parts"] == [("sees", True), ("is a fox", False)]
    page = data["text/markdown"]
    assert page.startswith("<details><summary>Verdict C99")
    for part in ("> A fox sees a dog.", "- ✗ is a fox", "Seen 3 times."):
        assert part in page
    assert data["text/plain"].startswith("C99: **Half true.**")


def test_another_verdict_than_the_course_found_says_so(shown):
    claims.verdict("C99", under={"it is near": True, "far": False}, n=3)
    stored = shown[0][1]["metadata"]["text/markdown"]["verdict"]
    assert stored["title"] == f"True if {claims.SOME}"
    assert stored["parts"] == [("if it is near", True), ("if far", False)]
    assert "found something else here: Half true." in stored["text"]
    with pytest.raises(ValueError, match=r"expected one of \['C99'\], got"):
        claims.verdict("C98", {"sees": True})


def test_the_same_word_from_other_statements_says_so(shown, tmp_path):
    head = HEAD.replace('"Half true"', '"True if"\ncondition = "it is near"')
    (tmp_path / "C99.md").write_text(f"{head}Seen.")
    for near in (True, False):
        claims.verdict("C99", under={"near": near, "far": not near})
    course, other = (data["text/markdown"] for data, _ in shown)
    assert "**True if it is near.**\n\n- ✓ if near\n- ✗ if far" in course
    assert f"**True if {claims.SOME}.**\n\n- ✗ if near" in other
    assert "found something else here: True if it is near." in other
    assert "found something else" not in course


def test_an_identity_is_shown_openly(shown, tmp_path):
    file = tmp_path / "C99.md"
    file.write_text(
        f"{HEAD}Seen.".replace("found", 'kind = "identity"\nfound')
    )
    claims.identity("C99", {"sees": True, "is a fox": False})
    claims.identity("C99", {"sees": False})
    found = [data["text/markdown"] for data, _ in shown]
    stored = shown[0][1]["metadata"]["text/markdown"]["verdict"]
    assert (stored["kind"], stored["word"]) == ("identity", "Half true")
    assert found[0] == (
        "> A fox sees a dog.\n\n**Half true.**\n\n"
        "- ✓ sees\n- ✗ is a fox\n\nSeen."
    )
    assert found[1].startswith(
        "> A fox sees a dog.\n\n**False as stated.** *The"
    )
    assert "found something else here: Half true." in found[1]
    with pytest.raises(ValueError, match="of the kind 'identity'"):
        claims.verdict("C99", {"sees": True})


def test_a_claim_that_points_to_another_has_no_verdict(shown, tmp_path):
    head = HEAD.replace('found = "Half true"', 'same_as = "C98"')
    (tmp_path / "C99.md").write_text(head)
    for show in (claims.verdict, claims.identity):
        with pytest.raises(ValueError, match="C99 is decided by C98"):
            show("C99", {"sees": True})


@pytest.mark.parametrize(
    "path", sorted(claims.FOLDER.glob("*.md")), ids=lambda path: path.stem
)
def test_a_file_has_its_parts_and_no_number_but_places(path):
    head, text = claims.read(path.stem)
    assert head["claim"] and head["said"]
    if "same_as" in head:
        assert {*head} == {"claim", "said", "same_as"} and not text
        return
    assert {"claim", "said", "found", "tested"} <= {*head} <= KNOWN
    assert head["found"] in words.WORDS
    assert ("held" in head) == (head["found"] not in (words.TRUE, words.FALSE))
    assert ("condition" in head) == (head["found"] == words.TOGETHER)
    assert {*head.get("held", "")} <= {*claims.MARKS.values()}
    assert head.get("kind", "trial") in ("trial", "identity")
    free = re.sub(
        r"\{[^}]*\}|\$[^$]*\$|`[^`]*`|notebook \d|C\d\d|\b[01]\b", "", text
    )
    assert re.findall(r"\b\d+", free) == []
