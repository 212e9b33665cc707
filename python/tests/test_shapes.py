"""Shapes from arrays, objects, files and dimensions; what they refuse."""

from __future__ import annotations

import multiprocessing
import pickle
from pathlib import Path

import drystone as ds
import numpy as np
import pytest
import trimesh

TETRAHEDRON = (
    np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float64),
    np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]),
)

EVERY_KIND = {
    "polyhedron": lambda: ds.Shape(*TETRAHEDRON),
    "box": lambda: ds.Shape.box((1, 2, 3)),
    "ball": lambda: ds.Shape.ball(0.5),
    "capsule": lambda: ds.Shape.capsule(0.5, 1.0),
    "cylinder": lambda: ds.Shape.cylinder(0.5, 1.0),
    "cone": lambda: ds.Shape.cone(0.5, 1.0),
    "ellipsoid": lambda: ds.Shape.ellipsoid((1, 2, 3)),
    "half-space": lambda: ds.Shape.half_space(),
    "rounded box": lambda: ds.Shape.rounded_box((1, 2, 3), 0.1),
    "hull": lambda: ds.Shape.convex_hull(np.random.default_rng(1).normal(size=(30, 3))),
    "compound": lambda: ds.Shape.compound([(ds.Shape.ball(1.0), ds.pose((1, 0, 0))), (ds.Shape.box((1, 1, 1)), ds.pose())]),
    "height field": lambda: ds.Shape.height_field(np.arange(12.0).reshape(3, 4) * 0.01, (0.5, 0.5)),
    "open mesh": lambda: ds.Shape.open_mesh(TETRAHEDRON[0], TETRAHEDRON[1][:2], two_sided=True),
}


def test_a_tetrahedron_has_its_mass() -> None:
    shape = ds.Shape(*TETRAHEDRON)
    mass = shape.mass_properties(6000.0)
    assert mass.volume == pytest.approx(1 / 6)
    assert mass.mass == pytest.approx(1000.0)
    assert mass.centre == pytest.approx([0.25] * 3)
    # ∫ x² - centre², ∫ x y - centre²: for a corner tetrahedron 1/60 and 1/120 of density.
    assert mass.inertia[0, 1] == pytest.approx(-6000.0 * (1 / 120 - 1 / 6 / 16))
    assert mass.inertia[0, 0] == pytest.approx(6000.0 * 2 * (1 / 60 - 1 / 6 / 16))


def test_arrays_of_any_kind_give_the_same_shape() -> None:
    vertices, faces = TETRAHEDRON
    usual = ds.Shape(vertices, faces)
    wide = np.zeros((4, 6))
    wide[:, ::2] = vertices
    packed = np.zeros(4, [("vertex", "f8", (3,)), ("corners", "i8", (3,)), ("other", "i4")])
    packed["vertex"], packed["corners"] = vertices, faces
    unaligned = np.zeros(4, [("odd", "u1"), ("vertex", "f8", (3,)), ("corners", "i8", (3,))])
    unaligned["vertex"], unaligned["corners"] = vertices, faces
    for v, f in [
        (packed["vertex"], packed["corners"]),
        (unaligned["vertex"], unaligned["corners"]),
        (vertices.tolist(), faces.tolist()),
        (vertices.astype(np.float32), faces.astype(np.uint8)),
        (np.asfortranarray(vertices), np.asfortranarray(faces)),
        (wide[:, ::2], faces[::-1][::-1]),
        (vertices.astype(int), faces.astype(np.int32)),
    ]:
        shape = ds.Shape(v, f)
        assert np.array_equal(shape.vertices, usual.vertices) and np.array_equal(shape.faces, usual.faces)


def test_tetrahedra_are_taken_in_either_order() -> None:
    for corners in [[0, 1, 2, 3], [0, 1, 3, 2]]:
        shape = ds.Shape(*TETRAHEDRON, tetrahedra=[corners])
        assert shape.mass_properties(1.0).volume == pytest.approx(1 / 6)
    with pytest.raises(ds.ShapeError, match=r"tetrahedra\[0\].*there are 4 vertices"):
        ds.Shape(*TETRAHEDRON, tetrahedra=[[0, 1, 2, 4]])


def test_objects_with_vertices_and_faces_are_taken() -> None:
    mesh = trimesh.creation.icosphere(subdivisions=1)
    shape = ds.Shape(mesh)
    assert shape.kind == "polyhedron"
    assert shape.mass_properties(1.0).volume == pytest.approx(mesh.volume)
    assert np.array_equal(shape.vertices, mesh.vertices)


def test_files_are_read(tmp_path: Path) -> None:
    mesh = trimesh.creation.box((1, 2, 3))
    for name in ["box.obj", "box.stl"]:
        mesh.export(tmp_path / name)
        for path in [tmp_path / name, str(tmp_path / name)]:
            assert ds.Shape(path).mass_properties(1.0).volume == pytest.approx(6.0)
    with pytest.raises(ds.ShapeError, match="none.obj"):
        ds.Shape(tmp_path / "none.obj")
    with pytest.raises(ds.ShapeError, match=r"\.stl"):
        ds.Shape("box.ply")


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_every_kind_comes_back_from_a_pickle(kind: str) -> None:
    shape = EVERY_KIND[kind]()
    back = pickle.loads(pickle.dumps(shape))
    assert back.kind == shape.kind and repr(back) == repr(shape)
    assert np.array_equal(back.vertices, shape.vertices) and np.array_equal(back.faces, shape.faces)
    ball, at = ds.Shape.ball(0.3), ds.pose((0.1, 0.05, 0.2))
    assert np.array_equal(ds.contacts(back, ds.pose(), ball, at), ds.contacts(shape, ds.pose(), ball, at))


def volume(shape: ds.Shape) -> float:
    return shape.mass_properties(1.0).volume


def test_shapes_go_to_spawned_processes() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(volume, [ds.Shape.ball(1.0)]) == [pytest.approx(4 / 3 * np.pi)]


def test_damaged_pickles_are_refused() -> None:
    make, (data,) = ds.Shape.ball(1.0).__reduce__()
    for wrong in [b"", data[:-1], data[:20] + bytes([data[20] ^ 1]) + data[21:], data + b"\0"]:
        with pytest.raises(ds.WorldError, match="no snapshot"):
            make(wrong)


def test_returned_arrays_cannot_be_written() -> None:
    shape = ds.Shape(*TETRAHEDRON)
    for array in [shape.vertices, shape.faces, shape.bounds(), shape.mass_properties(1.0).inertia]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_bounds_follow_the_pose() -> None:
    box = ds.Shape.box((1, 2, 3))
    assert box.bounds() == pytest.approx(np.array([[-0.5, -1, -1.5], [0.5, 1, 1.5]]))
    turned = box.bounds(ds.pose((1, 0, 0), xyzw=(0, 0, np.sqrt(0.5), np.sqrt(0.5))))
    assert turned == pytest.approx(np.array([[0, -0.5, -1.5], [2, 0.5, 1.5]]))


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda v, f: ds.Shape(v[:, :2], f), ValueError, r"vertices has the shape \(4, 2\)"),
        (lambda v, f: ds.Shape(v[0], f), ValueError, "vertices has the shape .* 2 dimensions"),
        (lambda v, f: ds.Shape(v, f[:, :2]), ValueError, r"faces has the shape \(4, 2\)"),
        (lambda v, f: ds.Shape(v, f.astype(float)), TypeError, "faces is an array of float64"),
        (lambda v, f: ds.Shape(v, f - 1), ValueError, r"faces\[0\] holds -1"),
        (lambda v, f: ds.Shape(v, f + 1), ds.ShapeError, "4"),
        (lambda v, f: ds.Shape(v * np.nan, f), ds.ShapeError, "finite"),
        (lambda v, f: ds.Shape(v + np.inf, f), ds.ShapeError, "finite"),
        (lambda v, f: ds.Shape(v, f[:, ::-1]), ds.ShapeError, "inside out|volume"),
        (lambda v, f: ds.Shape(v, f[:3]), ds.ShapeError, "edge"),
        (lambda v, f: ds.Shape("four", f), TypeError, "vertices is no array of numbers"),
        (lambda v, f: ds.Shape(3), TypeError, "vertices and faces"),
        (lambda v, f: ds.Shape.ball(-1.0), ds.ShapeError, "radius of a ball is -1"),
        (lambda v, f: ds.Shape.ball(np.nan), ds.ShapeError, "NaN"),
        (lambda v, f: ds.Shape.capsule(1.0, 0.0), ds.ShapeError, "capsule"),
        (lambda v, f: ds.Shape.box((1, 0, 1)), ds.ShapeError, r"sides\[1\] of a box is 0"),
        (lambda v, f: ds.Shape.box((1, 1)), ValueError, r"sides has the shape \(2,\)"),
        (lambda v, f: ds.Shape.convex_hull(v[:3]), ds.ShapeError, "convex hull"),
        (lambda v, f: ds.Shape.convex_hull(v * np.nan), ds.ShapeError, r"points\[0\]"),
        (lambda v, f: ds.Shape.compound([]), ds.ShapeError, "no parts"),
        (lambda v, f: ds.Shape.compound([ds.Shape.ball(1)]), TypeError, r"parts\[0\]"),
        (lambda v, f: ds.Shape.compound([(ds.Shape.half_space(), ds.pose())]), ds.ShapeError, "no end"),
        (lambda v, f: ds.Shape.height_field([[0.0]], (1, 1)), ds.ShapeError, "1"),
        (lambda v, f: ds.Shape.height_field([[0, 0], [0, np.nan]], (1, 1)), ds.ShapeError, "finite"),
        (lambda v, f: ds.Shape.half_space().mass_properties(1.0), ds.ShapeError, "half-space|mass"),
    ],
)
def test_what_is_no_shape_is_refused(make, error, says) -> None:
    with pytest.raises(error, match=says):
        make(*TETRAHEDRON)
