"""Mistakes in heads that share, and in weights that are no softmax."""

from planting import mutant

NAME = "test_models.py::test_shared_heads_equal_torch"
OTHER = "test_other_weights.py"


@mutant("models.grouped:GroupedClassifier._repeat", NAME)
def heads_take_turns(right, self, name, matrix):
    split = matrix.reshape(len(matrix), -1, self._width(name))
    copies = self.heads // self.key_value_heads
    return right(self, name, matrix).reshape(
        len(matrix), -1, copies, split.shape[2]
    ).swapaxes(1, 2).reshape(len(matrix), -1)  # fmt: skip


@mutant("models.grouped:GroupedClassifier._add", NAME)
def only_the_first_head_of_a_group_learns(right, self, found, i, grads):
    copies = self.heads // self.key_value_heads
    for name in ("w_k", "w_v"):
        rows = len(found[name])
        split = found[name].reshape(rows, -1, copies, self._width(name))
        split[:, :, 1:] = 0
        found[name] = split.reshape(rows, -1)
    right(self, found, i, grads)


@mutant("models.grouped:GroupedClassifier.cached_numbers", NAME)
def values_are_not_counted(right, self):
    return self.parameters["w_k"].shape[1]


@mutant(
    "torch_bridge.other_weights:OtherWeights.weigh",
    f"{OTHER}::test_weights_by_hand",
)
def scores_are_not_scaled_or_divided(right, self, query, key):
    return right(self, query, key) * key.shape[-2]
