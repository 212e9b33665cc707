"""Convex pieces of bodies that are not convex, by CoACD."""

from functools import lru_cache

import coacd
import numpy as np

from .scene import Body

coacd.set_log_level("error")


def convex_pieces(body: Body) -> list[tuple[np.ndarray, np.ndarray]]:
    """Vertices and triangles of each piece; the body itself if it is convex."""
    if body.is_convex:
        return [(body.vertices, body.triangles)]
    return _pieces(body.vertices.tobytes(), body.triangles.astype(np.int32).tobytes())


@lru_cache(maxsize=None)
def _pieces(vertices: bytes, triangles: bytes) -> list[tuple[np.ndarray, np.ndarray]]:
    mesh = coacd.Mesh(np.frombuffer(vertices).reshape(-1, 3), np.frombuffer(triangles, np.int32).reshape(-1, 3))
    pieces = coacd.run_coacd(mesh, threshold=0.02, seed=1)
    return [(np.array(piece[0]), np.array(piece[1])) for piece in pieces]
