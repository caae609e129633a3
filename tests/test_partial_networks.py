"""The networks that notebook 06 and its room build from parts, in PyTorch."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from helpers.torch_bridge import plain_copier  # noqa: E402
from helpers.torch_bridge.partial_model import PartialModel  # noqa: E402

PARTS = dict(layers=2, heads=2, positions=True, feed_forward=True, stream=True)


def logits(ids, **parts):
    torch.manual_seed(0)
    with torch.no_grad():
        return PartialModel(9, width=8, context=6, **parts)(ids)


@pytest.mark.parametrize("parts", [{}, dict(layers=1), PARTS])
def test_no_part_sees_a_later_character(parts):
    ids = torch.arange(6)[None] % 5
    changed = ids.clone()
    changed[0, 4] = 8
    moved = (logits(ids, **parts) != logits(changed, **parts)).any(-1)[0]
    assert not moved[:4].any() and moved[4]
    assert moved[5] == bool(parts)  # without attention, a word is alone


def test_only_positions_tell_the_order():
    one, other = torch.tensor([[1, 2, 3]]), torch.tensor([[2, 1, 3]])
    for positions in (False, True):
        parts = dict(layers=1, positions=positions)
        gap = (logits(one, **parts) - logits(other, **parts))[0, -1].abs()
        assert (gap.max() > 1e-4) == positions


def test_a_text_to_copy_ends_with_its_block_again():
    generator = torch.Generator().manual_seed(1)
    for _ in range(5):
        ids, block = plain_copier.texts(generator)
        first, again = ids[:, -2 * block : -block], ids[:, -block:]
        assert (first == again).all() and ids.shape[1] <= plain_copier.LONGEST
        assert all(len(set(row.tolist())) == block for row in again)


def test_a_curve_has_a_mean_for_each_stretch_of_steps():
    options = dict(steps=4, every=2, learning_rate=1e-3)
    curve = plain_copier.accuracy_curve(0.3, 5, **options)
    assert len(curve) == 2 and np.all(np.less(curve, 0.2))
    assert curve == plain_copier.accuracy_curve(0.3, 5, **options)
