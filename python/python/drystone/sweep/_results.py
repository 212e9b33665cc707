"""What came out of a sweep."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ._folder import Folder
from ._plan import Plan
from ._require import require

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Results:
    """The results of a plan in a folder, one row a job, in the order of the plan. Jobs that are not there have no row.

    Args:
        plan: The jobs. Results of others that are in the folder, of another build of the program for example, are left out.
        folder: Where :func:`run` put them.
    """

    def __init__(self, plan: Plan, folder: str | os.PathLike[str], *, executed: int = 0) -> None:
        require("pyarrow")
        self._plan, self._folder, self._executed = plan, Folder(folder), executed
        self._table: pyarrow.Table | None = None

    @property
    def executed(self) -> int:
        """How many jobs :func:`run` has run for it; the others were there."""
        return self._executed

    def to_arrow(self) -> pyarrow.Table:
        """All columns of all jobs; ``error`` says why a job has no result."""
        import pyarrow as pa

        if self._table is None:
            table = self._folder.table()
            place = {id: number for number, id in enumerate(table["id"].to_pylist())}
            self._table = table.take(pa.array([place[id] for id in self._plan.ids if id in place], pa.int64()))
        return self._table

    def to_polars(self) -> polars.DataFrame:
        """The same as a data frame of Polars."""
        require("polars")
        import polars

        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a data frame of pandas, which has to be installed."""
        require("pandas")
        return self.to_arrow().to_pandas()

    def table(self) -> polars.DataFrame:
        """The jobs that have a result, as a data frame of Polars, without the column ``error``."""
        frame = self.to_polars()
        return frame.filter(frame["error"].is_null()).drop("error")

    def failures(self) -> polars.DataFrame:
        """The jobs that failed, as a data frame of Polars: what they are, and why."""
        frame = self.to_polars()
        return frame.filter(frame["error"].is_not_null()).select("id", "scene", "method", "variant", "noise", "seed", "level", "steps", "error")

    def __len__(self) -> int:
        return int(self.to_arrow().num_rows)

    def __repr__(self) -> str:
        failed = len(self) - self.to_arrow()["error"].null_count
        return f"<drystone.sweep.Results {len(self)} of {len(self._plan)} jobs, {failed} failed>"
