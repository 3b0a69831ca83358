"""Tell networks that differ by rounding alone from others.

PyTorch folds batch norms in single precision, and on another processor rounds otherwise: some
weights then differ in their last bit. A file that differs no more than that is not written anew.
"""

from __future__ import annotations

import math

import numpy as np
import onnx

MAX_ROUNDING = 1e-6
"""Weights that differ by more were made of something else."""


def choose_bytes(shipped_bytes: bytes | None, made_bytes: bytes) -> bytes:
    """Return the shipped network if the one just made differs from it by rounding alone."""
    if shipped_bytes is not None and largest_difference(shipped_bytes, made_bytes) <= MAX_ROUNDING:
        return shipped_bytes
    return made_bytes


def largest_difference(first: bytes, other: bytes) -> float:
    """Return by how much weights of two networks differ at most; inf if anything else does."""
    networks = [onnx.load_from_string(each) for each in (first, other)]
    weights = [[onnx.numpy_helper.to_array(w) for w in net.graph.initializer] for net in networks]
    for network in networks:
        for weight in network.graph.initializer:
            weight.ClearField("raw_data")
    if networks[0] != networks[1]:
        return math.inf
    pairs = zip(*weights, strict=True)
    return float(np.max([np.abs(a - b).max(initial=0) for a, b in pairs], initial=0))
