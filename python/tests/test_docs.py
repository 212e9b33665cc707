"""Everything has docs, and the examples in them are run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import drystone
import pytest

MODULES = ["drystone", *(f"drystone.{module.name}" for module in pkgutil.iter_modules(drystone.__path__))]
README = Path(__file__).parents[1] / "README.md"


def native() -> Iterator[tuple[str, Any]]:
    """What the extension module has, which doctest does not look for by itself."""
    for name, item in vars(drystone._drystone).items():
        if name.startswith("_"):
            continue
        yield name, item
        if isinstance(item, type):
            members = vars(item).items()
            yield from ((f"{name}.{member}", value) for member, value in members if not member.startswith("_"))


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_modules(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_of_the_extension() -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for name, item in native():
        runner.run(parser.get_doctest(item.__doc__ or "", {}, name, "_drystone", 0))
    results = runner.summarize()
    assert results.attempted > 5 and results.failed == 0


def test_examples_of_the_readme() -> None:
    results = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert results.attempted > 5 and results.failed == 0


def test_everything_is_documented() -> None:
    assert [name for name, item in native() if not getattr(item, "__doc__", "")] == []
