"""Newton on the CPU (Warp), in single precision: hulls and triangle meshes."""

import newton
import numpy as np
import warp

from .scene import MARGIN, Body

VERSION = f"Newton {newton.__version__}"

warp.config.quiet = True


def _contacts(a: Body, b: Body, add: str):
    builder = newton.ModelBuilder()
    for body in (a, b):
        pose = warp.transform(warp.vec3(*body.position), warp.quat(*body.xyzw))
        number = builder.add_body(xform=pose)
        mesh = newton.Mesh(body.vertices, body.triangles.ravel())
        getattr(builder, add)(number, mesh=mesh, cfg=newton.ModelBuilder.ShapeConfig(gap=MARGIN))
    model = builder.finalize(device="cpu")
    state, pipeline = model.state(), newton.CollisionPipeline(model)
    contacts = pipeline.contacts()
    pipeline.collide(state, contacts)
    count = int(contacts.rigid_contact_count.numpy()[0])
    shapes, normals = contacts.rigid_contact_shape0.numpy(), contacts.rigid_contact_normal.numpy()
    points = [contacts.rigid_contact_point0.numpy(), contacts.rigid_contact_point1.numpy()]
    found = []
    for k in range(count):
        # From its first shape to its second; points in the frames of their bodies.
        bodies = (a, b) if shapes[k] == 0 else (b, a)
        ends = [body.rotation @ points[i][k].astype(float) + body.position for i, body in enumerate(bodies)]
        normal = normals[k].astype(float)
        gap = normal @ (ends[1] - ends[0])
        found.append(((ends[0] + ends[1]) / 2, normal if shapes[k] == 0 else -normal, gap))
    return found


CONFIGURATIONS = {
    "newton-hull": lambda a, b: _contacts(a, b, "add_shape_convex_hull"),
    "newton-mesh": lambda a, b: _contacts(a, b, "add_shape_mesh"),
}
