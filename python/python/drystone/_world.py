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


class Interaction(NamedTuple):
    """What happens between two bodies that touch."""

    friction: float | tuple[float, float, float]
    """The coefficient of sliding, or three: along both tangents of a contact, and of drilling about its normal (m)"""
    restitution: float = 0.0
    """The share of the normal approach velocity that comes back, 0 to 1"""


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


POINT_PROJECTION = RAY_HIT
"""The point of a surface that is closest to a point: the number of its body, the signed distance (m, negative inside), the point of the surface (m) and
the outward normal there, world frame. Where there is none the distance is infinite and the body the largest number."""

SHAPE_HIT = np.dtype(
    [
        ("body", np.uint64),
        ("fraction", np.float64),
        ("distance", np.float64),
        ("point_a", np.float64, (3,)),
        ("point_b", np.float64, (3,)),
        ("normal", np.float64, (3,)),
    ]
)
"""Where a moving shape touches a body: its number, the share of the motion before that, and there the distance (m), the closest points of the moving
shape (A) and of the body (B, m) and the unit direction from A to B, world frame. If they overlap where the motion begins the fraction and the distance are
zero, and points and normal are not numbers. Where nothing is touched fraction and distance are infinite and the body the largest number."""


def _world_of(snapshot: bytes, threads: int, generator: Generator | None) -> World:
    return World.from_snapshot(snapshot, threads=threads, generator=generator)
