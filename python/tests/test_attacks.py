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
import random
import subprocess
import sys
import tempfile
import time
import types
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import drystone as ds
from drystone import _drystone

CASES = 40
CALLS = 100
LIMIT = 60
"""Seconds that a case may take."""

KEPT_OUT = {
    "sweep": "starts processes and writes folders; its tests attack it",
    "Assessment": "is made by assess alone",
    "Energy": "is a plain tuple",
    "Interaction": "is a plain tuple",
    "MassProperties": "is a plain tuple",
    "FeatureKind": "is as Python makes it",
    "Generator.contacts": "says that it has to be written",
}
SPECIAL = ("__len__", "__contains__", "__eq__", "__hash__", "__repr__", "__copy__", "__deepcopy__", "__reduce__")
LONG_IF_LARGE = ("count", "threads", "checks", "exact_after", "refine", "Scene.contacts.step", "assess.step", "max_substeps")
"""Whole numbers that say how long a call takes: none but small ones, and those that are out of range."""
ALWAYS = ("assess.scenes", "assess.methods")
"""Without them a call takes long."""


class DeliberateError(Exception):
    """What hostile objects raise."""


EXPECTED = (DeliberateError, ValueError, TypeError, KeyError, IndexError, OSError, OverflowError)


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
    if isinstance(own, staticmethod):
        yield Target(name, "function", None, getattr(owner, member))
    elif isinstance(own, (types.GetSetDescriptorType, types.MemberDescriptorType)):
        yield Target(name, "get", owner, lambda one: getattr(one, member))
        yield Target(f"{name}=", "set", owner, lambda one, value: setattr(one, member, value))
    elif callable(own) and owner is not ds.FeatureKind:
        yield Target(name, "method", owner, own)
    elif isinstance(own, property):
        yield Target(name, "get", owner, lambda one: getattr(one, member))


class Hostile:
    """Answers whatever it is asked by an exception, by garbage or by using a world."""

    def __init__(self, attack: Attack, world: Any) -> None:
        self.attack, self.world, self.rng = attack, world, random.Random(attack.rng.random())
        self.mode = self.rng.choice(["raises", "garbage", "uses", "dropped"])

    def act(self, *_: object, **__: object) -> Any:
        if self.mode == "raises":
            raise DeliberateError("deliberate")
        if self.mode == "garbage":
            return self.rng.choice([None, -1, math.nan, "x", b"", (), (math.inf, 2), ((1, 2, 3), 0.5), np.zeros(5, np.uint64), ds.pose()])
        self.attack.disturbed = True
        uses: list[Callable[[], Any]] = [
            lambda: self.world.time,
            lambda: self.world.step(),
            lambda: self.world.snapshot(),
            lambda: self.world.add(self.attack.shape, ds.pose((0, 50, 0))),
            lambda: self.world.set_contact_hooks(),
            lambda: self.world.cast_ray((0, 9, 0), (0, -1, 0)),
            lambda: self.world.copy(),
        ]
        return self.rng.choice(uses)()

    __len__ = __getitem__ = __array__ = __float__ = __index__ = __iter__ = __fspath__ = __bool__ = __call__ = act  # type: ignore[assignment]
    __str__ = __hash__ = __buffer__ = items = keys = view = copy = act  # type: ignore[assignment]
    vertices = faces = property(act)
    dtype = ds.CONTACT

    def __eq__(self, other: object) -> bool:
        return cast(bool, self.act())

    def __del__(self) -> None:
        if self.mode == "dropped":
            try:
                self.act()
            except EXPECTED:
                pass


class Attacker(ds.Generator):
    """A generator that is hostile now and then."""

    def __init__(self, attack: Attack, world: Any) -> None:
        self.hostile, self.rng = Hostile(attack, world), attack.rng
        self.reach = attack.rng.choice([0.01, 1e-4, 0.0, math.nan, 1e300, cast(float, "far")])
        self.calls = attack.rng.randrange(20)

    def prepare(self, shape: ds.Shape, /) -> None:
        if self.calls == 0:
            self.hostile.act()

    def contacts(self, a: ds.Shape, pose_a: Any, b: ds.Shape, pose_b: Any, /) -> Any:
        self.calls -= 1
        if self.calls < 0:
            return self.hostile if self.calls % 2 else self.hostile.act()
        found = ds.contact_array([pose_b[:3, 3]] * 2, [[0, 1, 0]] * 2, [-0.01, 0.01])
        if self.calls == 5:
            found["normal"][0] = self.rng.choice([0.0, math.nan, 1e300])
        if self.calls == 6:
            found["feature_a"]["kind"] = 99
        return self.rng.choice([found, found[::-1], found[:0], found.reshape(1, 2), found["gap"]]) if self.calls < 7 else found


class Attack:
    """One case: objects that live across its calls, and what to call them with."""

    def __init__(self, seed: int, log: Path) -> None:
        self.rng = random.Random(seed)
        self.log = log.open("w")
        self.disturbed = False
        self.shape = ds.Shape.box((1, 1, 1))
        self.live: dict[type, list[Any]] = {}
        for value in self.beginning():
            self.keep(value)

    def beginning(self) -> Iterator[Any]:
        """At least one of each class."""
        world = self.world = ds.World(solver=self.rng.choice(["soft", "prox-gauss-seidel"]))
        world.add(ds.Shape.box((9, 1, 9)), ds.pose((0, -0.5, 0)), fixed=True)
        _, ball = world.add(self.shape, ds.pose((0, 0.5, 0))), world.add(ds.Shape.ball(0.4), ds.pose((0, 1.39, 0)), sensor=False)
        lift = world.add(self.shape, ds.pose((3, 0.5, 0)), kinematic=True)
        world.add_material("ice", friction=0.0)
        joint = ds.Joint.hinge(lift, ball, point=(0, 2, 0), axis=(0, 0, 1))
        pairs: list[Any] = []
        world.set_contact_hooks(collides=lambda pair: pairs.append(pair) or True)
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

    def one(self, kind: type) -> Any:
        return self.rng.choice(self.live[kind])

    def body(self) -> int:
        return self.rng.choice(self.one(ds.World).bodies.tolist() or [0])

    def can_set(self, target: Target) -> bool:
        one = self.live[cast(type, target.owner)][0]
        try:
            target.call(one, getattr(one, target.name.rpartition(".")[2][:-1]))
        except AttributeError:
            return False
        return True

    def pose(self) -> Any:
        return self.rng.choice([ds.pose(), ds.pose((0.3, 0.99, 0.2)), ds.pose(self.numbers(3), xyzw=self.numbers(4))])

    def numbers(self, *shape: int) -> Any:
        return np.array([self.rng.uniform(-2, 2) for _ in range(math.prod(shape))]).reshape(shape)

    def array(self) -> Any:
        """An array of any form."""
        shape = self.rng.choice([(), (0,), (3,), (2,), (4, 4), (0, 3), (5, 3), (3, 5), (2, 4, 4), (0, 4, 4), (1, 2, 3, 3)])
        array = self.numbers(*shape)
        if self.rng.random() < 0.5:
            array = np.full(shape, self.rng.choice([0.0, 1.0, math.nan, math.inf, 1e300, 1e-300, -1e150]))
        kinds = [">f8", "f4", "i8", "u1", "c16", "O", "U3", "M8[s]", "?", ds.CONTACT, ds.FEATURE, [("a", "f8"), ("b", "O")]]
        if self.rng.random() < 0.3:
            array = np.zeros(shape, self.rng.choice(kinds))  # type: ignore[arg-type]
        form = self.rng.randrange(8)
        if form == 0:
            array = np.repeat(array, 2, axis=-1)[..., ::-2] if array.ndim else array
        elif form == 1:
            array = np.asfortranarray(array)
        elif form == 2:
            array.flags.writeable = False
        elif form == 3:
            array = np.broadcast_to(array, (2, *array.shape))
        elif form == 4 and array.dtype == np.float64:
            array = np.frombuffer(b"x" + array.tobytes(), np.uint8)[1:].view(np.float64).reshape(array.shape)
        elif form == 5:
            array = cast(Any, array.tolist())
        return array

    def snapshot(self) -> bytes:
        """Bytes of a world or a shape, whole or damaged; the checksum may be that of the damaged ones."""
        data = bytearray(self.rng.choice([self.world.snapshot(), self.one(ds.Shape).__reduce__()[1][0]]))
        if self.rng.random() < 0.7:
            for _ in range(self.rng.randrange(1, 4)):
                data[self.rng.randrange(len(data))] = self.rng.choice([0, 1, 127, 128, 255, self.rng.randrange(256)])
            if self.rng.random() < 0.2:
                del data[self.rng.randrange(len(data)) :]
            if self.rng.random() < 0.7 and len(data) > 21:
                data[:17], data[17:21] = b"drystone world 1\n", zlib.crc32(data[21:]).to_bytes(4, "little")
        return bytes(data)

    def recording(self) -> str:
        data = bytearray(Path("whole.dry").read_bytes())
        for _ in range(self.rng.randrange(3)):
            data[self.rng.randrange(len(data))] = self.rng.randrange(256)
        Path("damaged.dry").write_bytes(data[: self.rng.choice([len(data), self.rng.randrange(len(data))])])
        return "damaged.dry"

    def hostile(self) -> Any:
        """Anything at all."""
        whole = (0, 1, -1, 2, 7, 2**31, 2**32 - 1, 2**53, 2**63, 2**64 - 1, 2**64, 10**400, -(2**63), True)
        floats = (0.0, -0.0, 0.5, -1.0, 1e-300, 5e-324, 1e300, -1e300, 1.7e308, math.nan, math.inf, -math.inf, 1e10, 1e-10)
        others = (np.float32(1.5), np.uint64(2**63), np.int8(-3), 1j, None, object(), (), [], {}, [[]], [[1, 2], [3]], range(3), set, len)
        texts = ("", "x", "default", "semi-local", "no such", "a\0b", "\x1b[31m\n\r", "\ud800", "é" * 1000, "nowhere/at/all.obj", b"x", Path("no"))
        made: list[Callable[[], Any]] = [
            *([lambda: self.rng.choice(whole), lambda: self.rng.choice(floats), self.array] * 2),
            lambda: self.rng.choice(cast(Any, others)),
            lambda: self.rng.choice(texts),
            lambda: Hostile(self, self.one(ds.World)),
            lambda: self.one(self.rng.choice(list(self.live))),
            lambda: tuple(self.rng.choice(floats) for _ in range(self.rng.choice([2, 3, 6]))),
            self.snapshot,
        ]
        return self.rng.choice(made)()

    def argument(self, place: str, hostility: float) -> Any:
        """A value for a parameter, by its place or its name."""
        make = RIGHT.get(place) or RIGHT.get(place.rpartition(".")[2])
        if make is None or self.rng.random() < hostility:
            value = self.hostile()
            if place in ALWAYS and value is None:
                return ()
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
        before = world and world.snapshot()
        self.disturbed = False
        try:
            result = target.call(*given, **named)
        except EXPECTED as error:
            print("    ", type(error).__name__, str(error)[:200].encode("ascii", "backslashreplace").decode(), file=self.log, flush=True)
            if world and not self.disturbed and not target.name.endswith(".step"):
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
        for name in value.dtype.names:
            yield from numbers_in(rows[name])
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
        yield from value.ravel().tolist()


NOT_FINITE = {"World.mass", "Shape.bounds", "SceneBody.mass", "ccd"}
"""They are documented to return infinite numbers."""

RIGHT: dict[str, Callable[[Attack], Any]] = {
    name: make
    for names, make in cast(
        "list[tuple[str, Callable[[Attack], Any]]]",
        [
            ("a b body key", lambda at: at.body()),
            ("joint first second hinge slider", lambda at: at.rng.choice(at.one(ds.World).joints.tolist() or [0])),
            ("World.add_joint.joint", lambda at: at.rng.choice([ds.Joint.fixed(None, at.body()), at.one(ds.Joint)])),
            ("shape mesh contacts.a contacts.b closest.a closest.b cone_filter.a cone_filter.b", lambda at: at.one(ds.Shape)),
            ("World.set_interaction.a World.set_interaction.b material", lambda at: at.rng.choice(["default", "ice"])),
            ("contacts_many.a contacts_many.b closest_many.a closest_many.b", lambda at: [0, 1]),
            ("World.closest_points_many.a", lambda at: at.world.bodies[:1]),
            ("World.closest_points_many.b", lambda at: at.world.bodies[-1:]),
            ("pose pose_a pose_b frame", lambda at: at.pose()),
            ("poses poses_a poses_b", lambda at: np.array([at.pose(), at.pose()])),
            ("origins directions points translations rotations position", lambda at: at.numbers(2, 3)),
            ("contact_array.normal", lambda at: [[0, 1, 0]] * 2),
            ("sides half_sides semi_axes high", lambda at: abs(at.numbers(3)) + 0.01),
            ("low", lambda at: -abs(at.numbers(3))),
            ("Shape.convex_hull.points", lambda at: at.numbers(8, 3)),
            ("start end", lambda at: at.numbers(2, 4, 3)),
            ("xyzw wxyz", lambda at: at.numbers(4)),
            ("heights", lambda at: at.numbers(4, 5)),
            ("spacing twist limits", lambda at: (0.5, 1.5)),
            ("Joint.six_dof.limits", lambda at: [(0, 0), None, (-1, 1), (0, 0), None, (0, 0)]),
            ("groups", lambda at: at.rng.choice([(1, 1), (3, 2)])),
            ("exclude", lambda at: [at.body()]),
            ("parts", lambda at: [(at.shape, at.pose()), (ds.Shape.ball(0.5), at.pose())]),
            ("shapes", lambda at: [at.shape, at.one(ds.Shape)]),
            ("cone_filter.contacts", lambda at: ds.contacts(at.shape, ds.pose(), at.shape, ds.pose((0.2, 0.99, 0)))),
            ("method methods generator", lambda at: at.rng.choice(["semi-local", "volume-sat", at.one(ds.Method), Attacker(at, at.world)])),
            ("Method.name", lambda at: at.rng.choice(ds.methods()).name),
            ("ccd.method", lambda at: at.rng.choice(["inclusion", "exact"])),
            ("ccd.kind", lambda at: at.rng.choice(["vertex-face", "edge-edge"])),
            ("Scene.name scenes", lambda at: at.rng.choice(["cliff-edges", "spikes", "ball-in-groove"])),
            ("text", lambda at: at.one(ds.Scene).to_toml()),
            ("snapshot bytes", lambda at: at.snapshot()),
            ("path", lambda at: f"{at.rng.randrange(9)}.dry"),
            ("Recording.path", lambda at: at.recording()),
            ("solver", lambda at: at.rng.choice(["soft", "svd", "global", "prox-gauss-seidel"])),
            ("order", lambda at: at.rng.choice(["xyzw", "wxyz"])),
            ("cone_filter.sides filter", lambda at: at.rng.choice(["both", "a", "b"])),
            ("World.add_material.name", lambda at: str(at.rng.random())),
            ("motor", lambda at: at.one(ds.Motor)),
            ("linear angular", lambda at: [True, False, False]),
            ("collides interaction", lambda at: at.rng.choice([Hostile(at, at.world), lambda *_: None])),
            ("count step seed refine threads keyframes", lambda at: at.rng.choice([1, 2])),
            ("fixed kinematic sensor sensors solid two_sided excluded", lambda at: at.rng.random() < 0.3),
            ("World.ccd contacts persisted sleeping joints Joint.with_collision.collides", lambda at: at.rng.random() < 0.3),
            ("radius half_length half_height height density time_step tolerance rest length", lambda at: at.rng.choice([0.01, 0.5, 2.0])),
            ("stiffness damping restitution friction lower swing ratio target", lambda at: at.rng.choice([0.1, 0.3])),
            ("upper Joint.with_breaking.force Joint.with_breaking.torque", lambda at: 0.5),
            ("gap", lambda at: [-0.01, 0.01]),
            ("velocity angular_velocity gravity point axis axis_a axis_b point_a point_b force torque", lambda at: at.numbers(3)),
            ("impulse origin direction translation rotation", lambda at: at.numbers(3)),
        ],
    )
    for name in names.split()
}

PLANTED: dict[str, Callable[[Any], Any]] = {
    "an exception": lambda world: (_ for _ in ()).throw(SystemError("planted")),
    "an end": lambda world: os.abort(),
    "an exit": lambda world: sys.exit(0),
    "a change": lambda world: (world.remove(world.bodies[0]), world.remove(0)),
    "a number": lambda world: math.nan,
    "a hang": lambda world: time.sleep(99),
}
"""Faults in place of World.steps, to see that they are found."""


def child(seed: int, last: int, seconds: float, limit: float, planted: str) -> None:
    """Runs cases, in the working directory, and prints a line of JSON after each."""
    warnings.simplefilter("ignore")
    sys.unraisablehook = lambda _: None
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
            attack = Attack(seed, Path("../log.txt"))
            if not known:
                known = [one for one in targets() if one.kind != "set" or attack.can_set(one)]
                known += [one for one in known if one.owner is ds.World]
                if planted:
                    known = [Target(one.name, "get", ds.World, PLANTED[planted]) if one.name == "World.steps" else one for one in known]
                attack = Attack(seed, Path("../log.txt"))
            # Each of them before any is called again.
            ring = [known[(seed * CALLS + k) % len(known)] for k in range(CALLS)]
            attack.rng.shuffle(ring)
            counts = Counter(f"{attack.run(target)} {target.name}" for target in ring)
            attack.end()
            os.chdir("..")
        del attack
        gc.collect()
        print(json.dumps(counts), flush=True)


def attack(folder: Path, seed: int, cases: int, seconds: float, limit: float = LIMIT, planted: str = "", faults: int = 5) -> tuple[Counter[str], list[str]]:
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
    assert counts["returned World.gravity="]
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
