"""Poses as 4 x 4 matrices. Every name of a quaternion says the order of its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def pose(
    position: ArrayLike = (0.0, 0.0, 0.0),
    *,
    xyzw: ArrayLike | None = None,
    wxyz: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """A rigid motion: a rotation, then a translation, from body to world frame.

    Args:
        position: The translation, m, shape (3,), or (n, 3) for n poses.
        xyzw: The rotation as a quaternion with the scalar last, shape (4,) or (n, 4). It is normalised.
        wxyz: The rotation as a quaternion with the scalar first. Without either there is no rotation.

    Returns:
        A matrix of shape (4, 4), or (n, 4, 4).

    Raises:
        ValueError: Both quaternions are given, a shape is wrong, or a number is not finite.

    >>> pose((1, 2, 3))
    array([[1., 0., 0., 1.],
           [0., 1., 0., 2.],
           [0., 0., 1., 3.],
           [0., 0., 0., 1.]])
    """
    if xyzw is not None and wxyz is not None:
        raise ValueError("xyzw and wxyz are both given; give one of them")
    points = np.asarray(position, dtype=np.float64)
    if wxyz is not None:
        quaternions = np.roll(_quaternions(wxyz, "wxyz"), -1, axis=-1)
    elif xyzw is not None:
        quaternions = _quaternions(xyzw, "xyzw")
    else:
        quaternions = np.array([0.0, 0.0, 0.0, 1.0])
    if points.ndim not in (1, 2) or points.shape[-1] != 3:
        raise ValueError(f"position has the shape {points.shape}; it must be (3,) or (n, 3)")
    if not np.isfinite(points).all():
        raise ValueError("position holds a number that is not finite")
    shape = np.broadcast_shapes(points.shape[:-1], quaternions.shape[:-1])
    x, y, z, w = np.moveaxis(quaternions, -1, 0)
    matrix = np.zeros((*shape, 4, 4))
    matrix[..., 0, 0] = 1 - 2 * (y * y + z * z)
    matrix[..., 0, 1] = 2 * (x * y - z * w)
    matrix[..., 0, 2] = 2 * (x * z + y * w)
    matrix[..., 1, 0] = 2 * (x * y + z * w)
    matrix[..., 1, 1] = 1 - 2 * (x * x + z * z)
    matrix[..., 1, 2] = 2 * (y * z - x * w)
    matrix[..., 2, 0] = 2 * (x * z - y * w)
    matrix[..., 2, 1] = 2 * (y * z + x * w)
    matrix[..., 2, 2] = 1 - 2 * (x * x + y * y)
    matrix[..., :3, 3] = points
    matrix[..., 3, 3] = 1
    return matrix


def _quaternions(given: ArrayLike, name: str) -> NDArray[np.float64]:
    quaternions = np.asarray(given, dtype=np.float64)
    if quaternions.ndim not in (1, 2) or quaternions.shape[-1] != 4:
        raise ValueError(f"{name} has the shape {quaternions.shape}; it must be (4,) or (n, 4)")
    lengths = np.linalg.norm(quaternions, axis=-1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise ValueError(f"{name} holds a quaternion that is zero or not finite")
    normalised: NDArray[np.float64] = quaternions / lengths
    return normalised
