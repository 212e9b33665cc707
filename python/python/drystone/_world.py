"""What worlds answer with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._contact import CONTACT
from ._drystone import World
from ._generator import Generator


class Energy(NamedTuple):
    """The energy of all bodies that move."""

    kinetic: float
    """J"""
    potential: float
    """In the gravity field, zero at the origin, J."""

    @property
    def total(self) -> float:
        """The sum of both, J."""
        return self.kinetic + self.potential


WORLD_CONTACT = np.dtype(
    [
        ("body_a", np.uint64),
        ("body_b", np.uint64),
        *((name, CONTACT[name]) for name in CONTACT.names or ()),
        ("impulse", np.float64, (4,)),
    ]
)
"""A contact of two bodies: their numbers, the fields of :data:`CONTACT`, and the impulse of the step along the normal, along both tangents (N s)
and about the normal (N m s)."""

RAY_HIT = np.dtype(
    [
        ("body", np.uint64),
        ("distance", np.float64),
        ("position", np.float64, (3,)),
        ("normal", np.float64, (3,)),
    ]
)
"""Where a ray meets a body: its number, the distance (m), the point (m) and the outward normal, world frame. Where there is none the distance is
infinite and the body the largest number."""


def _world_of(snapshot: bytes, threads: int, generator: Generator | None) -> World:
    return World.from_snapshot(snapshot, threads=threads, generator=generator)
