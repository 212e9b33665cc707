"""Sweeps: many jobs on many cores or machines, with results in a folder that nothing can damage.

A job is a scene, a method and what is measured; :func:`grid` makes a :class:`Plan` of them, :func:`run` runs those whose results are not
in the folder yet, and :class:`Results` are tables of what is there.

>>> import drystone as ds
>>> plan = ds.sweep.grid(scene="cliff-edges", method=["semi-local", "volume-sat"], noise=[0, 0.01], seed=range(3))
>>> len(plan)
8
>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     done = ds.sweep.run(plan, folder, workers=0, progress=False)   # in this process; by default a local Dask cluster
...     done.executed, len(done), ds.sweep.run(plan, folder, workers=0, progress=False).executed
(8, 8, 0)

Running needs ``pip install drystone[sweep]`` (Dask, PyArrow, Polars).
"""

from ._folder import FolderInUse
from ._plan import Plan, grid
from ._results import Results
from ._run import run

__all__ = ["FolderInUse", "Plan", "Results", "grid", "run"]
