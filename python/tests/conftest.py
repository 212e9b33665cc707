"""What several tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

# Shells let what they start in the background ignore Ctrl-C, which some tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def program() -> Path:
    """The program ``drystone``, which scripts/python builds beside the package."""
    path = Path(os.environ.get("DRYSTONE_PROGRAM", Path(__file__).parents[2] / "target/release/drystone"))
    assert path.exists(), f"{path} is not there; run scripts/python, or name another one in DRYSTONE_PROGRAM"
    return path
