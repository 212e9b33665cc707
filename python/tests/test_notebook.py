"""The notebook of the examples runs, and draws."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "examples" / "contacts.ipynb"


def test_contacts_are_drawn() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "clear the outputs of the notebook before it is kept"
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    said = "".join(output.text for output in outputs if output.output_type == "stream")
    assert len(pictures) == 2
    assert said.count("gap -0.010 m") >= 4 and "the floor carries 3.000 times the weight of a cube" in said
