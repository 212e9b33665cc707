"""Who runs chunks of jobs: this process, or the workers of Dask."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol

from .._errors import DrystoneError
from ._plan import Job
from ._worker import Checkpoints, Finished, run_jobs

if TYPE_CHECKING:
    import distributed

Chunk = list[Job]
"""Jobs that are sent at once."""

How = tuple[float, "Checkpoints | None", str]
"""What :func:`run_jobs` is told beside the jobs."""

_BETWEEN_LOOKS = 2.0
"""How old the number of workers may be, s."""

_PATIENCE = 30.0
"""After so long without a result it is said if there is no worker, s."""

_ENDED = "the cluster ended while jobs were running; run again to go on with what is there"


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
        self._open = ExitStack()
        # In the order of their submission, as keys.
        self._futures: dict[Any, None] = {}
        self._looked, self._slots = -_BETWEEN_LOOKS, 1

    def __enter__(self) -> Dask:
        import dask
        import distributed

        if self._client is None:
            # A cluster looks once, so long after it lost a worker, and if the worker is not back, gives its place up for ever. One that was
            # lost again in the meantime is not back, and a sweep that loses workers often would have none in the end.
            self._open.enter_context(dask.config.set({"distributed.deploy.lost-worker-timeout": "1000 days"}))
            # Whoever is lost twice is looked at alone; see the driver.
            with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
                try:
                    cluster = distributed.LocalCluster(
                        n_workers=self._workers or os.cpu_count(),
                        threads_per_worker=1,
                        dashboard_address=":0",
                        silence_logs=logging.CRITICAL,
                    )
                except RuntimeError as error:
                    raise DrystoneError(
                        f"the workers cannot be started ({error}); in a script, put the call of sweep.run under: "
                        'if __name__ == "__main__":'
                    ) from error
            self._open.enter_context(cluster)
            self._client = self._open.enter_context(distributed.Client(cluster))
        return self

    def __exit__(self, *error: object) -> None:
        try:
            if self._client is not None and self._futures:
                self._client.cancel(list(self._futures))
        finally:
            self._open.close()

    def slots(self) -> int:
        if time.monotonic() - self._looked > _BETWEEN_LOOKS:
            assert self._client is not None
            self._looked = time.monotonic()
            self._slots = max(1, sum(self._client.nthreads().values()))
        return self._slots

    def submit(self, chunk: Chunk) -> Any:
        assert self._client is not None
        future = self._client.submit(run_jobs, _data(chunk), *self._how, pure=False)
        self._futures[future] = None
        return future

    def wait(self) -> tuple[Any, list[Finished] | None]:
        import distributed

        try:
            future = self._first()
        except (distributed.CancelledError, OSError) as error:
            raise DrystoneError(_ENDED) from error
        del self._futures[future]
        try:
            # What is lost with its worker is computed again, and waited for.
            return future, future.result()
        except distributed.KilledWorker:
            return future, None
        except distributed.CancelledError as error:
            raise DrystoneError(_ENDED) from error
        except Exception as error:
            raise DrystoneError(f"a worker cannot run jobs: {error}") from error

    def _first(self) -> Any:
        """The chunk that was sent first of those that are done."""
        import distributed

        assert self._client is not None
        while True:
            try:
                # Where the client is not the default one as well.
                with self._client.as_current():
                    done = distributed.wait(list(self._futures), timeout=_PATIENCE, return_when="FIRST_COMPLETED").done
                return next(future for future in self._futures if future in done)
            except distributed.TimeoutError:
                if not self._client.nthreads():
                    self._say("the cluster has no worker; the sweep goes on when it has one")
