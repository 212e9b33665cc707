"""The folder of a sweep: parts that are whole or not there, scene files, and who works in it."""

from __future__ import annotations

import hashlib
import os
import socket
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from .._errors import DrystoneError
from ._columns import schema
from ._plan import Plan

if TYPE_CHECKING:
    import pyarrow


class FolderInUse(DrystoneError, RuntimeError):
    """Another process runs the same jobs with results in the same folder."""


class Folder:
    """A folder with results.

    ``parts/`` has tables of finished jobs (Parquet), ``scenes/`` the texts of scene files, ``checkpoints/`` those of jobs that are not
    finished, ``locks/`` a file for each set of jobs that was run.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()
        self.parts, self.scenes = self.path / "parts", self.path / "scenes"
        self.checkpoints, self.locks = self.path / "checkpoints", self.path / "locks"

    def make(self) -> None:
        """Makes what is not there."""
        for folder in (self.parts, self.scenes, self.locks):
            folder.mkdir(parents=True, exist_ok=True)

    def lock(self, plan: Plan) -> Lock:
        """The right to run a set of jobs here, for a ``with`` block."""
        return Lock(self.locks / f"{_name(plan.ids)}.lock")

    def add(self, rows: list[dict[str, Any]]) -> None:
        """Keeps results as one part. A part of the same jobs takes the place of another."""
        import pyarrow as pa
        import pyarrow.parquet as parquet

        table = pa.Table.from_pylist(rows, schema=schema())
        with _written(self.parts / f"{_name(row['id'] for row in rows)}.parquet") as file:
            parquet.write_table(table, file)

    def keep_scenes(self, plan: Plan) -> None:
        """Keeps the texts of the scene files of jobs, each once."""
        for job in plan:
            scene = job.description["scene"]
            if isinstance(scene, dict) and not (place := self.scenes / f"{scene['file']}.toml").exists():
                with _written(place) as file:
                    file.write(job.entry["scene"]["toml"].encode())

    def ids(self, *, with_failures: bool) -> set[str]:
        """The jobs that have results."""
        import pyarrow.parquet as parquet

        found = set[str]()
        for path in self._paths():
            part = parquet.read_table(path, columns=["id", "error"], partitioning=None)
            pairs = zip(part["id"].to_pylist(), part["error"].to_pylist())
            found |= {id for id, error in pairs if with_failures or error is None}
        return found

    def _paths(self) -> list[Path]:
        """The parts, the oldest first."""
        return sorted(self.parts.glob("*.parquet"), key=lambda path: (path.stat().st_mtime_ns, path.name))

    def table(self) -> pyarrow.Table:
        """All results, each job once: one that failed and was run again has what came out last."""
        import pyarrow as pa
        import pyarrow.parquet as parquet

        parts = [parquet.read_table(path, schema=schema(), partitioning=None) for path in self._paths()]
        table = pa.concat_tables([schema().empty_table(), *parts])
        chosen: dict[str, int] = {}
        errors = table["error"].to_pylist()
        for number, (id, error) in enumerate(zip(table["id"].to_pylist(), errors)):
            # A result that is there is never lost to a failure.
            if error is None or errors[chosen.setdefault(id, number)] is not None:
                chosen[id] = number
        return table.take(pa.array(chosen.values(), pa.int64()))


class Lock:
    """Held while a set of jobs is run. The system releases it if the process ends in any way."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def __enter__(self) -> Lock:
        try:
            import fcntl
        except ImportError:
            # Two processes that run the same jobs do harm to nobody; they waste time.
            return self
        file = open(self._path, "a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            who = file.read().strip() or "another process"
            file.close()
            raise FolderInUse(
                f"{who} runs these jobs with results in {self._path.parents[1]}; wait for it, or share the jobs by Plan.shard"
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        self._file = file
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()


class _written:
    """A file that takes its place when it is whole."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def __enter__(self) -> IO[bytes]:
        self._file = tempfile.NamedTemporaryFile(dir=self._place.parent, prefix=".", suffix=".part", delete=False)
        return self._file

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._file as file:
            file.flush()
            os.fsync(file.fileno())
        if kind is None:
            # As the user's mask has it, and not as temporary files are.
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(file.name, 0o666 & ~mask)
            os.replace(file.name, self._place)
        else:
            os.unlink(file.name)


def _name(ids: Iterable[str]) -> str:
    return hashlib.sha256("".join(sorted(ids)).encode()).hexdigest()[:32]
