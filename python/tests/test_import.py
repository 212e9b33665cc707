"""The import is quick: it loads no more than it needs (``scripts/python installed`` measures how long it takes)."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
import numpy
before = set(sys.modules)
import drystone as ds
print(*sorted(name for name in set(sys.modules) - before if not name.startswith("drystone._")))
assert "sweep" in dir(ds) and ds.sweep.grid is sys.modules["drystone.sweep"].grid
from drystone import *
assert sweep is ds.sweep
try:
    ds.swept
except AttributeError as error:
    print(error)
"""


def test_sweeps_are_imported_when_they_are_used() -> None:
    said = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True).stdout
    assert said == "__future__ drystone\nmodule 'drystone' has no attribute 'swept'\n"
