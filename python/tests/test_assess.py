"""Scenes and scores, against the program ``drystone``."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import drystone as ds
import numpy as np
import pytest

NAMES = [method.name for method in ds.methods()]


def call(program: Path, *arguments: str) -> str:
    return subprocess.run([program, *arguments], capture_output=True, text=True).stdout


def without_times(rows: list[dict]) -> list[dict]:
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


@pytest.mark.parametrize("options", [{}, {"step": 0}, {"filter": "both"}, {"tolerance": 0.01}], ids=str)
def test_rows_are_those_of_the_program(program: Path, options: dict) -> None:
    scenes = ["cliff-edges", "sliding-wedge", "spike-in-hole"]
    given = [word for scene in scenes for word in ("--scene", scene)]
    said = {"step": ["--pose", "start"], "filter": ["--filter"], "tolerance": ["--tolerance", "0.01"]}
    expected = json.loads(call(program, "assess", *given, *[word for name in options for word in said[name]], "--json", "-"))
    found = ds.assess(scenes, **options)
    assert len(found) == 3 * len(NAMES) and without_times(found.rows) == without_times(expected["rows"])
    assert found.failures == expected["failures"]


def test_a_variant_is_judged_as_the_program_does(program: Path) -> None:
    expected = json.loads(call(program, "assess", "--scene", "spikes", "--method", "volume-sat", "--variant", "published", "--json", "-"))
    scene = ds.Scene("spikes", model="recorded")
    found = ds.assess(scene, ds.Method("volume-sat", variant="published"))
    assert without_times(found.rows) == without_times(expected["rows"])


@pytest.mark.parametrize("name", NAMES)
def test_contacts_are_those_of_the_program_to_the_last_bit(program: Path, name: str) -> None:
    for scene, step in [("cliff-edges", 0), ("wedge-in-crack", 2)]:
        moment = ["--pose", "start"] if step == 0 else ["--step", str(step)]
        listed = list(csv.DictReader(io.StringIO(call(program, "contacts", "--scene", scene, "--method", name, *moment))))
        found = ds.Scene(scene).contacts(name, step=step)
        assert len(found) == len(listed) > 0
        for row, contact in zip(listed, found):
            assert [float(row[k]) for k in ("px", "py", "pz")] == contact["position"].tolist()
            assert [float(row[k]) for k in ("nx", "ny", "nz")] == contact["normal"].tolist()
            assert float(row["gap"]) == contact["gap"]
            for body in "ab":
                kind, index = contact[f"feature_{body}"]
                text = f"{ds.FeatureKind(kind).name.lower().replace('_', ' ')} {index}"
                assert row[f"feature_{body}"] == text and row[f"body_{body}"] == str(contact[f"body_{body}"])


@pytest.mark.parametrize("name", [name for name in NAMES if name != "time-of-contact"])
def test_shapes_of_a_scene_have_the_contacts_of_the_scene(name: str) -> None:
    scene = ds.Scene("cliff-edges")
    a, b = scene.bodies
    pairs = ds.contacts(a.shape, a.pose, b.shape, b.pose, name)
    whole = scene.contacts(name, step=0)
    assert all(np.array_equal(pairs[field], whole[field]) for field in ds.CONTACT.names)


def test_scenes_are_opened() -> None:
    assert [scene.name for scene in ds.scenes()] == ds.scene_names()[:13]
    stack = ds.Scene("box-stack", size=3)
    assert len(stack.bodies) == 4 and stack.bodies[0].fixed and not stack.bodies[1].fixed and stack.title
    assert stack.bodies[1].shape.kind == "polyhedron" and stack.bodies[1].mass > 0
    world = stack.world()
    assert len(world) == 4 and world.poses == pytest.approx(np.array([body.pose for body in stack.bodies]))
    world.step(5)
    shifted = ds.Scene("cliff-edges", perturb=0.01, seed=1)
    assert not np.array_equal(shifted.bodies[1].pose, ds.Scene("cliff-edges").bodies[1].pose)
    assert ds.Scene("cliff-edges", time_step=0.02).time_step == 0.02
    for wrong, says in [
        ({"name": "tower"}, "box-stack"),
        ({"name": "none.toml"}, "cannot be read"),
        ({"name": "wall", "size": 3}, "one size"),
        ({"name": "wall", "time_step": -1.0}, "time step"),
        ({"name": "wall", "solver": "lemke"}, "lemke"),
    ]:
        with pytest.raises(ds.SceneError, match=says):
            ds.Scene(wrong.pop("name"), **wrong)
    with pytest.raises(ValueError, match="model is 'drawn'"):
        ds.Scene("wall", model="drawn")


def test_what_cannot_be_scored_is_said() -> None:
    with pytest.raises(ds.SceneError, match="nothing is known"):
        ds.assess("card-house", "semi-local")
    with pytest.raises(ds.MethodError, match="guess"):
        ds.assess("spikes", "guess")
    for wrong in [{"truth": "mine"}, {"filter": "c"}, {"tolerance": 0.0}, {"threads": 0}]:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            ds.assess("spikes", "semi-local", **wrong)
    assert len(ds.assess([], "semi-local")) == len(ds.assess("spikes", [])) == 0


def test_threads_change_no_score() -> None:
    runs = [ds.assess(["spikes", "wedges"], ["semi-local", "volume-sat"], threads=threads).rows for threads in (1, 2)]
    assert without_times(runs[0]) == without_times(runs[1])


def test_tables() -> None:
    found = ds.assess(["cliff-edges", "pillar"], ["semi-local", "most-opposing"], step=1)
    columns = found.columns()
    assert columns["scene"] == ["cliff-edges"] * 2 + ["pillar"] * 2
    for name, value in found.rows[-1].items():
        if name in ("wrong", "area", "published", "strict", "physics"):
            value = value or {}
            assert all(columns[f"{name}_{inner}"][-1] == value[inner] for inner in value if inner != "interfaces")
        else:
            assert columns[name][-1] == value
    arrow, polars, pandas = found.to_arrow(), found.to_polars(), found.to_pandas()
    assert arrow.to_pydict() == columns and polars.to_dict(as_series=False) == columns
    assert pandas["coverage"].tolist() == columns["coverage"] and len(pandas) == 4
    assert ds.Assessment([], []).to_arrow().num_rows == 0


def test_tables_are_imported_when_they_are_asked_for() -> None:
    code = "import sys, drystone; print([name for name in ('pandas', 'polars', 'pyarrow', 'trimesh') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
