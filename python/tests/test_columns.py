"""The columns of sweeps are all that jobs write, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import drystone as ds
import pyarrow as pa
import pytest
from drystone.sweep._columns import _END, _JOB, _LAST, _ROW, COLUMNS, cells, schema
from drystone.sweep._worker import run_jobs

from test_sweep import STONES

# Every kind of row: of each way to score, each kind of scene and each kind of simulation.
KINDS: dict[str, dict[str, Any]] = {
    "published contacts": {"scene": "pillar", "method": ds.Method("volume-sat"), "step": 2},
    "a published area": {"scene": "arch", "method": "most-opposing"},
    "areas that are known": {"scene": "spikes", "method": "volume-sat"},
    "the pose at the start": {"scene": "cliff-edges", "method": "vertex-only", "step": 0, "truth": "published"},
    "a filter": {"scene": "internal-edges", "method": "most-opposing", "filter": "both", "tolerance": 1e-3},
    "noise": {"scene": "spikes", "method": "volume-sat", "noise": 0.01, "seed": 3, "level": 1, "size": 2, "model": "procedural"},
    "a scene file": {"scene": ds.Scene.from_toml(STONES), "method": "vclip"},
    "a simulation": {"scene": "spikes", "method": "semi-local", "steps": 2, "solver": "soft", "time_step": 0.005},
    "a simulation with bodies": {"scene": "spikes", "method": "semi-local", "steps": 2, "bodies": True, "suite": True},
    "a simulation that is scored": {"scene": ds.Scene.from_toml(STONES), "method": "semi-local", "steps": 2, "step": 1},
}
NESTED = ("wrong", "area", "published", "strict")
# Of a row: what the job says already, and what no job asks for.
ELSEWHERE = {"scene", "method", "variant", "filtered", "physics"}


def run(axes: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a job writes, and the cells of it."""
    (job,) = ds.sweep.grid(**axes)
    (done,) = run_jobs([(job.id, job.entry)], 0, None, ds._drystone._program())
    assert done.error is None and done.outcome is not None, done.error
    return json.loads(done.outcome), cells(done.id, job.description, done.outcome, done.error, done.wall_seconds)


@pytest.fixture(scope="module")
def found() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    return {kind: run(axes) for kind, axes in KINDS.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_a_job_writes_lacks_a_column(found, kind: str) -> None:
    outcome, row = found[kind]
    assert "more" not in row, f"write these columns into _columns.py, with their types: {row['more']}"
    for scores in outcome["rows"]:
        assert scores["physics"] is None
        written = {f"{name}_{inner}" for name in NESTED for inner in scores[name] or {}} - {"area_interfaces"}
        written |= scores.keys() - ELSEWHERE - {*NESTED}
        assert written <= _ROW.keys() and all(name in row for name in written)
    if outcome["end"] is not None:
        assert {f"end_{name}" for name in outcome["end"] if name != "steps"} == _END.keys() <= row.keys()


def test_every_column_is_written(found) -> None:
    valued = {name for _, row in found.values() for name, cell in row.items() if cell is not None}
    assert COLUMNS.keys() - valued == {"more", "error"}, "take the columns that nothing writes out of _columns.py"
    for outcome, row in found.values():
        absent = _ROW.keys() - row.keys() if outcome["rows"] else set()
        # Of what is nested, all of it is there or none.
        assert absent <= {name for name in _ROW if name.startswith(("area_", "published_"))}
    assert _JOB.keys() & _ROW.keys() == set() and len(COLUMNS) == sum(map(len, (_JOB, _ROW, _END, _LAST)))


def test_what_is_written_is_what_stands_in_the_table(found) -> None:
    table = pa.Table.from_pylist([row for _, row in found.values()], schema=schema())
    for written, (_, row) in zip(table.to_pylist(), found.values()):
        for name, cell in row.items():
            assert written[name] == cell, name


def test_a_column_that_is_not_known_is_kept() -> None:
    (job,) = ds.sweep.grid(scene="spikes", method="vclip")
    new = {"truth": "corrected", "new": 3, "strict": {"right": 1}, "physics": {"residual": 0.5}}
    row = cells(job.id, job.description, json.dumps({"rows": [new], "end": None}), None, 1.0)
    assert json.loads(row["more"]) == {"new": 3, "strict_right": 1, "physics_residual": 0.5}
