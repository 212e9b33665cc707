"""FCL by python-fcl: triangle meshes (BVH)."""

from importlib.metadata import version

import fcl
import numpy as np

from .scene import Body

VERSION = f"FCL (python-fcl {version('python-fcl')})"


def _contacts(a: Body, b: Body):
    objects = []
    for body in (a, b):
        mesh = fcl.BVHModel()
        mesh.beginModel(len(body.vertices), len(body.triangles))
        mesh.addSubModel(body.vertices, body.triangles)
        mesh.endModel()
        objects.append(fcl.CollisionObject(mesh, fcl.Transform(body.rotation, body.position)))
    result = fcl.CollisionResult()
    fcl.collide(*objects, fcl.CollisionRequest(num_max_contacts=100_000, enable_contact=True), result)
    # Some contacts of parallel triangles have no normal.
    return [(np.array(c.pos), np.array(c.normal), -c.penetration_depth) for c in result.contacts if np.any(c.normal)]


CONFIGURATIONS = {"fcl-mesh": _contacts}
