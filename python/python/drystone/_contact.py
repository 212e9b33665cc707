"""Contacts as structured arrays."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class FeatureKind(IntEnum):
    """What a contact comes from. Numbers of features are those of the shape's own numbering."""

    VERTEX = 0
    """A vertex of the tetrahedral mesh."""
    EDGE = 1
    """An edge of the tetrahedral mesh."""
    FACE = 2
    """A face of the tetrahedral mesh."""
    TETRAHEDRON = 3
    """A tetrahedron."""
    FACET = 4
    """A flat part of the surface."""
    FACET_EDGE = 5
    """A border between two facets."""
    FACET_VERTEX = 6
    """A vertex where borders meet."""
    PIECE_FACE = 7
    """A face of a convex piece."""
    PIECE_EDGE = 8
    """An edge of a convex piece."""
    PIECE_VERTEX = 9
    """A vertex of a convex piece."""
    SURFACE = 10
    """A smooth part of a primitive's surface."""
    OVERLAP = 11
    """A part of the intersection of two shapes that are deep in each other."""


FEATURE = np.dtype([("kind", np.uint32), ("index", np.uint32)])
"""A feature of a shape: a :class:`FeatureKind` and a number."""

CONTACT = np.dtype(
    [
        ("position", np.float64, (3,)),
        ("normal", np.float64, (3,)),
        ("gap", np.float64),
        ("feature_a", FEATURE),
        ("feature_b", FEATURE),
    ]
)
"""A contact: position (m) and unit normal from A to B, both in world axes; gap along the normal (m), positive apart and
negative penetrating; the features that it comes from."""

VERDICT = np.dtype(
    {
        "names": ["kept", "rejected_by_a", "rejected_by_b", "merged_into"],
        "formats": [np.bool_, np.bool_, np.bool_, np.int32],
        "offsets": [0, 1, 2, 4],
        "itemsize": 8,
    }
)
"""What the normal-cone filter says of a contact: whether it is kept; of which shapes no normal cone holds its normal, or no feature is near; the
number of the contact that says the same and is kept, or -1."""


def contact_array(
    position: ArrayLike,
    normal: ArrayLike,
    gap: ArrayLike,
    feature_a: NDArray[np.void] | None = None,
    feature_b: NDArray[np.void] | None = None,
) -> NDArray[np.void]:
    """Contacts from their parts.

    Args:
        position: Points, world frame, m, shape (n, 3).
        normal: Unit directions from A to B, world frame, shape (n, 3).
        gap: Distances along the normals, m, shape (n,): positive apart, negative penetrating.
        feature_a: Features of A, dtype :data:`FEATURE`, shape (n,). Without them the n-th contact has the n-th surface.
        feature_b: Features of B.

    Raises:
        ValueError: The arrays do not have these shapes.

    >>> contacts = contact_array([[0, 0, 0]], [[0, 1, 0]], [-0.01])
    >>> contacts["gap"]
    array([-0.01])
    """
    gaps = np.asarray(gap, dtype=np.float64)
    if gaps.ndim != 1:
        raise ValueError(f"gap has the shape {gaps.shape}; it must be (n,)")
    contacts = np.zeros(len(gaps), dtype=CONTACT)
    contacts["gap"] = gaps
    parts: list[tuple[str, Any]] = [("position", position), ("normal", normal)]
    for name, part in parts:
        vectors = np.asarray(part, dtype=np.float64)
        if vectors.size == 0:
            vectors = vectors.reshape(0, 3)
        if vectors.shape != (len(gaps), 3):
            raise ValueError(f"{name} has the shape {vectors.shape}; it must be ({len(gaps)}, 3), as gap has {len(gaps)}")
        contacts[name] = vectors
    for name, features in [("feature_a", feature_a), ("feature_b", feature_b)]:
        if features is None:
            contacts[name]["kind"] = FeatureKind.SURFACE
            contacts[name]["index"] = np.arange(len(gaps))
        else:
            contacts[name] = features
    return contacts
