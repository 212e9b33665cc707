"""The normal-cone filter, against the program ``drystone``."""

from __future__ import annotations

import csv
import io
import subprocess
from pathlib import Path

import drystone as ds
import numpy as np
import pytest


def text(verdict: np.void) -> str:
    """A verdict as the program writes it."""
    if verdict["kept"]:
        return "kept"
    if verdict["merged_into"] >= 0:
        return f"merged into {verdict['merged_into']}"
    by = [side for side in "ab" if verdict[f"rejected_by_{side}"]]
    return f"rejected by {'both' if len(by) == 2 else by[0]}"


@pytest.mark.parametrize("name", ["volume-sat", "growth-distance", "closest-points", "semi-local"])
def test_verdicts_are_those_of_the_program(program: Path, name: str) -> None:
    seen = set()
    for scene_name in ["cliff-edges", "wedge-in-crack", "spike-in-hole"]:
        command = [program, "contacts", "--scene", scene_name, "--method", name, "--pose", "start", "--filter"]
        rows = list(csv.DictReader(io.StringIO(subprocess.run(command, capture_output=True, text=True).stdout)))
        a, b = ds.Scene(scene_name).bodies
        found = ds.contacts(a.shape, a.pose, b.shape, b.pose, name)
        verdicts = ds.cone_filter(a.shape, a.pose, b.shape, b.pose, found, name)
        assert [text(verdict) for verdict in verdicts] == [row["verdict"] for row in rows]
        assert len(rows) > 0 and not verdicts.flags.writeable
        seen |= {row["verdict"].split()[0] for row in rows}
    assert "kept" in seen
    if name in ("volume-sat", "growth-distance"):
        assert seen == {"kept", "rejected"}


def test_what_says_the_same_is_merged() -> None:
    cube, at = ds.Shape.box((1, 1, 1)), ds.pose((0.25, 0.99, 0.25))
    found = ds.contacts(cube, ds.pose(), cube, at)
    twice = np.concatenate([found, found])
    verdicts = ds.cone_filter(cube, ds.pose(), cube, at, twice)
    merged = verdicts["merged_into"] >= 0
    assert verdicts["kept"].sum() == len(found) == merged.sum() and not (merged & verdicts["kept"]).any()
    into = verdicts["merged_into"][merged]
    assert verdicts["kept"][into].all() and (twice["position"][into] == twice["position"][merged]).all()
    assert {text(verdict) for verdict in verdicts[merged]} == {f"merged into {k}" for k in into}


def test_settings_count() -> None:
    cube, at = ds.Shape.box((1, 1, 1)), ds.pose((0.25, 0.99, 0.25))
    found = ds.contacts(cube, ds.pose(), cube, at).copy()
    turn = 0.01
    found["normal"] = (np.sin(turn), np.cos(turn), 0)

    def kept(**settings) -> list[bool]:
        return ds.cone_filter(cube, ds.pose(), cube, at, found, **settings)["kept"].tolist()

    # Corners have cones that hold it on one side at least; the facets have not.
    assert kept() == [True] * 4
    assert not all(kept(cone=0.001))
    assert sum(kept(same=10.0)) == 1
    away = found.copy()
    away["position"][:, 1] += 0.1
    assert not ds.cone_filter(cube, ds.pose(), cube, at, away)["kept"].any()
    assert ds.cone_filter(cube, ds.pose(), cube, at, away, near=0.5)["kept"].all()


def test_wrong_arguments_are_named() -> None:
    cube, pose = ds.Shape.box((1, 1, 1)), ds.pose()
    found = ds.contacts(cube, pose, cube, ds.pose((0, 0.99, 0)))
    for settings, words in [
        ({"near": -1.0}, "near is -1"),
        ({"cone": float("nan")}, "cone is NaN"),
        ({"sides": "c"}, "sides is 'c'"),
    ]:
        with pytest.raises(ValueError, match=words):
            ds.cone_filter(cube, pose, cube, pose, found, **settings)
    with pytest.raises(TypeError, match="contacts: it is no array of drystone.CONTACT"):
        ds.cone_filter(cube, pose, cube, pose, np.zeros(3))
    empty = ds.contacts(cube, pose, cube, ds.pose((0, 3, 0)))
    assert ds.cone_filter(cube, pose, cube, pose, empty).shape == (0,)
