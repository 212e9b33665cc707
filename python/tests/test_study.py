"""Studies, against the program ``drystone``."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import time
from pathlib import Path

import drystone as ds
import pytest
from test_interrupt import PAUSE, ctrl_c

METHODS = ["semi-local", "volume-sat"]


def call(program: Path, *arguments: str) -> str:
    return subprocess.run([program, "study", *arguments], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("time-step", {}),
        ("interfaces", {"variant": "published"}),
        ("contact-statistics", {"steps": 3}),
        ("perturbation", {"seed": 7, "steps": 1}),
        ("pillar-quality", {"solver": "soft"}),
    ],
)
def test_runs_are_those_of_the_program(program: Path, name: str, options: dict) -> None:
    said = [word for key, value in options.items() for word in (f"--{key}", str(value))]
    asked = [name, *(word for method in METHODS for word in ("--method", method)), *said]
    found = ds.study(name, METHODS, progress=False, **options)
    whole = json.loads(call(program, *asked, "--json", "-"))
    assert found.runs == whole["runs"] and found.failures == whole["failures"] == []
    listed = list(csv.DictReader(io.StringIO(call(program, *asked, "--csv", "-"))))
    assert len(found) == len(found.runs) == len(listed) > 0
    for row, line in zip(found.rows, listed):
        assert list(row) == list(line)
        for key, value in row.items():
            number = isinstance(value, (int, float))
            assert (float(line[key]) == value) if number else (line[key] == (value or "")), key


def test_methods_are_those_of_the_paper_by_default() -> None:
    found = ds.study("pillar-quality", steps=1, variant="published", progress=False)
    assert len(found) == 8 and {row["variant"] for row in found.rows} == {"published"}
    assert len(ds.study("pillar-quality", [], progress=False)) == 0
    given = ds.study("pillar-quality", ds.Method("volume-sat", variant="earlier"), steps=1, progress=False)
    assert [row["variant"] for row in given.rows] == ["earlier"]


class Upwards(ds.Generator):
    """Semi-local's contacts, all with one normal."""

    def contacts(self, a, pose_a, b, pose_b):
        found = ds.contacts(a, pose_a, b, pose_b).copy()
        found["normal"] = (0.0, 1.0, 0.0)
        return found


class Refusing(ds.Generator):
    """Has no contacts."""

    def contacts(self, a, pose_a, b, pose_b):
        raise LookupError("none today")


def test_generators_of_python_are_studied_as_well() -> None:
    found = ds.study("pillar-quality", [Upwards(), "semi-local"], steps=1, progress=False)
    assert [(row["method"], row["contacts"], row["quality"]) for row in found.rows] == [("Upwards", 40, 1.0), ("semi-local", 40, 1.0)]
    with pytest.raises(LookupError, match="none today"):
        ds.study("pillar-quality", Refusing(), progress=False)


def test_threads_change_no_run_and_progress_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    one = ds.study("refinement", "semi-local", steps=1, threads=1, progress=False)
    assert capfd.readouterr().err == ""
    two = ds.study("refinement", "semi-local", steps=1, threads=2)
    assert one.runs == two.runs and one.columns() == two.columns()
    assert "3 of 3 runs done, 0 failed\n" in capfd.readouterr().err


def test_what_cannot_be_studied_is_said() -> None:
    for wrong, says in [
        (("tower",), "tower"),
        (("wall", "semi-local", {"steps": 0}), "steps is 0"),
        (("wall", "semi-local", {"seed": 1}), "has no noise"),
        (("wall", "semi-local", {"variant": "newest"}), "newest"),
        (("wall", "semi-local", {"solver": "lemke"}), "lemke"),
        (("wall", "semi-local", {"threads": 0}), "threads is 0"),
    ]:
        *given, options = (*wrong, {}) if not isinstance(wrong[-1], dict) else wrong
        with pytest.raises(ValueError, match=says):
            ds.study(*given, **options)
    with pytest.raises(ds.MethodError, match="guess"):
        ds.study("wall", "guess")


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_study(threads: int) -> None:
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        ds.study("contact-statistics", steps=10_000, threads=threads, progress=False)
    # The claim is half a second; tests run on busy machines.
    assert time.monotonic() - start < PAUSE + 3.0


def test_tables() -> None:
    found = ds.study("time-step", METHODS, progress=False)
    columns = found.columns()
    assert columns["time_step"] == [0.001, 0.01, 0.1] * 2 and columns["published_quality"] == [None] * 6
    assert found.to_arrow()["contacts"].to_pylist() == columns["contacts"]
    assert found.to_polars()["contacts"].to_list() == columns["contacts"]
    assert found.to_pandas()["contacts"].tolist() == columns["contacts"]
