"""Random attacks on the border between Python and Rust: every public callable of the package with right and hostile arguments.

Names are found by looking at the package, so that a new one is attacked at once. A call may return or raise what is documented; it may not panic,
crash, hang or end the process, return numbers that are none, or change a world that refuses it. Cases run in a process of their own, as they might
crash it. What a seed does is always the same: of a case that fails its seed and the log of its calls are told.

PYTHON_ATTACK_SECONDS attacks for so long, PYTHON_ATTACK_SEED from another first seed.
"""

from __future__ import annotations

import faulthandler
import gc
import inspect
import itertools
import json
import math
import operator
import os
import subprocess
import sys
import tempfile
import time
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hostile import EXPECTED, RIGHT, Attacker, Hostile, Pool

import drystone as ds
from drystone import _drystone

CASES = 100
CALLS = 100
LIMIT = 60
"""Seconds that a case may take."""

KEPT_OUT = {
    "sweep": "starts processes and writes folders; its tests attack it",
    "Assessment": "is made by assess alone",
    "Study": "is made by study alone",
    "Energy": "is a plain tuple",
    "Interaction": "is a plain tuple",
    "MassProperties": "is a plain tuple",
    "FeatureKind": "is as Python makes it",
    "Generator.contacts": "says that it has to be written",
}
SPECIAL = ("__len__", "__contains__", "__eq__", "__hash__", "__repr__", "__copy__", "__deepcopy__", "__reduce__")
LONG_IF_LARGE = ("count", "threads", "checks", "exact_after", "refine", "Scene.contacts.step", "assess.step", "max_substeps", "study.steps")
"""Whole numbers that say how long a call takes: none but small ones, and those that are out of range."""
TIME_STEPS = ("World.time_step", "World.time_step=.value", "Scene.time_step")
"""Positive ones are from 1e-9 to 1,000 s: by others forces, which are impulses by time, get infinite, and then no snapshot can be read."""
ALWAYS = ("assess.scenes", "assess.methods", "study.methods", "study.steps")
"""Without them a call takes long."""


@dataclass(frozen=True)
class Target:
    """Something that can be called."""

    name: str
    kind: str
    owner: type | None
    call: Callable[..., Any]


def targets() -> list[Target]:
    """All of the package, and what its pickles call."""
    found = [Target("_shape_of_bytes", "function", None, _drystone._shape_of_bytes)]
    for name in ds.__all__:
        thing = None if name == "sweep" else getattr(ds, name)
        if isinstance(thing, type) and issubclass(thing, Exception):
            continue
        if isinstance(thing, type):
            made = {"__new__", "__init__"} & vars(thing).keys()
            if made and name not in KEPT_OUT:
                found.append(Target(name, "function", None, thing))
            for member, own in vars(thing).items():
                if not member.startswith("_") or member in SPECIAL:
                    found.extend(members(f"{name}.{member}", thing, member, own))
        elif callable(thing):
            found.append(Target(name, "function", None, thing))
    return sorted(found, key=lambda one: one.name)


def members(name: str, owner: type, member: str, own: object) -> Iterator[Target]:
    if name in KEPT_OUT:
        return
    if isinstance(own, (staticmethod, classmethod)):
        yield Target(name, "function", None, getattr(owner, member))
    elif isinstance(own, (types.GetSetDescriptorType, types.MemberDescriptorType)):
        yield Target(name, "get", owner, lambda one: getattr(one, member))
        yield Target(f"{name}=", "set", owner, lambda one, value: setattr(one, member, value))
    elif callable(own) and owner is not ds.FeatureKind:
        yield Target(name, "method", owner, own)
    elif isinstance(own, property):
        yield Target(name, "get", owner, lambda one: getattr(one, member))


class Attack(Pool):
    """One case."""

    def __init__(self, seed: int, log: Path) -> None:
        super().__init__(seed)
        self.log = log.open("w")
        for value in self.beginning():
            self.keep(value)

    def beginning(self) -> Iterator[Any]:
        """At least one of each class."""
        world = self.world
        world.add(ds.Shape.box((9, 1, 9)), ds.pose((0, -0.5, 0)), fixed=True)
        _, ball = world.add(self.shape, ds.pose((0, 0.5, 0))), world.add(ds.Shape.ball(0.4), ds.pose((0, 1.39, 0)), sensor=False)
        lift = world.add(self.shape, ds.pose((3, 0.5, 0)), kinematic=True)
        world.add_material("ice", friction=0.0)
        joint = ds.Joint.hinge(lift, ball, point=(0, 2, 0), axis=(0, 0, 1))
        pairs: list[Any] = []
        world.set_contact_hooks(interaction=lambda pair, _: pairs.append(pair))
        world.set_events(contacts=True, persisted=True)
        world.record("whole.dry", keyframes=2)
        number = world.add_joint(joint)
        yield from (world.step(3), world.events, pairs[:3])
        world.stop_recording()
        world.set_contact_hooks()
        scene = ds.Scene(self.rng.choice(["cliff-edges", "ball-on-ball", "wedges"]))
        yield from (world, self.shape, world.shape(ball), ds.Shape.convex_hull(self.numbers(9, 3)), ds.Shape.half_space(), joint)
        yield from (ds.Motor.velocity(2.0), ds.Method("semi-local"), scene, scene.bodies, ds.Recording("whole.dry"), world.joint(number))
        yield from (world.cast_ray((0, 9, 0), (0, -1, 0)), world.energy, ds.Interaction(0.5), self.shape.mass_properties(1.0))
        yield from (ds.assess("cliff-edges", "semi-local"), Attacker(self, world), ds.FeatureKind.EDGE)
        yield ds.study("pillar-quality", "vertex-only", steps=1, progress=False)

    def keep(self, value: Any) -> None:
        """Objects of the package are used again."""
        kind: type = ds.Generator if isinstance(value, ds.Generator) else type(value)
        if getattr(ds, kind.__name__, None) is kind:
            known = self.live.setdefault(kind, [])
            if len(known) < 6:
                known.append(value)
            else:
                known[self.rng.randrange(1, 6)] = value
        elif isinstance(value, list):
            for one in value[:3]:
                self.keep(one)

    def can_set(self, target: Target) -> bool:
        one = self.live[cast(type, target.owner)][0]
        try:
            target.call(one, getattr(one, target.name.rpartition(".")[2][:-1]))
        except AttributeError:
            return False
        return True

    def argument(self, place: str, hostility: float) -> Any:
        """A value for a parameter, by its place or its name."""
        make = RIGHT.get(place) or RIGHT.get(place.rpartition(".")[2])
        if make is None or self.rng.random() < hostility:
            value = self.hostile()
            if place in ALWAYS and value is None:
                return ()
            if place in TIME_STEPS and isinstance(value, (int, float)) and value > 0 and not 1e-9 < value < 1e3:
                return 0.02
            if place in LONG_IF_LARGE or place.rpartition(".")[2] in LONG_IF_LARGE:
                try:
                    return value if not 2 < operator.index(value) < 2**64 else 2
                except Exception:
                    pass
            return value
        try:
            return make(self)
        except EXPECTED:
            return None

    def arguments(self, target: Target) -> tuple[list[Any], dict[str, Any]]:
        hostility = self.rng.choice([0, 0.1, 0.4])
        given: list[Any] = []
        named: dict[str, Any] = {}
        for parameter in list(inspect.signature(target.call).parameters.values())[target.owner is not None :]:
            place = f"{target.name}.{parameter.name}"
            if parameter.kind is parameter.VAR_KEYWORD:
                for name in self.rng.sample(["envelope", "margin", "no such", "a\0"], self.rng.choice([0, 0, 1, 2])):
                    named[name] = self.argument(place, hostility)
            elif parameter.default is not parameter.empty and place not in ALWAYS and self.rng.random() < 0.7:
                continue
            elif parameter.kind is parameter.KEYWORD_ONLY:
                named[parameter.name] = self.argument(place, hostility)
            else:
                given.append(self.argument(place, hostility))
        if self.rng.random() < hostility / 10:
            named["no such"] = given.pop() if given else None
        return given, named

    def run(self, target: Target) -> str:
        """Makes a call; what is wrong with it is an AssertionError."""
        given, named = self.arguments(target)
        if target.owner is not None:
            given.insert(0, self.one(ds.Generator if target.owner is ds.Generator else target.owner))
        print(target.name, *map(said, given), {name: said(value) for name, value in named.items()}, file=self.log, flush=True)
        world = given[0] if target.owner is ds.World else None
        before = b"" if world is None else world.snapshot()
        self.disturbed = False
        try:
            result = target.call(*given, **named)
        except EXPECTED as error:
            print("    ", type(error).__name__, str(error)[:200].encode("ascii", "backslashreplace").decode(), file=self.log, flush=True)
            # Steps before the one that fails were made, and one that fails at its end may forget contacts.
            if world is not None and not self.disturbed and target.name != "World.step":
                assert world.snapshot() == before, "what was refused has changed the world"
            return "refused"
        except BaseException as error:
            raise AssertionError(f"an exception that is not documented: {type(error).__name__}: {error}") from error
        if target.name not in NOT_FINITE:
            assert all(map(math.isfinite, numbers_in(result))), f"numbers that are not finite: {result!r}"
        self.keep(result)
        return "returned"

    def end(self) -> None:
        """All worlds still work, and go on from their bytes bit for bit."""
        print("the end", file=self.log, flush=True)
        for world in self.live[ds.World]:
            generator = world.method if isinstance(world.method, ds.Generator) else None
            if generator is None:
                world.set_contact_hooks()
                other = ds.World.from_snapshot(world.snapshot())
                assert step(other) == step(world), "another world comes from a snapshot"
            assert np.isfinite(world.poses).all() and np.isfinite(world.velocities).all()


def step(world: Any) -> tuple[str, ...]:
    """Makes a step: what is said against it, and the state behind it."""
    try:
        world.step()
    except EXPECTED as error:
        return (str(error),)
    return tuple(array.tobytes().hex() for array in (world.poses, world.velocities, world.angular_velocities, world.contacts))


def said(value: object) -> str:
    """A value for the log. It may refuse to be shown."""
    if isinstance(value, np.ndarray):
        return f"array({value.shape}, {value.dtype.str}, {value.strides}, {value.flags.aligned}, {str(value.tolist())[:80]})"
    if isinstance(value, (Hostile, Attacker)):
        hostile = value if isinstance(value, Hostile) else value.hostile
        return f"{type(value).__name__}({hostile.mode})"
    try:
        return repr(value)[:100].encode("ascii", "backslashreplace").decode()
    except Exception:
        return f"a {type(value).__name__}"


def numbers_in(value: object) -> Iterator[float]:
    """The numbers of what was returned."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, (tuple, list)):
        yield from itertools.chain.from_iterable(map(numbers_in, value))
    elif isinstance(value, (np.ndarray, np.void)) and value.dtype.names:
        rows = np.atleast_1d(value)
        if "distance" in value.dtype.names:
            # Nothing was found, or an overlap: the rest are no numbers then, as documented.
            rows = rows[~np.isin(rows["distance"], (0.0, math.inf))]
        if "volume" in value.dtype.names:
            # No overlap has no position.
            rows = rows[rows["depth"] != 0.0]
        for name in value.dtype.names:
            yield from numbers_in(rows[name])
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
        yield from value.ravel().tolist()


NOT_FINITE = {"World.mass", "World.energy", "Energy.kinetic", "Energy.potential", "Energy.total", "Shape.bounds", "SceneBody.mass", "ccd"}
"""They are documented to return infinite numbers."""

PLANTED: dict[str, Callable[[Any], Any]] = {
    "an exception": lambda world: (_ for _ in ()).throw(SystemError("planted")),
    "an end": lambda world: os.abort(),
    "an exit": lambda world: os._exit(0),
    "a change": lambda world: (world.remove(world.bodies[0]), world.remove(0)),
    "a number": lambda world: math.nan,
    "a hang": lambda world: time.sleep(99),
}
"""Faults in place of World.steps, to see that they are found."""


def end_unless_expected(failed: Any) -> None:
    """Of what was dropped and raised."""
    if not isinstance(failed.exc_value, EXPECTED):
        sys.__excepthook__(failed.exc_type, failed.exc_value, failed.exc_traceback)
        os._exit(1)


def child(seed: int, last: int, seconds: float, limit: float, planted: str) -> None:
    """Runs cases, in the working directory, and prints a line of JSON after each."""
    warnings.simplefilter("ignore")
    sys.unraisablehook = end_unless_expected
    gc.disable()
    known: list[Target] = []
    end = time.monotonic() + seconds
    for seed in itertools.count(seed):
        if seed >= last and time.monotonic() >= end:
            return
        faulthandler.dump_traceback_later(limit, exit=True)
        print(json.dumps({"seed": seed}), flush=True)
        with tempfile.TemporaryDirectory(dir=".") as folder:
            os.chdir(folder)
            case = Attack(seed, Path("../log.txt"))
            if not known:
                known = [one for one in targets() if one.kind != "set" or case.can_set(one)]
                known += [one for one in known if one.owner is ds.World]
                if planted:
                    known = [Target(one.name, "get", ds.World, PLANTED[planted]) if one.name == "World.steps" else one for one in known]
                case = Attack(seed, Path("../log.txt"))
            # Each of them before any is called again.
            ring = [known[(seed * CALLS + k) % len(known)] for k in range(CALLS)]
            case.rng.shuffle(ring)
            counts = Counter(f"{case.run(target)} {target.name}" for target in ring)
            case.end()
            os.chdir("..")
        del case
        gc.collect()
        print(json.dumps(counts), flush=True)


def attack(
    folder: Path, seed: int, cases: int, seconds: float, limit: float = LIMIT, planted: str = "", faults: int = 5
) -> tuple[Counter[str], list[str]]:
    """How often what was called and refused, and what is wrong. After a fault it goes on with the next seed."""
    counts: Counter[str] = Counter()
    found: list[str] = []
    end, last = time.monotonic() + seconds, seed + cases
    while len(found) < faults and (seed < last or time.monotonic() < end):
        order = [sys.executable, "-X", "faulthandler", __file__, str(seed), str(last), str(end - time.monotonic()), str(limit), planted]
        run = subprocess.run(order, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        counts.update(sum((Counter(line) for line in lines if "seed" not in line), Counter()))
        counts["cases"] += len(lines) // 2
        if run.returncode == 0 and len(lines) % 2 == 0:
            break
        seed = lines[-1]["seed"] if lines else seed
        log = (folder / "log.txt").read_text(errors="replace").splitlines()[-25:]
        found.append("\n".join([f"seed {seed} ended with {run.returncode}; its last calls:", *log, run.stderr[-3000:]]))
        seed += 1
    return counts, found


def test_no_call_breaks_the_border(tmp_path: Path) -> None:
    seed, seconds = int(os.environ.get("PYTHON_ATTACK_SEED", "0")), float(os.environ.get("PYTHON_ATTACK_SECONDS", "0"))
    counts, faults = attack(tmp_path, seed, CASES, seconds)
    returned, refused = (sum(counts[key] for key in counts if key.startswith(way)) for way in ("returned", "refused"))
    print(f"{counts['cases']} cases, {returned + refused} calls, {refused} refused")
    assert not faults, "\n\n".join(faults)
    names = {target.name for target in targets()}
    assert any(counts[f"returned {name}"] for name in names if name.endswith("=")), "nothing was set"
    missed = sorted(name for name in names if not name.endswith("=") and not counts[f"returned {name}"] + counts[f"refused {name}"])
    assert not missed, f"never called: {missed}"
    unheard = sorted(name for name in names if not name.endswith("=") and not counts[f"returned {name}"])
    assert not unheard, f"called in no way that is right, which RIGHT may know: {unheard}"


@pytest.mark.parametrize("planted", PLANTED)
def test_planted_faults_are_found(tmp_path: Path, planted: str) -> None:
    _, faults = attack(tmp_path, 0, 10, 0, limit=5, planted=planted, faults=1)
    assert len(faults) == 1 and "World.steps" in faults[0]


if __name__ == "__main__":
    child(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]), sys.argv[5])
