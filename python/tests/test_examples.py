"""The examples run, and say what is so."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def said(name: str, *arguments: object) -> str:
    """Standard output of an example."""
    environment = {**os.environ, "POLARS_FMT_MAX_ROWS": "200"}
    command = [sys.executable, EXAMPLES / f"{name}.py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_table_8() -> None:
    rows = [line.split("┆") for line in said("table_8").splitlines() if "┆" in line][2:]
    cells = [[cell.strip(" │") for cell in row] for row in rows]
    figures = [row for row in cells if row[0] in ("spikes", "cliff-edges", "sliding-wedge")]
    assert len(figures) == 24
    # Coverage is as published, cell by cell (docs/results.md).
    assert all(row[2] == row[3] for row in figures), figures


def test_own_method() -> None:
    lines = said("own_method").splitlines()
    assert len(lines) == 1 + 3 * 4 and "Deepest" in lines[1]
    assert all(int(line.split()[-2]) == 1 for line in lines if "Deepest" in line and "spikes" not in line)


def test_ten_thousand_jobs(tmp_path: Path) -> None:
    out = said("ten_thousand_jobs", tmp_path, 2)
    assert "80 of 80 jobs, 0 failed" in out and out.count("semi-local") == 2


def test_grasp_stability(tmp_path: Path, monkeypatch) -> None:
    example = runpy.run_path(str(EXAMPLES / "grasp_stability.py"))
    monkeypatch.setattr(example["ds"].sweep, "run", lambda plan, folder, run=example["ds"].sweep.run: run(plan, folder, workers=0))
    table = example["study"](str(tmp_path), methods=("semi-local",))
    assert len(table) == 9 and table["held"].to_list() == table["expected"].to_list(), table
