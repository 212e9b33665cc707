"""Rows as tables of other packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Table:
    """Rows with the same fields, which become tables of packages that are installed."""

    def columns(self) -> dict[str, list[Any]]:
        """The rows as columns."""
        raise NotImplementedError

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of PyArrow, which has to be installed."""
        import pyarrow

        return pyarrow.table(self.columns())

    def to_polars(self) -> polars.DataFrame:
        """The rows as a data frame of Polars, which has to be installed."""
        import polars

        return polars.DataFrame(self.columns(), infer_schema_length=None)

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a data frame of pandas, which has to be installed."""
        import pandas

        return pandas.DataFrame(self.columns())
