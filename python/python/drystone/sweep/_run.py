"""Runs the jobs of a plan."""

from __future__ import annotations

import math
import multiprocessing
import os
from collections import deque
from typing import TYPE_CHECKING, Any

from .._drystone import _program
from .._errors import DrystoneError
from .._progress import Progress
from ._columns import cells
from ._engine import Chunk, Dask, Engine, Here
from ._folder import Folder
from ._plan import Job, Plan
from ._require import require
from ._results import Results
from ._worker import Checkpoints, Finished

if TYPE_CHECKING:
    import distributed

_FIRST = 50
"""How many jobs a chunk has at most before it is known how long jobs take; those that a worker has no time for come back."""

_MOST = 1000
"""The most jobs of a chunk."""

_LOST = (
    "WorkerLost: the process that ran this job ended, again when it ran alone: it crashes it, or needs more memory than there is"
)


def run(
    plan: Plan,
    folder: str | os.PathLike[str],
    *,
    client: distributed.Client | None = None,
    workers: int | None = None,
    checkpoint_every: int | None = None,
    retry_failures: bool = False,
    chunk_seconds: float = 2.0,
    progress: bool = True,
) -> Results:
    """Runs the jobs whose results are not in the folder, and puts them there.

    The results of about ``chunk_seconds`` are kept at a time, in files that are whole or not there, so that nothing that can happen to
    workers or to this process costs more than that. A job that fails has its error in the results and is not run again. A job whose
    worker ends, again when it runs alone, is such a failure; other jobs do not suffer from it.

    In a script the call has to be under ``if __name__ == "__main__":``, because the workers of a local cluster import the script.

    Args:
        plan: The jobs. For a job array, one task's :meth:`Plan.shard`; all tasks may have the same folder.
        folder: Where results go; made if it is not there.
        client: A client of Dask whose workers have this package, on any machines. By default a cluster on this machine.
        workers: How many processes the cluster on this machine has; one a core by default, 0 for this process itself, without Dask.
        checkpoint_every: After how many steps simulations leave a checkpoint in the folder, which all workers have to see then. Those
            that were cut off go on from there, with the same bits.
        retry_failures: Whether jobs that failed are run again.
        chunk_seconds: How long a worker works on jobs before it returns what is done.
        progress: Whether a bar and a summary go to standard error.

    Returns:
        The results of the plan.

    Raises:
        FolderInUse: Another process runs the same jobs with the same folder.
        ImportError: Dask or PyArrow are not installed; the message says how to.
    """
    require("pyarrow", *(() if client is None and workers == 0 else ("distributed",)))
    if client is not None and workers is not None:
        raise ValueError("workers is for a cluster on this machine; leave it out where there is a client")
    if workers is not None and workers < 0:
        raise ValueError(f"workers is {workers}; it must not be negative")
    if checkpoint_every is not None and checkpoint_every < 1:
        raise ValueError(f"checkpoint_every is {checkpoint_every}; it must be at least 1")
    if not (math.isfinite(chunk_seconds) and chunk_seconds >= 0):
        raise ValueError(f"chunk_seconds is {chunk_seconds}; it must be finite and not negative")
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise DrystoneError('a worker imports this script; put the call of sweep.run under: if __name__ == "__main__":')
    place = Folder(folder)
    place.make()
    with place.lock(plan):
        place.keep_scenes(plan)
        there = place.ids(with_failures=not retry_failures)
        missing = [job for job in plan if job.id not in there]
        shown = Progress(len(plan), len(plan) - len(missing), progress)
        if missing:
            checkpoints = checkpoint_every and Checkpoints(os.fspath(place.checkpoints), checkpoint_every)
            how = (chunk_seconds, checkpoints or None, _program())
            engine = Here(how) if client is None and workers == 0 else Dask(how, client, workers, shown.say)
            try:
                with engine:
                    _Driver(missing, place, engine, shown, chunk_seconds).drive()
            finally:
                shown.finish()
    return Results(plan, folder, executed=len(missing))


class _Driver:
    """What is to be run, where it is, and what came of it."""

    def __init__(self, jobs: list[Job], folder: Folder, engine: Engine, shown: Progress, seconds: float) -> None:
        self._jobs = {job.id: job for job in jobs}
        self._folder, self._engine, self._shown, self._seconds = folder, engine, shown, seconds
        self._waiting = deque(jobs)
        # Jobs whose chunk was lost, which run one at a time, and those that were lost again, which run when nothing else does.
        self._suspects: deque[Job] = deque()
        self._last: deque[Job] = deque()
        self._done, self._wall = 0, 0.0

    def drive(self) -> None:
        """Runs all jobs."""
        running: dict[Any, tuple[Chunk, deque[Job]]] = {}
        rows: list[dict[str, Any]] = []
        while True:
            while len(running) < self._ahead() and (chosen := self._next(not running)):
                chunk, source = chosen
                running[self._engine.submit(chunk)] = (chunk, source)
                if source is self._last:
                    break
            # While the workers are busy again.
            if rows:
                self._folder.add(rows)
                self._shown.advance(len(rows), sum(row["error"] is not None for row in rows))
            if not running:
                return
            ticket, finished = self._engine.wait()
            chunk, source = running.pop(ticket)
            if finished is None:
                rows = self._lost(chunk, source)
            else:
                done = {job.id for job in finished}
                self._waiting.extendleft(reversed([job for job in chunk if job.id not in done]))
                rows = [self._row(job) for job in finished]

    def _ahead(self) -> int:
        """How many chunks are sent: one more a worker than it works on, so that it does not wait, unless single jobs are long."""
        is_short = self._done > 0 and self._wall / self._done < self._seconds
        return self._engine.slots() * (2 if is_short else 1)

    def _next(self, is_idle: bool) -> tuple[Chunk, deque[Job]] | None:
        if self._waiting:
            return [self._waiting.popleft() for _ in range(self._size())], self._waiting
        if self._suspects:
            return [self._suspects.popleft()], self._suspects
        if self._last and is_idle:
            return [self._last.popleft()], self._last
        return None

    def _size(self) -> int:
        """More jobs than a worker can do in its time, as jobs were so far; at the end, what is left for it, in not too small parts."""
        share = math.ceil(len(self._waiting) / self._ahead())
        if self._done == 0:
            return min(_FIRST, share)
        in_time = self._seconds / max(self._wall / self._done, 1e-6)
        size = min(math.ceil(1.5 * in_time), max(share, math.ceil(0.25 * in_time)), _MOST)
        return max(1, min(size, len(self._waiting)))

    def _row(self, job: Finished) -> dict[str, Any]:
        self._done, self._wall = self._done + 1, self._wall + job.wall_seconds
        return cells(job.id, self._jobs[job.id].description, job.outcome, job.error, job.wall_seconds)

    def _lost(self, chunk: Chunk, source: deque[Job]) -> list[dict[str, Any]]:
        if source is self._last:
            return [cells(job.id, job.description, None, _LOST, None) for job in chunk]
        (self._last if source is self._suspects else self._suspects).extend(chunk)
        return []
