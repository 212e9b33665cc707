"""What random attacks call the package with: right values by the names of parameters, and hostile ones."""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np

import drystone as ds


class DeliberateError(Exception):
    """What hostile objects raise."""


EXPECTED = (DeliberateError, ValueError, TypeError, KeyError, IndexError, OSError, OverflowError)


class Hostile:
    """Answers whatever it is asked by an exception, by garbage or by using a world."""

    def __init__(self, pool: Pool, world: Any) -> None:
        self.pool, self.world, self.rng = pool, world, random.Random(pool.rng.random())
        self.mode = self.rng.choice(["raises", "garbage", "uses", "dropped"])

    def act(self, *_: object, **__: object) -> Any:
        if self.mode == "raises":
            raise DeliberateError("deliberate")
        if self.mode == "garbage":
            return self.rng.choice([None, -1, math.nan, "x", b"", (), (math.inf, 2), ((1, 2, 3), 0.5), np.zeros(5, np.uint64), ds.pose()])
        self.pool.disturbed = True
        uses: list[Callable[[], Any]] = [
            lambda: self.world.time,
            lambda: self.world.step(),
            lambda: self.world.snapshot(),
            lambda: self.world.add(self.pool.shape, ds.pose((0, 50, 0))),
            lambda: self.world.set_contact_hooks(),
            lambda: self.world.cast_ray((0, 9, 0), (0, -1, 0)),
            lambda: self.world.copy(),
        ]
        return self.rng.choice(uses)()

    __len__ = __getitem__ = __array__ = __float__ = __index__ = __iter__ = __fspath__ = __bool__ = __call__ = act
    __str__ = __hash__ = __buffer__ = items = keys = view = copy = act
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

    def __init__(self, pool: Pool, world: Any) -> None:
        self.hostile, self.rng = Hostile(pool, world), pool.rng
        self.reach = pool.rng.choice([0.01, 1e-4, 0.0, math.nan, 1e300, cast(float, "far")])
        self.calls = pool.rng.randrange(20)

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


class Pool:
    """Objects that live across the calls of a case, and values that are made up."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.disturbed = False
        self.shape = ds.Shape.box((1, 1, 1))
        self.world = ds.World(solver=self.rng.choice(["soft", "prox-gauss-seidel"]))
        self.live: dict[type, list[Any]] = {}

    def one(self, kind: type) -> Any:
        return self.rng.choice(self.live[kind])

    def body(self) -> Any:
        return self.rng.choice(self.one(ds.World).bodies.tolist() or [0])

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
            array = np.zeros(shape, self.rng.choice(kinds))
        form = self.rng.randrange(9)
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
        elif form == 6 and array.dtype == np.float64:
            whole = np.zeros(array.shape[:1], [("field", "f8", array.shape[1:]), ("other", "i4")])
            whole["field"] = array
            array = whole["field"]
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
        others: Any = (np.float32(1.5), np.uint64(2**63), np.int8(-3), 1j, None, object(), (), [], {}, [[]], [[1, 2], [3]], range(3), set, len)
        texts = ("", "x", "default", "semi-local", "no such", "a\0b", "\x1b[31m\n\r", "\ud800", "é" * 1000, "nowhere/at/all.obj", b"x", Path("no"))
        made: list[Callable[[], Any]] = [
            *([lambda: self.rng.choice(whole), lambda: self.rng.choice(floats), self.array] * 2),
            lambda: self.rng.choice(others),
            lambda: self.rng.choice(texts),
            lambda: Hostile(self, self.one(ds.World)),
            lambda: self.one(self.rng.choice(list(self.live))),
            lambda: tuple(self.rng.choice(floats) for _ in range(self.rng.choice([2, 3, 6]))),
            self.snapshot,
        ]
        return self.rng.choice(made)()


RIGHT: dict[str, Callable[[Pool], Any]] = {
    name: make
    for names, make in cast(
        "list[tuple[str, Callable[[Pool], Any]]]",
        [
            ("a b body key", lambda at: at.body()),
            ("joint first second hinge slider", lambda at: at.rng.choice(at.one(ds.World).joints.tolist() or [0])),
            ("World.add_joint.joint", lambda at: at.rng.choice([ds.Joint.fixed(None, at.body()), at.one(ds.Joint)])),
            ("shape mesh contacts.a contacts.b closest.a closest.b overlap.a overlap.b cone_filter.a cone_filter.b", lambda at: at.one(ds.Shape)),
            ("World.set_interaction.a World.set_interaction.b material", lambda at: at.rng.choice(["default", "ice"])),
            ("contacts_many.a contacts_many.b closest_many.a closest_many.b overlap_many.a overlap_many.b", lambda at: [0, 1]),
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
            ("study.name", lambda at: at.rng.choice(ds.study_names())),
            ("study.methods", lambda at: at.rng.choice(["semi-local", "vertex-only", [], ds.Method("volume-sat", variant="published")])),
            ("variant", lambda at: at.rng.choice(["corrected", "published", "earlier"])),
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
            ("count step steps seed refine threads keyframes", lambda at: at.rng.choice([1, 2])),
            ("progress fixed kinematic sensor sensors solid two_sided excluded", lambda at: at.rng.random() < 0.3),
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
