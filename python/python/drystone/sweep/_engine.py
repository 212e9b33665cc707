"""Who runs chunks of jobs: this process, or the workers of Dask."""

from __future__ import annotations

import logging
import os
import pickle
import time
from collections.abc import Callable
from contextlib import ExitStack
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

from .._errors import DrystoneError
from ._plan import Job
from ._worker import Checkpoints, Finished, run_jobs, run_pickled

if TYPE_CHECKING:
    import distributed

Chunk = list[Job]
"""Jobs that are sent at once."""

How = tuple[float, "Checkpoints | None", str]
"""What :func:`run_jobs` is told beside the jobs."""

_BETWEEN_LOOKS = 2.0
"""How old the number of workers may be, s."""

_PATIENCE = 30.0
"""After so long without a result workers are looked for, and it is said if there is none, s."""


class Engine(Protocol):
    """Runs chunks."""

    def __enter__(self) -> Engine: ...
    def __exit__(self, *error: object) -> None: ...

    def slots(self) -> int:
        """How many chunks run at a time, at least 1. More wait their turn."""

    def submit(self, chunk: Chunk) -> Any:
        """Begins with a chunk. Returns what :meth:`wait` names it by."""

    def wait(self) -> tuple[Any, list[Finished] | None]:
        """Waits for a chunk: which, and what is done of it; nothing if its worker was lost, again and again."""


def _data(chunk: Chunk) -> list[tuple[str, dict[str, Any]]]:
    return [(job.id, job.entry) for job in chunk]


class Here:
    """This process, one chunk at a time."""

    def __init__(self, how: How) -> None:
        self._how, self._done = how, list[tuple[int, list[Finished]]]()
        self._count = 0

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def slots(self) -> int:
        return 1

    def submit(self, chunk: Chunk) -> int:
        self._count += 1
        self._done.append((self._count, run_jobs(_data(chunk), *self._how)))
        return self._count

    def wait(self) -> tuple[int, list[Finished]]:
        return self._done.pop()


class Dask:
    """The workers of a client, or those of a cluster of its own on this machine."""

    def __init__(
        self, how: How, client: distributed.Client | None, workers: int | None, say: Callable[[str], None]
    ) -> None:
        self._how, self._client, self._workers, self._say = how, client, workers, say
        self._cluster: distributed.LocalCluster | None = None
        # How many workers the cluster of its own has.
        self._wanted = 0
        self._open = ExitStack()
        self._sent = set[Any]()
        self._ended = SimpleQueue[Any]()
        self._looked, self._slots = -_BETWEEN_LOOKS, 1

    def __enter__(self) -> Dask:
        if self._client is None:
            self._start()
        return self

    def _start(self) -> None:
        """Makes a cluster on this machine."""
        import dask
        import distributed

        self._wanted = self._workers or os.cpu_count() or 1
        with ExitStack() as opened:
            # Whoever is lost twice is looked at alone; see the driver.
            with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
                try:
                    self._cluster = distributed.LocalCluster(
                        n_workers=self._wanted,
                        threads_per_worker=1,
                        dashboard_address=":0",
                        silence_logs=logging.CRITICAL,
                    )
                except RuntimeError as error:
                    raise DrystoneError(
                        f"the workers cannot be started ({error}); in a script, put the call of sweep.run under: "
                        'if __name__ == "__main__":'
                    ) from error
            opened.enter_context(self._cluster)
            self._client = opened.enter_context(distributed.Client(self._cluster))
            self._open = opened.pop_all()

    def __exit__(self, *error: object) -> None:
        try:
            if self._client is not None and self._client.status != "closed" and self._sent:
                self._client.cancel(list(self._sent))
        finally:
            self._open.close()

    def slots(self) -> int:
        if time.monotonic() - self._looked > _BETWEEN_LOOKS:
            self._look()
        return max(1, self._slots)

    def _look(self) -> None:
        """Counts the workers, and starts those again that the cluster has given up."""
        import distributed

        assert self._client is not None
        self._looked = time.monotonic()
        try:
            self._slots = sum(self._client.nthreads().values())
        except (OSError, distributed.TimeoutError):
            # The scheduler is busy or away; if it ended, the chunks are cancelled.
            return
        # A worker that is lost is started again. If it is not there 15 s later, as it was lost again, its place in the cluster is empty for ever.
        if self._cluster is not None and self._slots < self._wanted:
            self._cluster.scale(self._wanted)

    def submit(self, chunk: Chunk) -> Any:
        assert self._client is not None
        future = self._client.submit(run_pickled, pickle.dumps(_data(chunk)), *self._how, pure=False)
        self._sent.add(future)
        future.add_done_callback(self._ended.put)
        return future

    def wait(self) -> tuple[Any, list[Finished] | None]:
        import distributed

        while True:
            try:
                future = self._ended.get(timeout=_PATIENCE)
                break
            except Empty:
                self._miss()
        self._sent.discard(future)
        while True:
            try:
                # What is lost with its worker is computed again, and waited for.
                return future, future.result(timeout=_PATIENCE)
            except distributed.KilledWorker:
                return future, None
            except distributed.CancelledError as error:
                raise DrystoneError(
                    "the cluster ended while jobs were running; run again to go on with what is there"
                ) from error
            except Exception as error:
                if not isinstance(error, distributed.TimeoutError) or future.status == "error":
                    raise DrystoneError(f"a worker cannot run jobs: {error}") from error
                self._miss()

    def _miss(self) -> None:
        """Nothing was done for long."""
        self._look()
        if self._slots == 0:
            self._say("the cluster has no worker; the sweep goes on when it has one")
