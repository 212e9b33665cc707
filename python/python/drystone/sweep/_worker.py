"""What runs in a worker."""

from __future__ import annotations

import json
import pickle
import time
from typing import Any, NamedTuple

from .._drystone import _program, _run_job
from . import _generators


class Checkpoints(NamedTuple):
    """Where simulations leave checkpoints."""

    folder: str
    every: int


class Finished(NamedTuple):
    """A job that was run."""

    id: str
    outcome: str | None
    """As JSON."""
    error: str | None
    wall_seconds: float


def run_pickled(jobs: bytes, seconds: float, checkpoints: Checkpoints | None, program: str) -> list[Finished]:
    """:func:`run_jobs` of jobs as one pickle, in which Dask does not look for tasks, item by item."""
    return run_jobs(pickle.loads(jobs), seconds, checkpoints, program)


def run_jobs(
    jobs: list[tuple[str, dict[str, Any]]], seconds: float, checkpoints: Checkpoints | None, program: str
) -> list[Finished]:
    """Runs jobs, one after the other, until so many seconds are over, but one at least."""
    if program != _program():
        raise RuntimeError(f"the worker has {_program()}, and the driver {program}; install the same on both")
    start, finished = time.monotonic(), list[Finished]()
    for id, entry in jobs:
        begun = time.monotonic()
        outcome, error = None, None
        try:
            folder, every = checkpoints or (None, 0)
            generator = None
            if _generators.is_carried(entry["method"]):
                # A copy of its own for each job, so that none sees what another one has left in it.
                method, generator = _generators.read(entry["method"])
                entry = {**entry, "method": method}
            own, outcome = _run_job(json.dumps(entry), folder, every, generator)
            assert own == id, f"the job is {own} here, and {id} where it was planned"
        except Exception as raised:
            outcome, error = None, f"{type(raised).__name__}: {raised}"
        finished.append(Finished(id, outcome, error, time.monotonic() - begun))
        if time.monotonic() - start >= seconds:
            break
    return finished
