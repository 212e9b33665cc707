"""Bullet by PyBullet: hulls and triangle meshes; closest points, or the manifold after three tiny steps."""

import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pybullet

from .scene import MARGIN, Body

VERSION = "Bullet 3.2.7 (PyBullet)"

# Steps in which the bodies go nowhere, s: the manifold has four points after three of them.
TINY = 1e-9


@contextmanager
def _world():
    client = pybullet.connect(pybullet.DIRECT)
    try:
        yield client
    finally:
        pybullet.disconnect(client)


def _shape(body: Body, client: int, keeps_holes: bool, knows_boxes: bool) -> int:
    if knows_boxes and body.box is not None:
        return pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=body.box.tolist(), physicsClientId=client)
    if keeps_holes and not body.is_convex:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "body.obj"
            body.write_obj(path)
            concave = pybullet.GEOM_FORCE_CONCAVE_TRIMESH
            return pybullet.createCollisionShape(pybullet.GEOM_MESH, fileName=str(path), flags=concave, physicsClientId=client)
    return pybullet.createCollisionShape(pybullet.GEOM_MESH, vertices=body.vertices.tolist(), physicsClientId=client)


def _contacts(a: Body, b: Body, keeps_holes: bool, by_manifold: bool):
    with _world() as client:
        made = []
        for body in (a, b):
            shape = _shape(body, client, keeps_holes, by_manifold)
            mass = 1.0 if body.is_dynamic else 0.0
            pose = {"basePosition": body.position.tolist(), "baseOrientation": body.xyzw.tolist()}
            made.append(pybullet.createMultiBody(mass, shape, physicsClientId=client, **pose))
        if by_manifold:
            pybullet.setTimeStep(TINY, physicsClientId=client)
            for _ in range(3):
                pybullet.stepSimulation(physicsClientId=client)
            points = pybullet.getContactPoints(*made, physicsClientId=client)
        else:
            pybullet.performCollisionDetection(physicsClientId=client)
            points = pybullet.getClosestPoints(*made, MARGIN, physicsClientId=client)
        # Its normal points from B to A.
        return [((np.array(p[5]) + np.array(p[6])) / 2, -np.array(p[7]), p[8]) for p in points]


CONFIGURATIONS = {
    "bullet-hull": lambda a, b: _contacts(a, b, False, False),
    "bullet-mesh": lambda a, b: _contacts(a, b, True, False),
    "bullet-manifold": lambda a, b: _contacts(a, b, True, True),
}
