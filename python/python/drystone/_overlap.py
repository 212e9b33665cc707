"""Overlaps as structured arrays."""

from __future__ import annotations

import numpy as np

OVERLAP = np.dtype([("depth", np.float64), ("volume", np.float64), ("position", np.float64, (3,))])
"""How far two shapes are in each other: the depth of the deepest part of their intersection (m), the volume of all of it (m³), and the middle of the
deepest part, world frame (m). Depth and volume of shapes that do not overlap are zero, and the position is not a number."""

WORLD_OVERLAP = np.dtype([("body_a", np.uint64), ("body_b", np.uint64), *((name, OVERLAP[name]) for name in OVERLAP.names or ())])
"""Two bodies that are in each other, and how far, as of :data:`OVERLAP`."""
