"""Two ways to follow a gradient downhill."""

import math

import numpy as np

from helpers import validation


class SGD:
    """Plain gradient descent: every array moves against its gradient.

    arrays: {name: array}, changed in place by `step`. rate: step size.
    """

    def __init__(self, arrays, rate):
        self.arrays = arrays
        self.rate = validation.real_number("rate", rate)

    def step(self, gradients):
        """Move by one step; gradients: {name: array of the same shape}."""
        for name, gradient in gradients.items():
            self.arrays[name] -= self.rate * gradient


class Adam:
    """Gradient descent with a step size of its own for every number.

    Kingma and Ba (2015), *Adam: A Method for Stochastic Optimization*,
    algorithm 1, with its names in the comments.

    arrays: {name: array}, changed in place by `step`. rate: step size.
    beta1, beta2: how much of the running means is kept at each step.
    """

    def __init__(self, arrays, rate, beta1=0.9, beta2=0.999, epsilon=1e-8):
        self.arrays = arrays
        self.rate = validation.real_number("rate", rate)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.steps = 0  # t
        self.mean = {n: np.zeros_like(a) for n, a in arrays.items()}  # m
        self.square = {n: np.zeros_like(a) for n, a in arrays.items()}  # v

    def step(self, gradients):
        """Move by one step; gradients: {name: array of the same shape}."""
        self.steps += 1
        # Both means started at 0: divide by the share filled so far. As at
        # the end of section 2, on two numbers, not on all the arrays.
        filled = 1 - self.beta1**self.steps
        filled_root = math.sqrt(1 - self.beta2**self.steps)
        rate = self.rate * filled_root / filled
        epsilon = self.epsilon * filled_root
        for name, gradient in gradients.items():
            mean, square = self.mean[name], self.square[name]
            mean *= self.beta1
            mean += (1 - self.beta1) * gradient
            square *= self.beta2
            square += (1 - self.beta2) * gradient**2
            self.arrays[name] -= rate * mean / (np.sqrt(square) + epsilon)
