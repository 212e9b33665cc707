"""Contact methods scored in scenes with known contacts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from ._drystone import Method, Scene, _assess
from ._drystone import scenes as _scenes
from ._generator import Generator
from ._table import Table

_NESTED = {
    "wrong": ("count", "angles"),
    "area": ("measured", "expected", "coverage"),
    "published": ("coverage", "quality", "excess", "contacts", "area_coverage"),
    "strict": (
        "orientation", "position", "farthest", "gap", "gap_error", "touching", "distinct", "pairs", "missing", "contacts", "normals"
    ),
    "physics": ("acceleration_error", "worst_body", "bodies", "expected_acceleration", "residual"),
}
"""The fields of what is nested in a row."""


class Assessment(Table):
    """The scores of methods in scenes, one row each."""

    def __init__(self, rows: list[dict[str, Any]], failures: list[dict[str, str]]) -> None:
        self._rows, self._failures = rows, failures

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dict for each scene and method, with the fields of the rows of ``drystone assess --json`` (docs/assessment.schema.json)."""
        return self._rows

    @property
    def failures(self) -> list[dict[str, str]]:
        """Methods that could not be run in a scene: ``scene``, ``method``, ``error``."""
        return self._failures

    def columns(self) -> dict[str, list[Any]]:
        """The rows as columns. What is nested has columns of its own, such as ``wrong_count``."""
        flat: list[dict[str, Any]] = []
        for row in self._rows:
            cells: dict[str, Any] = {}
            for name, value in row.items():
                if name in _NESTED:
                    cells |= {f"{name}_{inner}": (value or {}).get(inner) for inner in _NESTED[name]}
                else:
                    cells[name] = value
            flat.append(cells)
        return {name: [cells[name] for cells in flat] for name in (flat[0] if flat else {})}

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<drystone.Assessment {len(self._rows)} rows, {len(self._failures)} failures>"


def assess(
    scenes: Scene | str | Iterable[Scene | str] | None = None,
    methods: str | Method | Generator | Iterable[str | Method | Generator] | None = None,
    *,
    truth: Literal["corrected", "published"] | None = None,
    step: int | None = None,
    tolerance: float = 1e-4,
    filter: Literal["both", "a", "b"] | None = None,
    threads: int | None = None,
) -> Assessment:
    """Runs methods in scenes and scores their contacts, as ``drystone assess`` does.

    Args:
        scenes: Scenes or their names; by default the thirteen of the assessment.
        methods: Methods, generators or names; by default all.
        truth: By which contacts are judged; by default that of the method's variant.
        step: The time step to look at, from 1; 0 for the pose at the start; by default each scene's own.
        tolerance: A normal n matches an expected one e if | \\|n·e\\| - 1 | is below this.
        filter: Leaves only contacts whose normals lie in the normal cones of the features that they lie on, on both sides or on one.
        threads: How many threads work; one a core by default. The call can be interrupted by Ctrl-C.

    Returns:
        The rows, scene by scene, and what could not be run.

    Raises:
        SceneError: There is no such scene, or nothing is known of its contacts.
        MethodError: There is no such method.

    >>> import drystone as ds
    >>> for row in ds.assess("cliff-edges", ["semi-local", "volume-sat"]).rows:
    ...     print(row["method"], row["coverage"], round(row["quality"], 2))
    semi-local 1.0 1.0
    volume-sat 1.0 0.26
    """
    if scenes is None:
        opened = _scenes()
    else:
        given = [scenes] if isinstance(scenes, (Scene, str)) else scenes
        opened = [Scene(scene) if isinstance(scene, str) else scene for scene in given]
    if methods is None:
        wanted: list[str | Method | Generator] = []
    elif isinstance(methods, (str, Method, Generator)):
        wanted = [methods]
    else:
        wanted = list(methods)
        if not wanted:
            return Assessment([], [])
    import json

    found = json.loads(_assess(opened, wanted, truth, step, tolerance, filter, threads))
    return Assessment(found["rows"], found["failures"])
