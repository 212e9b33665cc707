"""Coal: hulls, one point or a patch; triangle meshes (BVH)."""

import coal
import numpy as np

from .scene import MARGIN, Body

VERSION = f"Coal {coal.__version__}"

# More than any of the scenes has.
MOST = 100_000


def _points(vertices):
    points = coal.StdVec_Vec3s()
    for vertex in vertices:
        points.append(vertex)
    return points


def _hull(body: Body):
    return coal.ConvexBase.convexHull(_points(body.vertices), True, "Qt")


def _mesh(body: Body):
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(len(body.triangles), len(body.vertices))
    triangles = coal.StdVec_Triangle()
    for corners in body.triangles.tolist():
        triangles.append(coal.Triangle(*corners))
    mesh.addSubModel(_points(body.vertices), triangles)
    mesh.endModel()
    return mesh


def _collide(a: Body, b: Body, shape):
    shapes = shape(a), shape(b)
    poses = [coal.Transform3s(body.rotation, body.position) for body in (a, b)]
    request = coal.CollisionRequest()
    request.num_max_contacts, request.security_margin, request.enable_contact = MOST, MARGIN, True
    result = coal.CollisionResult()
    coal.collide(shapes[0], poses[0], shapes[1], poses[1], request, result)
    return shapes, poses, result


def _contacts(a: Body, b: Body, shape):
    _, _, result = _collide(a, b, shape)
    return [(np.ravel(c.pos), np.ravel(c.normal), c.penetration_depth) for c in result.getContacts()]


def _patch(a: Body, b: Body):
    shapes, poses, result = _collide(a, b, _hull)
    patches = coal.ContactPatchResult()
    coal.computeContactPatch(shapes[0], poses[0], shapes[1], poses[1], result, coal.ContactPatchRequest(), patches)
    found = []
    for k in range(patches.numContactPatches()):
        patch = patches.getContactPatch(k)
        normal = np.ravel(patch.getNormal())
        found += [(np.ravel(patch.getPoint(i)), normal, patch.penetration_depth) for i in range(patch.size())]
    return found


CONFIGURATIONS = {
    "coal-hull": lambda a, b: _contacts(a, b, _hull),
    "coal-patch": _patch,
    "coal-mesh": lambda a, b: _contacts(a, b, _mesh),
}
