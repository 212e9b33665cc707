"""rapier: hulls, convex pieces, and triangle meshes; what its narrow phase finds without a step. In single precision."""

from importlib.metadata import version

import numpy as np
import rapier3d

from .convex_pieces import convex_pieces
from .scene import MARGIN, Body

VERSION = f"rapier {version('rapier3d')}"

# What rapier recommends for meshes of solids.
OF_SOLIDS = rapier3d.TriMeshFlags.ORIENTED | rapier3d.TriMeshFlags.FIX_INTERNAL_EDGES


def _hull(body: Body):
    if body.box is not None:
        return [rapier3d.SharedShape.cuboid(*body.box.tolist())]
    return [rapier3d.SharedShape.convex_hull(body.vertices.tolist())]


def _pieces(body: Body):
    return _hull(body) if body.is_convex else [rapier3d.SharedShape.convex_hull(v.tolist()) for v, _ in convex_pieces(body)]


def _mesh(body: Body):
    if body.is_convex:
        return _hull(body)
    return [rapier3d.SharedShape.trimesh(body.vertices.tolist(), body.triangles.tolist(), OF_SOLIDS)]


def _contacts(a: Body, b: Body, shapes):
    world = rapier3d.PhysicsWorld()
    world.integration_parameters.normalized_prediction_distance = MARGIN
    own = []
    for body in (a, b):
        builder = rapier3d.RigidBody.dynamic() if body.is_dynamic else rapier3d.RigidBody.fixed()
        x, y, z, w = body.xyzw.tolist()
        pose = rapier3d.Isometry3(body.position.tolist(), rapier3d.Rotation3(w, x, y, z))
        handle = world.add_body(builder.position(pose))
        own.append([world.add_collider(rapier3d.Collider.new(shape), handle) for shape in shapes(body)])
    world.detect_collisions()
    found = []
    for pair in world.narrow_phase.contact_pairs():
        sides = [next(k for k in (0, 1) if collider in own[k]) for collider in (pair.collider1, pair.collider2)]
        if sides[0] == sides[1]:
            continue
        bodies = [(a, b)[side] for side in sides]
        for manifold in pair.manifolds:
            # From the first to the second.
            normal = (1.0 if sides[0] == 0 else -1.0) * np.array(list(manifold.data.normal))
            # The solver looks at those within this distance alone.
            for point in (p for p in manifold.points if p.dist < MARGIN):
                local = [np.array(list(p)) for p in (point.local_p1, point.local_p2)]
                places = [body.rotation @ p + body.position for body, p in zip(bodies, local)]
                found.append((sum(places) / 2, normal, point.dist))
    return found


CONFIGURATIONS = {
    "rapier-hull": lambda a, b: _contacts(a, b, _hull),
    "rapier-coacd": lambda a, b: _contacts(a, b, _pieces),
    "rapier-mesh": lambda a, b: _contacts(a, b, _mesh),
}
