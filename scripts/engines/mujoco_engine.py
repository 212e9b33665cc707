"""MuJoCo: convex geoms, several contacts a pair (multiccd, which is on by default since version 4)."""

import mujoco
import numpy as np

from .convex_pieces import convex_pieces
from .scene import MARGIN, Body

VERSION = f"MuJoCo {mujoco.__version__}"


def _contacts(a: Body, b: Body, pieces):
    spec = mujoco.MjSpec()
    spec.compiler.boundmass, spec.compiler.boundinertia = 1.0, 1.0
    for name, body in (("a", a), ("b", b)):
        x, y, z, w = body.xyzw
        own = spec.worldbody.add_body(name=name, pos=body.position, quat=[w, x, y, z])
        if body.is_dynamic:
            own.add_freejoint()
        for k, (vertices, triangles) in enumerate(pieces(body)):
            mesh = spec.add_mesh(name=f"{name}{k}", uservert=vertices.ravel(), userface=np.ravel(triangles))
            # Where a mesh is in its body is taken over from its own frame.
            own.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=mesh.name, margin=MARGIN)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    first = model.body("a").id
    found = []
    for contact in data.contact:
        bodies = [model.geom_bodyid[geom] for geom in (contact.geom1, contact.geom2)]
        if bodies[0] != bodies[1]:
            sign = 1.0 if bodies[0] == first else -1.0
            found.append((contact.pos.copy(), sign * contact.frame[:3], contact.dist))
    return found


def _tetrahedra(body: Body):
    if body.tetrahedra is None:
        raise ValueError(f"{body.name} has no tetrahedra")
    vertices, corners = body.tetrahedra
    faces = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])
    return [(vertices[tetrahedron], faces) for tetrahedron in corners]


CONFIGURATIONS = {
    "mujoco-hull": lambda a, b: _contacts(a, b, lambda body: [(body.vertices, body.triangles)]),
    "mujoco-coacd": lambda a, b: _contacts(a, b, convex_pieces),
    "mujoco-tetrahedra": lambda a, b: _contacts(a, b, _tetrahedra),
}
