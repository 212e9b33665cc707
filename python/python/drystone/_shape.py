"""What shapes are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class MassProperties(NamedTuple):
    """The mass properties of a shape of one density."""

    volume: float
    """m³"""
    mass: float
    """kg"""
    centre: NDArray[np.float64]
    """Centre of mass in the frame of the shape, m, shape (3,)."""
    inertia: NDArray[np.float64]
    """Inertia tensor about the centre of mass, axes of the shape's frame, kg m², shape (3, 3)."""
