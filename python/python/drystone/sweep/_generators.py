"""Contact methods in Python as data: jobs carry them to any worker.

A job that has one says in ``method`` its ``name``, its ``variant`` (the version of the class), its ``settings`` (the attributes of the object) and,
as ``pickle``, the object. Its id has all of that but the pickle, whose bytes are others in every process.
"""

from __future__ import annotations

import base64
import json
import pickle
from collections.abc import Mapping
from typing import Any, NamedTuple

from .._generator import Generator
from ._require import require


class Carried(NamedTuple):
    """A generator as the extension module reads it."""

    generator: Generator
    variant: str
    """What its results are known by, beside its name: version and settings."""


def method_of(generator: Generator) -> dict[str, Any]:
    """The method of a job."""
    if not generator.version:
        raise TypeError(
            f"method {generator.name} is written in Python and has no version, by which its results could be known; "
            f'give the class an attribute version = "1", and another version whenever its code changes'
        )
    require("cloudpickle")
    import cloudpickle

    settings = _settings(generator)
    try:
        content = cloudpickle.dumps(generator)
    except Exception as error:
        raise TypeError(f"method {generator.name} cannot be sent to workers: {error}") from error
    text = base64.b64encode(content).decode()
    return {"name": generator.name, "variant": generator.version, "settings": settings, "pickle": text}


def is_carried(method: Any) -> bool:
    """Whether the method of a job is a generator."""
    return isinstance(method, Mapping) and "pickle" in method


def read(method: Mapping[str, Any]) -> tuple[dict[str, Any], Carried]:
    """The method as the extension module reads it, and a new copy of the generator.

    Raises:
        TypeError: It is none.
    """
    generator = pickle.loads(base64.b64decode(method["pickle"]))
    if not isinstance(generator, Generator):
        raise TypeError(f"the pickle of the method {method['name']} is no drystone.Generator")
    variant = f"{method['variant']} {json.dumps(method['settings'], sort_keys=True)}"
    return {"name": method["name"], "variant": variant}, Carried(generator, variant)


class Generators:
    """Those of the jobs of a plan, each once."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any]] = {}
        self._carried: dict[str, Carried] = {}

    def plain(self, method: Any) -> Any:
        """A method as the extension module reads it.

        Raises:
            ValueError: Results of two generators could not be told apart.
        """
        if not is_carried(method):
            return method
        if method["pickle"] not in self._known:
            plain, carried = read(method)
            first = self._carried.setdefault(json.dumps(plain), carried)
            if type(first.generator) is not type(carried.generator):
                raise ValueError(
                    f"there are two classes {method['name']} with the version {method['variant']}; give one of them another name or version"
                )
            self._known[method["pickle"]] = plain
        return self._known[method["pickle"]]

    @property
    def carried(self) -> list[Carried]:
        """All of them."""
        return list(self._carried.values())


def described(method: Mapping[str, Any]) -> dict[str, Any]:
    """What tables say of it."""
    return {name: method[name] for name in ("name", "variant", "settings")}


def _settings(generator: Generator) -> dict[str, Any]:
    """The attributes of the object, without those whose names begin with an underscore, and how far it looks."""
    found = {"reach": generator.reach, **{name: value for name, value in vars(generator).items() if name[0] != "_"}}
    return {name: _plain(f"{generator.name}.{name}", value) for name, value in found.items()}


def _plain(name: str, value: Any) -> Any:
    """A value as it comes back from JSON."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{name} is no plain data, and results are known by such attributes ({error}); make it of numbers, texts, lists, dicts "
            f"or arrays, or let its name begin with an underscore if results do not depend on it"
        ) from None
