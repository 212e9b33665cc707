"""DART: triangle meshes by its own build of FCL and by ODE."""

import tempfile
from importlib.metadata import version
from pathlib import Path

import dartpy
import numpy as np

from .scene import Body

VERSION = f"DART {version('dartpy')}"

URDF = """<robot name="{name}"><link name="{name}">
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><mesh filename="{mesh}"/></geometry></collision>
</link></robot>"""


def _contacts(a: Body, b: Body, detector):
    with tempfile.TemporaryDirectory() as folder:
        frames = []
        for name, body in (("a", a), ("b", b)):
            mesh, urdf = Path(folder) / f"{name}.obj", Path(folder) / f"{name}.urdf"
            body.write_obj(mesh)
            urdf.write_text(URDF.format(name=name, mesh=mesh))
            skeleton = dartpy.utils.DartLoader().parseSkeleton(str(urdf))
            skeleton.getJoint(0).setTransform(dartpy.math.Isometry3(body.pose))
            frames.append((skeleton, skeleton.getBodyNode(0).getShapeNode(0)))
        group = detector().createCollisionGroup()
        for _, frame in frames:
            group.addShapeFrame(frame)
        option, result = dartpy.collision.CollisionOption(), dartpy.collision.CollisionResult()
        option.maxNumContacts = 100_000
        group.collide(option, result)
        found = []
        for contact in result.getContacts():
            # Its normal points from the second object to the first.
            of_a = contact.collisionObject1.getShapeFrame().getName() == frames[0][1].getName()
            sign = -1.0 if of_a else 1.0
            found.append((np.array(contact.point), sign * np.array(contact.normal), -contact.penetrationDepth))
        return found


CONFIGURATIONS = {
    "dart-fcl-mesh": lambda a, b: _contacts(a, b, dartpy.collision.FCLCollisionDetector),
    "dart-ode-mesh": lambda a, b: _contacts(a, b, dartpy.collision.OdeCollisionDetector),
}
