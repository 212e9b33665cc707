"""Contact methods that were pickled."""

from __future__ import annotations

from typing import Any

from ._drystone import Method


def _method_of(name: str, variant: str, settings: dict[str, Any]) -> Method:
    return Method(name, variant=variant, **settings)
