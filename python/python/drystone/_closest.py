"""Closest points as structured arrays."""

from __future__ import annotations

import numpy as np

CLOSEST = np.dtype(
    [
        ("distance", np.float64),
        ("point_a", np.float64, (3,)),
        ("point_b", np.float64, (3,)),
        ("normal", np.float64, (3,)),
    ]
)
"""The closest points of two shapes: their distance (m), the points of A and B (m) and the unit direction from A to B, world frame. The distance is zero
of shapes that overlap and infinite beyond the distance asked for; points and normal are then not numbers."""
