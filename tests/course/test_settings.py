"""Which numbers of a text are those that a run was set up with."""

import pytest

from helpers.experiments.stored import temperature_runs
from helpers.torch_bridge import text_model
from helpers.torch_bridge.stored import stair_runs

from . import measured, planted, settings


def used(*sources):
    """The modules that the last cell uses, if the others stand above it."""
    cells = [planted.code(source) for source in sources]
    notebook = planted.finish(cells, "02")
    return settings.of(notebook, cells[-1:])


@pytest.mark.parametrize(
    "source, module",
    [
        ("temperature_runs.run(1)", temperature_runs),
        ("x = [again.ROWS for _ in 'ab']", temperature_runs),
        ("stored.load('stair_runs')", stair_runs),
        ("write(1, 2)", text_model),
    ],
)
def test_a_cell_uses_the_module_that_set_up_its_runs(source, module):
    above = (
        "from helpers.experiments import stored\n"
        "from helpers.experiments.stored import temperature_runs\n"
        "from helpers.experiments.stored import temperature_runs as again\n"
        "from helpers.torch_bridge.text_model import text_arrays as write"
    )
    assert module in used(above, source)
    assert used(above, source, "x = 1") == set()


def test_only_numbers_of_the_code_count():
    text = settings.constants(temperature_runs)
    assert "200" in measured.numbers(text)
    assert not any(each.isalpha() for each in text.replace("e-", ""))


def test_what_is_about_a_number_may_be_rounded():
    def problems(text, *seen):
        return measured._unknown(text, set(seen), lambda number: True)

    assert problems("about 3.5 nats", "3.52") == []
    assert problems("about 3.5 nats", "3.42", "3.6")
    assert problems("about 0.0625", "0.06")
    assert problems("exactly 3.5 nats", "3.52")
    assert problems("`0.004` and (about 20 seconds)") == []
    assert problems("about 20 seconds")
