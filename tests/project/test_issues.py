"""The forms for issues are those that GitHub accepts."""

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
import yaml

from tools.author import blocks

FOLDER = Path(__file__).parents[2] / ".github" / "ISSUE_TEMPLATE"
FORMS = {
    path.name: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted(FOLDER.glob("*.yml"))
    if path.name != "config.yml"
}
# What a field may have, by its type.
KNOWN = {
    "markdown": {"value"},
    "input": {"label", "description", "placeholder", "value"},
    "textarea": {"label", "description", "placeholder", "value", "render"},
}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_one(name):
    form = FORMS[name]
    assert {"name", "description", "body"} <= {*form}
    assert {*form} <= {"name", "description", "body", "title", "labels"}
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    names = [field["id"] for field in fields]
    assert names and len({*names}) == len(names)
    labels = [field["attributes"]["label"] for field in fields]
    assert len({*labels}) == len(labels)
    for field in form["body"]:
        assert {*field["attributes"]} <= KNOWN[field["type"]]
        assert {*field} <= {"type", "id", "attributes", "validations"}
        asked = field.get("validations", {"required": True})
        assert [*asked] == ["required"] and asked["required"] is True
    assert any("validations" in field for field in fields)


def test_there_is_a_form_for_each_reason():
    assert sorted(FORMS) == ["doubt.yml", "error.yml", "start.yml"]


def test_a_link_fills_the_claim():
    link = re.search(r"new\?([^)]*)", blocks.doubt("C25"))[1]
    asked = dict(parse_qsl(link, keep_blank_values=True))
    form = FORMS[asked.pop("template")]
    assert asked.pop("title") == "C25: "
    assert asked == {"claim": "C25"}
    assert form["body"][1]["id"] == "claim"
    assert form["title"] == "C00: "  # what the link replaces
