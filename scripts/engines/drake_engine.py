"""Drake: one point of hulls, or the polygons of hydroelastic contact (compliant solids of tetrahedra)."""

import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
from pydrake.geometry import (
    AddCompliantHydroelasticProperties,
    Convex,
    FramePoseVector,
    GeometryFrame,
    GeometryInstance,
    HydroelasticContactRepresentation,
    Mesh,
    ProximityProperties,
    SceneGraph,
)
from pydrake.math import RigidTransform

from .scene import Body

VERSION = f"Drake {version('drake')}"

# Of the solids; the shape of the contact surface between two alike does not depend on it, Pa.
MODULUS = 1e7


def _write_vtk(body: Body, path: Path) -> None:
    """Writes the tetrahedra."""
    vertices, corners = body.tetrahedra
    lines = ["# vtk DataFile Version 3.0", "body", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(vertices)} double"]
    lines += [f"{x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    lines += [f"CELLS {len(corners)} {5 * len(corners)}"]
    lines += [f"4 {p} {q} {r} {s}" for p, q, r, s in corners.tolist()]
    lines += [f"CELL_TYPES {len(corners)}"] + ["10"] * len(corners)
    path.write_text("\n".join(lines) + "\n")


class _Pair:
    """Two bodies in a scene graph."""

    def __init__(self, a: Body, b: Body, is_solid: bool):
        self.graph = SceneGraph()
        source = self.graph.RegisterSource("bodies")
        poses, self.ids = FramePoseVector(), []
        with tempfile.TemporaryDirectory() as folder:
            for name, body in (("a", a), ("b", b)):
                frame = self.graph.RegisterFrame(source, GeometryFrame(name))
                poses.set_value(frame, RigidTransform(body.pose))
                properties = ProximityProperties()
                if is_solid:
                    if body.tetrahedra is None:
                        raise ValueError(f"{body.name} has no tetrahedra")
                    path = Path(folder) / f"{name}.vtk"
                    _write_vtk(body, path)
                    shape = Mesh(str(path))
                    AddCompliantHydroelasticProperties(1.0, MODULUS, properties)
                else:
                    path = Path(folder) / f"{name}.obj"
                    body.write_obj(path)
                    shape = Convex(str(path))
                instance = GeometryInstance(RigidTransform(), shape, name)
                instance.set_proximity_properties(properties)
                self.ids.append(self.graph.RegisterGeometry(source, frame, instance))
            self.context = self.graph.CreateDefaultContext()
        self.graph.get_source_pose_port(source).FixValue(self.context, poses)
        self.query = self.graph.get_query_output_port().Eval(self.context)


def _point(a: Body, b: Body):
    pair = _Pair(a, b, False)
    found = []
    for point in pair.query.ComputePointPairPenetration():
        # nhat_BA points from its B to its A.
        sign = -1.0 if point.id_A == pair.ids[0] else 1.0
        middle = (np.array(point.p_WCa) + np.array(point.p_WCb)) / 2
        found.append((middle, sign * np.array(point.nhat_BA_W), -point.depth))
    return found


def _hydroelastic(a: Body, b: Body):
    pair = _Pair(a, b, True)
    found = []
    for surface in pair.query.ComputeContactSurfaces(HydroelasticContactRepresentation.kPolygon):
        # Normals of its faces point out of N into M.
        sign = -1.0 if surface.id_M() == pair.ids[0] else 1.0
        mesh = surface.poly_mesh_W()
        faces = (k for k in range(mesh.num_faces()) if mesh.area(k) > 0)
        found += [(mesh.element_centroid(k), sign * mesh.face_normal(k), 0.0) for k in faces]
    return found


CONFIGURATIONS = {"drake-point": _point, "drake-hydroelastic": _hydroelastic}
