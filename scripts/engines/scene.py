"""Scenes as `drystone scenes --export` writes them (docs/scene-export.schema.json)."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

# Bodies whose boxes are farther apart than this are not asked about, and engines that have a margin report contacts up to it, m.
MARGIN = 0.01


@dataclass
class Body:
    """A body at a pose. Shapes are in the body frame, m."""

    name: str
    is_dynamic: bool
    vertices: np.ndarray  # (n, 3), of the surface
    triangles: np.ndarray  # (m, 3), counter-clockwise seen from outside
    tetrahedra: tuple[np.ndarray, np.ndarray] | None  # vertices (k, 3), corners (l, 4)
    position: np.ndarray  # (3,), world frame
    xyzw: np.ndarray  # (4,), unit, body frame to world

    @cached_property
    def rotation(self) -> np.ndarray:
        """(3, 3), body frame to world."""
        x, y, z, w = self.xyzw
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )

    @cached_property
    def pose(self) -> np.ndarray:
        """(4, 4), body frame to world."""
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = self.rotation, self.position
        return pose

    @cached_property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The lower and upper corner of the box around it, world axes."""
        placed = self.vertices @ self.rotation.T + self.position
        return placed.min(axis=0), placed.max(axis=0)

    @cached_property
    def is_convex(self) -> bool:
        corners = self.vertices[self.triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        heights = np.einsum("ij,kj->ik", normals, self.vertices) - np.einsum("ij,ij->i", normals, corners[:, 0])[:, None]
        return bool(heights.max() < 1e-9 * np.ptp(self.vertices))

    @cached_property
    def box(self) -> np.ndarray | None:
        """Half the edges, (3,), if it is a box about its origin along its axes."""
        low, high = self.vertices.min(axis=0), self.vertices.max(axis=0)
        size = np.abs(high - low).max()
        at_corner = np.minimum(np.abs(self.vertices - low), np.abs(self.vertices - high)) < 1e-9 * size
        is_box = len(self.vertices) == 8 and at_corner.all() and np.allclose(low, -high, atol=1e-9 * size)
        return high if is_box else None

    def write_obj(self, path: Path) -> None:
        """Writes the surface as an OBJ file."""
        lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in self.vertices.tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (self.triangles + 1).tolist()]
        path.write_text("\n".join(lines) + "\n")


def read_obj(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of an OBJ file; polygons become fans."""
    vertices, triangles = [], []
    for line in path.read_text().splitlines():
        kind, *values = line.split() or [""]
        if kind == "v":
            vertices.append([float(value) for value in values[:3]])
        elif kind == "f":
            corners = [int(value.split("/")[0]) - 1 for value in values]
            triangles += [[corners[0], corners[k], corners[k + 1]] for k in range(1, len(corners) - 1)]
    vertices, triangles = np.array(vertices, float), np.array(triangles, int)
    # Each place once.
    unique, numbers = np.unique(vertices, axis=0, return_inverse=True)
    return unique, numbers.reshape(-1)[triangles]


def read(folder: Path, step: int) -> list[Body]:
    """The bodies of an exported scene in a step; 0 is the pose at t = 0."""
    scene = json.loads((folder / "scene.json").read_text())
    moment = next(moment for moment in scene["moments"] if moment["step"] == step)
    bodies = []
    for body, state in zip(scene["bodies"], moment["bodies"], strict=True):
        mesh = body["tetrahedra"]
        bodies.append(
            Body(
                body["name"],
                body["kind"] == "dynamic",
                *read_obj(folder / body["surface"]),
                mesh and (np.array(mesh["vertices"], float), np.array(mesh["tetrahedra"], int)),
                np.array(state["position"], float),
                np.array(state["orientation_xyzw"], float),
            )
        )
    return bodies


def near_pairs(bodies: list[Body]) -> list[tuple[int, int]]:
    """Pairs that may touch, by number, of which one can move."""
    pairs = []
    for i, a in enumerate(bodies):
        for j in range(i + 1, len(bodies)):
            b = bodies[j]
            if not (a.is_dynamic or b.is_dynamic):
                continue
            (low_a, high_a), (low_b, high_b) = a.bounds, b.bounds
            if np.all(low_a - MARGIN <= high_b) and np.all(low_b - MARGIN <= high_a):
                pairs.append((i, j))
    return pairs
