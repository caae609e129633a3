"""What a linear map can read from fixed features."""

import numpy as np

from helpers import validation


class LinearProbe:
    """Least squares from features to classes, with a small ridge.

    Features are standardized, classes are one-hot targets, and the best
    weights have a closed form: no optimizer, no seed. Hoerl and Kennard
    (1970), *Ridge Regression*, equation 2.1. After `fit`, ``weight`` (d,
    classes) and ``bias`` (classes,) hold the map of the features as they
    are: the class of the largest ``features @ weight + bias`` is predicted.

    ridge: the penalty on the squared weights, per training example.
    """

    def __init__(self, ridge=0.01):
        self.ridge = validation.real_number("ridge", ridge, above=0)
        self.weight = self.bias = None

    def fit(self, features, labels):
        """Fit features (n, d) to integer labels (n,); return self."""
        features = _table(features)
        labels = _labels(labels, len(features))
        mean = features.mean(axis=0)  # (d,)
        spread = features.std(axis=0)
        spread = np.where(spread > 1e-9, spread, 1.0)  # (d,)
        z = (features - mean) / spread  # (n, d)
        one_hot = np.eye(labels.max() + 1)[labels]  # (n, classes)
        middle = one_hot.mean(axis=0)  # (classes,)
        gram = z.T @ z / len(z) + self.ridge * np.eye(z.shape[1])  # (d, d)
        slope = np.linalg.solve(gram, z.T @ (one_hot - middle) / len(z))
        self.weight = slope / spread[:, None]  # (d, classes)
        self.bias = middle - mean @ self.weight  # (classes,)
        return self

    def predict(self, features):
        """Return the best class (n,) for features (n, d)."""
        if self.weight is None:
            raise RuntimeError("LinearProbe: call fit before predict")
        features = _table(features)
        if features.shape[1] != len(self.weight):
            raise ValueError(
                f"features: expected {len(self.weight)} columns, as in fit,"
                f" got shape {features.shape}"
            )
        return (features @ self.weight + self.bias).argmax(axis=1)

    @property
    def num_parameters(self):
        """How many numbers were fitted: weights and biases."""
        if self.weight is None:
            return 0
        return self.weight.size + self.bias.size


def _table(features):
    features = validation.float_array("features", features, ndim=2)
    if features.ndim != 2:
        raise ValueError(f"features: expected (n, d), got {features.shape}")
    return features.astype(np.float64, copy=False)


def _labels(labels, count):
    labels = np.asarray(labels)
    if labels.dtype.kind not in "iu":
        raise TypeError(f"labels: expected integers, got {labels.dtype}")
    if labels.shape != (count,) or labels.min() < 0:
        raise ValueError(
            f"labels: expected {count} numbers from 0 up, one per row of"
            f" features, got shape {labels.shape}"
        )
    return labels
