"""The studies of the paper: a scene by every method over a parameter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from ._drystone import Method, _study
from ._generator import Generator
from ._progress import Progress
from ._table import Table


class Study(Table):
    """What a study came to, one row a run: methods first, then values of its parameter, then seeds."""

    def __init__(self, rows: list[dict[str, Any]], runs: list[dict[str, Any]], failures: list[dict[str, str]]) -> None:
        self._rows, self._runs, self._failures = rows, runs, failures

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dict a run, with the columns of ``drystone study --csv``; None where there is no value."""
        return self._rows

    @property
    def runs(self) -> list[dict[str, Any]]:
        """All of each run, as the ``runs`` of ``drystone study --json`` (docs/studies.md)."""
        return self._runs

    @property
    def failures(self) -> list[dict[str, str]]:
        """Runs that could not be made: ``run``, ``error``."""
        return self._failures

    def columns(self) -> dict[str, list[Any]]:
        """The rows as columns."""
        return {name: [row[name] for row in self._rows] for name in (self._rows[0] if self._rows else {})}

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<drystone.Study {len(self._rows)} runs, {len(self._failures)} failures>"


def study(
    name: str,
    methods: str | Method | Generator | Iterable[str | Method | Generator] | None = None,
    *,
    variant: Literal["corrected", "published", "earlier"] = "corrected",
    steps: int | None = None,
    solver: str = "prox-gauss-seidel",
    seed: int | None = None,
    threads: int | None = None,
    progress: bool = True,
) -> Study:
    """Runs a study of the paper, as ``drystone study`` does.

    Args:
        name: One of :func:`study_names`; ``"interfaces"`` is ``"wall"`` and ``"arch"``.
        methods: Methods, generators or names; by default those of the paper.
        variant: How methods that are given by name are read. ``"published"`` and ``"earlier"`` take the bodies behind the published tables.
        steps: The last time step, from 1; by default the paper's, 500 for ``"contact-statistics"``.
        solver: What finds the impulses of steps.
        seed: The first seed of the noise of ``"perturbation"``; 0 by default.
        threads: How many threads work; one a core by default. Results do not depend on it. The call can be interrupted by Ctrl-C.
        progress: Whether a bar, or lines where there is no terminal, go to standard error.

    Returns:
        The rows, and what could not be run.

    Raises:
        ValueError: There is no such study, variant or solver, or a number is out of range.
        MethodError: There is no such method.

    >>> import drystone as ds
    >>> found = ds.study("time-step", ["semi-local", "vertex-only"], progress=False)
    >>> for row in found.rows:
    ...     print(row["method"], row["time_step"], row["contacts"], round(row["quality"], 2))
    semi-local 0.001 40 1.0
    semi-local 0.01 40 1.0
    semi-local 0.1 40 1.0
    vertex-only 0.001 146 0.32
    vertex-only 0.01 146 0.32
    vertex-only 0.1 174 0.43
    """
    if methods is None:
        wanted: list[str | Method | Generator] = []
    elif isinstance(methods, (str, Method, Generator)):
        wanted = [methods]
    else:
        wanted = list(methods)
        if not wanted:
            return Study([], [], [])
    shown: list[Progress] = []

    def advance(told: int | bool) -> None:
        # First how many runs there are, then of each whether it failed.
        if not shown:
            shown.append(Progress(told, 0, progress, "runs"))
        else:
            shown[0].advance(1, int(told))

    import json

    found = json.loads(_study(name, wanted, variant, steps, solver, seed, threads, advance))
    shown[0].finish()
    return Study(found["rows"], found["runs"], found["failures"])
