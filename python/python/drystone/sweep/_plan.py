"""Which jobs there are."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike, fspath
from typing import Any, NamedTuple

from .._drystone import Method, Scene, _read_jobs
from .._generator import Generator
from . import _generators

_AXES = {
    None: ("scene", "method", "model", "size", "solver", "time_step", "noise", "seed", "level"),
    "assessment": ("step", "truth", "tolerance", "filter"),
    "simulation": ("steps", "suite", "ccd", "bodies"),
}
"""What can be an axis, by the part of a job that it belongs to."""

_AT_ONCE = 1000
"""How many jobs are read in one call."""


class Job(NamedTuple):
    """A job of a plan."""

    id: str
    """Of job and program: 32 hexadecimal digits."""
    description: dict[str, Any]
    """All that its outcome depends on; of a scene that is no built-in one its name and a hash of its text."""
    entry: dict[str, Any]
    """The job as it is run, as plain data."""


class Plan:
    """Jobs in an order, each once.

    Args:
        jobs: Jobs as ``drystone job`` reads them (docs/jobs.md), as dicts.

    Raises:
        ValueError: A job is none; the message names it by its number, from 0.

    >>> import drystone as ds
    >>> plan = ds.sweep.Plan([{"scene": "pillar", "method": "semi-local", "simulation": {"steps": 100}}])
    >>> plan.jobs[0].description["method"]["variant"]
    'corrected'
    """

    def __init__(self, jobs: Iterable[Mapping[str, Any]], /) -> None:
        self._jobs: dict[str, Job] = {}
        entries, numbered = iter(jobs), 0
        texts: dict[str, str] = {}
        generators = _generators.Generators()
        while batch := [dict(job) for job in itertools.islice(entries, _AT_ONCE)]:
            plain = [{**job, "method": generators.plain(job.get("method"))} for job in batch]
            try:
                read = _read_jobs([json.dumps(job) for job in plain], generators.carried)
            except ValueError as error:
                raise type(error)(f"of the jobs from number {numbered} on, {error}") from None
            numbered += len(batch)
            for entry, (id, description, scene) in zip(batch, read):
                if scene is not None:
                    # One text for all jobs that have it.
                    entry["scene"] = {"toml": texts.setdefault(scene, scene)}
                said = json.loads(description)
                if _generators.is_carried(entry["method"]):
                    said["method"] = _generators.described(entry["method"])
                self._jobs.setdefault(id, Job(id, said, entry))

    @classmethod
    def _of(cls, jobs: Iterable[Job]) -> Plan:
        plan = cls(())
        plan._jobs = {job.id: job for job in jobs}
        return plan

    @property
    def jobs(self) -> list[Job]:
        """The jobs, in their order."""
        return list(self._jobs.values())

    @property
    def ids(self) -> list[str]:
        """The ids of the jobs, in their order."""
        return list(self._jobs)

    def shard(self, index: int, count: int) -> Plan:
        """Every ``count``-th job from number ``index``: what one of ``count`` tasks of a job array runs.

        Raises:
            ValueError: ``index`` is not from 0 to ``count - 1``.
        """
        if not 0 <= index < count:
            raise ValueError(f"index is {index}; it must be from 0 to {count - 1}, for count is {count}")
        return Plan._of(self.jobs[index::count])

    def __add__(self, other: Plan) -> Plan:
        """The jobs of both, each once."""
        return Plan._of([*self.jobs, *other.jobs])

    def __iter__(self) -> Iterator[Job]:
        return iter(self.jobs)

    def __len__(self) -> int:
        return len(self._jobs)

    def __repr__(self) -> str:
        return f"<drystone.sweep.Plan {len(self)} jobs>"


def grid(**axes: Any) -> Plan:
    """All combinations of values, as jobs; the last axis changes fastest.

    Args:
        axes: A value, or several of them as a list, a range or an array, of

            - ``scene`` (a name, a path, or a :class:`drystone.Scene`), ``method`` (a name, a :class:`drystone.Method`, or a
              :class:`drystone.Generator` that has a ``version``);
            - ``model``, ``size``: of built-in scenes; ``solver``, ``time_step`` (s);
            - ``noise`` (m) and ``seed``: shifts of all bodies along x and z; ``level``: how often every tetrahedron is split into eight;
            - ``step``, ``truth``, ``tolerance``, ``filter``: how contacts are scored, as in :func:`drystone.assess`;
            - ``steps``, ``suite``, ``ccd``, ``bodies``: a simulation of so many steps, with the settings of the assessment suite,
              continuous collision detection, the states of all bodies at the end in the results.

            Jobs with ``steps`` are simulations, and scored only if one of ``step``, ``truth``, ``tolerance`` and ``filter`` is given as
            well. All others are scored.

    Raises:
        TypeError: There is no such axis, or a value is of the wrong kind.
        ValueError: A value is wrong.

    >>> import drystone as ds
    >>> len(ds.sweep.grid(scene=["pillar", "wall"], method=["semi-local", ds.Method("vclip", depth=0.2)], noise=0.01, seed=range(5)))
    20
    """
    known = [name for names in _AXES.values() for name in names]
    if unknown := [name for name in axes if name not in known]:
        raise TypeError(f"there is no axis {', '.join(unknown)}; axes are {', '.join(known)}")
    if missing := [name for name in ("scene", "method") if name not in axes]:
        raise TypeError(f"a grid needs {' and '.join(missing)}")
    values = {name: [_plain(name, value) for value in _several(value)] for name, value in axes.items()}

    def job(combination: tuple[Any, ...]) -> dict[str, Any]:
        given = dict(zip(values, combination))
        parts: dict[str | None, dict[str, Any]] = {
            part: {name: given[name] for name in names if name in given} for part, names in _AXES.items()
        }
        return {**parts[None], **{part: parts[part] for part in ("assessment", "simulation") if parts[part]}}

    return Plan(job(combination) for combination in itertools.product(*values.values()))


def _several(value: Any) -> list[Any]:
    single = isinstance(value, (str, bytes, PathLike, Mapping)) or not isinstance(value, Iterable)
    return [value] if single else list(value)


def _plain(name: str, value: Any) -> Any:
    """A value as it stands in JSON."""
    if isinstance(value, Scene):
        return {"toml": value.to_toml()}
    if isinstance(value, Method):
        return {"name": value.name, "variant": value.variant, "settings": value.settings or None}
    if isinstance(value, Generator):
        return _generators.method_of(value)
    if isinstance(value, PathLike):
        return fspath(value)
    if hasattr(value, "item"):
        return value.item()
    if value is None or isinstance(value, (str, bool, int, float, Mapping)):
        return value
    raise TypeError(f"{name} has a value of the kind {type(value).__name__}, which is none of its values")
