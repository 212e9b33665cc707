"""Packages that sweeps alone need."""

from __future__ import annotations

import importlib.util


def require(*names: str) -> None:
    """Raises an error that says what to install, if a package is not there.

    Raises:
        ImportError: With the command to give.
    """
    if missing := [name for name in names if importlib.util.find_spec(name) is None]:
        raise ImportError(f"sweeps need {', '.join(missing)}; install them by: pip install 'drystone[sweep]'")
