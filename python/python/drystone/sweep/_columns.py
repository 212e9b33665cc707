"""Results as the columns of a table, the same ones in every part."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow

_JOB = {
    "id": "string",
    "scene": "string",
    "scene_file": "string",
    "model": "string",
    "size": "double",
    "method": "string",
    "variant": "string",
    "settings": "string",
    "solver": "string",
    "time_step": "double",
    "noise": "double",
    "seed": "uint64",
    "level": "int64",
    "tolerance": "double",
    "filter": "string",
    "steps": "int64",
    "suite": "bool",
    "ccd": "bool",
}
"""What a job is."""

_ROW = {
    "truth": "string",
    "step": "int64",
    "contacts": "int64",
    "matching": "int64",
    "coverage": "double",
    "quality": "double",
    "minimum": "int64",
    "excess": "double",
    "wrong_count": "int64",
    "wrong_angles": "list",
    "area_measured": "double",
    "area_expected": "double",
    "area_coverage": "double",
    "minimum_at_pose": "int64",
    "excess_at_pose": "double",
    "solver_residual": "double",
    "published_coverage": "double",
    "published_quality": "double",
    "published_excess": "double",
    "published_contacts": "int64",
    "published_area_coverage": "double",
    "strict_orientation": "part",
    "strict_position": "part",
    "strict_farthest": "double",
    "strict_gap": "part",
    "strict_gap_error": "double",
    "strict_touching": "part",
    "strict_distinct": "part",
    "strict_pairs": "part",
    "strict_missing": "pairs",
    "strict_contacts": "part",
    "strict_normals": "part",
    "pairs": "int64",
    "seconds": "double",
}
"""The scores; a part is how many are ``right`` ``of`` how many; ``seconds`` is the time in the method a pair of bodies."""

_END = {
    "end_time": "double",
    "end_solver": "string",
    "end_contacts": "int64",
    "end_mean_contacts": "double",
    "end_most_contacts": "int64",
    "end_deepest_penetration": "double",
    "end_overlap": "double",
    "end_natural_residual": "double",
    "end_limited_steps": "int64",
    "end_asleep": "int64",
    "end_kinetic_energy": "double",
    "end_potential_energy": "double",
    "end_drift": "double",
    "end_drift_body": "string",
    "end_state": "string",
    "end_bodies": "bodies",
}
"""The end of a simulation."""

_LAST = {"more": "string", "wall_seconds": "double", "error": "string"}
"""What has no column, as JSON; how long the job took; why there is no result."""

COLUMNS = {**_JOB, **_ROW, **_END, **_LAST}
TIMES = ("seconds", "wall_seconds")
"""The columns that are not the same in every run."""


def schema() -> pyarrow.Schema:
    """The columns and their types."""
    import pyarrow as pa

    vector = pa.list_(pa.float64())
    names = ("position", "orientation_xyzw", "velocity", "angular_velocity")
    body = pa.struct([pa.field("name", pa.string()), *(pa.field(name, vector) for name in names)])
    own = {
        "list": vector,
        "bodies": pa.list_(body),
        "part": pa.struct([pa.field(name, pa.int64()) for name in ("right", "of")]),
        "pairs": pa.list_(pa.list_(pa.int64())),
        "double": pa.float64(),
        "bool": pa.bool_(),
    }
    types = {name: own.get(kind) or getattr(pa, kind)() for name, kind in COLUMNS.items()}
    return pa.schema([pa.field(name, kind, nullable=name != "id") for name, kind in types.items()])


def cells(id: str, job: dict[str, Any], outcome: str | None, error: str | None, wall: float | None) -> dict[str, Any]:
    """The cells of a job, of which those that are not there have no value."""
    scene, method = job["scene"], job["method"]
    scored, simulated = job["assessment"] or {}, job["simulation"] or {}
    row: dict[str, Any] = {
        **{name: job[name] for name in ("model", "size", "solver", "time_step", "noise", "seed", "level")},
        "id": id,
        "scene": scene["name"] if isinstance(scene, dict) else scene,
        "scene_file": scene["file"] if isinstance(scene, dict) else None,
        "method": method["name"],
        "variant": method["variant"],
        "settings": json.dumps(method["settings"], sort_keys=True),
        "truth": scored.get("truth"),
        "step": scored.get("step"),
        "tolerance": scored.get("tolerance"),
        "filter": scored.get("filter"),
        **{name: simulated.get(name) for name in ("steps", "suite", "ccd")},
        "wall_seconds": wall,
        "error": error,
    }
    if outcome is not None:
        found = json.loads(outcome)
        for scores in found["rows"]:
            row |= _scores(scores)
        if found["end"] is not None:
            row |= {f"end_{name}": value for name, value in found["end"].items() if name != "steps"}
    if more := {name: row.pop(name) for name in row.keys() - COLUMNS.keys()}:
        row["more"] = json.dumps(more, sort_keys=True)
    return row


def _scores(scores: dict[str, Any]) -> dict[str, Any]:
    # What the job says already, and areas of single interfaces, which have no column. No job asks for physics.
    left_out = ("scene", "method", "variant", "filtered")
    flat: dict[str, Any] = {}
    for name, value in scores.items():
        if name in ("wrong", "area", "published", "strict", "physics"):
            flat |= {f"{name}_{inner}": cell for inner, cell in (value or {}).items() if inner != "interfaces"}
        elif name not in left_out:
            flat[name] = value
    return flat
