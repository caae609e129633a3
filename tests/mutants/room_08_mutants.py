"""Mistakes in heads that share, and in weights that are no softmax."""

from planting import mutant

NAME = "test_models.py::test_shared_heads_equal_torch"
OTHER = "test_other_weights.py"


@mutant("models.grouped:GroupedClassifier._repeat", NAME)
def heads_take_turns(right, self, matrix):
    split = self._split(right(self, matrix), self.heads)
    return split.swapaxes(1, 2).reshape(len(matrix), -1)


@mutant("models.grouped:GroupedClassifier._add", NAME)
def only_the_first_head_of_a_group_learns(right, self, found, i, grads):
    for name in ("w_k", "w_v"):
        split = self._split(found[name], self.heads).copy()
        split[:, :, 1:] = 0
        found[name] = split.reshape(len(split), -1)
    right(self, found, i, grads)


@mutant("models.grouped:GroupedClassifier.cached_numbers", NAME)
def values_are_not_counted(right, self):
    return self.parameters["w_k"].shape[1]


@mutant(
    "torch_bridge.normalizers:NormalizerNetwork.weigh",
    f"{OTHER}::test_weights_by_hand",
)
def scores_are_not_scaled_or_divided(right, self, query, key):
    return right(self, query, key) * key.shape[-2]
