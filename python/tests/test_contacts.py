"""Contacts one pair at a time and in batches."""

from __future__ import annotations

import os
import pickle
import re
import signal
import threading
import time

import drystone as ds
import numpy as np
import pytest
from test_interrupt import PAUSE, ctrl_c

NAMES = [method.name for method in ds.methods()]


def turned(rng: np.random.Generator, count: int, reach: float) -> np.ndarray:
    return ds.pose(rng.uniform(-reach, reach, (count, 3)), xyzw=rng.normal(size=(count, 4)))


def pairs(count: int, seed: int = 3):
    """Boxes, a hull and a ball somewhere near each other."""
    rng = np.random.default_rng(seed)
    shapes = [ds.Shape.box((1, 0.6, 0.8)), ds.Shape.convex_hull(rng.normal(size=(20, 3)) * 0.5), ds.Shape.box((0.4, 0.5, 0.6))]
    a, b = rng.integers(0, 3, count), rng.integers(0, 3, count)
    return shapes, a, turned(rng, count, 0.4), b, turned(rng, count, 0.4)


@pytest.mark.parametrize("name", NAMES)
def test_every_method_finds_a_cube_on_a_cube(name: str) -> None:
    cube = ds.Shape.box((1, 1, 1))
    found = ds.contacts(cube, np.eye(4), cube, ds.pose((0.25, 0.99, 0.25)), method=name)
    assert found.dtype == ds.CONTACT and len(found) > 0
    assert np.allclose(np.linalg.norm(found["normal"], axis=1), 1)
    # All that find the right normal for a cube in rest; the local ones may see tetrahedra.
    if name in ("semi-local", "vclip", "parry-convex", "time-of-contact"):
        assert np.allclose(found["normal"], [0, 1, 0]) and np.allclose(found["gap"], -0.01)
        assert np.allclose(found["position"][:, 1], 0.49, atol=0.011)


def test_a_contact_names_its_features() -> None:
    cube = ds.Shape.box((1, 1, 1))
    found = ds.contacts(cube, np.eye(4), cube, ds.pose((0.25, 0.99, 0.25)))
    kinds = {ds.FeatureKind(kind) for kind in found["feature_a"]["kind"]}
    assert kinds <= {ds.FeatureKind.FACET, ds.FeatureKind.FACET_EDGE, ds.FeatureKind.FACET_VERTEX} and kinds
    ball = ds.Shape.ball(1.0)
    (one,) = ds.contacts(ball, ds.pose(), ball, ds.pose((0, 1.9, 0)))
    assert ds.FeatureKind(one["feature_a"]["kind"]) is ds.FeatureKind.SURFACE
    assert one["gap"] == pytest.approx(-0.1) and one["normal"] == pytest.approx([0, 1, 0])


def test_exchanging_shapes_negates_normals() -> None:
    cube, hull = ds.Shape.box((1, 1, 1)), ds.Shape.convex_hull([[-1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]])
    at = ds.pose((0.1, 0.495, 0.05))
    one, other = ds.contacts(cube, ds.pose(), hull, at), ds.contacts(hull, at, cube, ds.pose())
    assert len(one) > 0 and np.allclose(np.sort(one["gap"]), np.sort(other["gap"]))
    assert np.allclose(np.sort(one["normal"], axis=0), np.sort(-other["normal"], axis=0))


@pytest.mark.parametrize("name", ["semi-local", "vclip", "intersection", "time-of-contact"])
def test_a_batch_is_the_same_as_one_at_a_time(name: str) -> None:
    shapes, a, at_a, b, at_b = pairs(300)
    one_by_one = [ds.contacts(shapes[i], p, shapes[j], q, name) for i, p, j, q in zip(a, at_a, b, at_b)]
    for threads in [1, 2, 3, None]:
        found, offsets = ds.contacts_many(shapes, a, at_a, b, at_b, name, threads=threads)
        assert offsets.tolist() == np.cumsum([0, *map(len, one_by_one)]).tolist()
        assert found.tobytes() == b"".join(contacts.tobytes() for contacts in one_by_one)


def test_an_empty_batch_is_empty() -> None:
    none = np.zeros((0, 4, 4))
    found, offsets = ds.contacts_many([], np.zeros(0, int), none, np.zeros(0, int), none)
    assert found.dtype == ds.CONTACT and found.shape == (0,) and offsets.tolist() == [0]


def test_arrays_of_any_layout_give_the_same_contacts() -> None:
    shapes, a, at_a, b, at_b = pairs(40)
    usual = ds.contacts_many(shapes, a, at_a, b, at_b)
    spread = np.zeros((80, 4, 8))
    spread[::2, :, ::2] = at_a
    reversed_b = np.ascontiguousarray(at_b[::-1])[::-1]
    for given in [
        (shapes, a.tolist(), at_a.tolist(), b.astype(np.uint8), at_b),
        (tuple(shapes), a, spread[::2, :, ::2], b, reversed_b),
        (shapes, a, np.asfortranarray(at_a), b.astype(np.int32), at_b),
    ]:
        assert ds.contacts_many(*given)[0].tobytes() == usual[0].tobytes()
    k = int(np.argmax(np.diff(usual[1])))
    one, wide, expected = at_b[k], np.zeros((4, 8)), usual[0][usual[1][k] : usual[1][k + 1]]
    wide[:, ::2] = one
    assert len(expected) > 0
    for same in [one.tolist(), np.asfortranarray(one), np.flip(np.flip(one).copy()), wide[:, ::2]]:
        assert ds.contacts(shapes[a[k]], at_a[k], shapes[b[k]], same).tobytes() == expected.tobytes()
    with pytest.raises(ValueError, match=re.escape("pose_b has the shape (2, 8); it must be (4, 4)")):
        ds.contacts(shapes[a[k]], at_a[k], shapes[b[k]], one.reshape(2, 8))


def test_results_cannot_be_written() -> None:
    shapes, a, at_a, b, at_b = pairs(40)
    found, offsets = ds.contacts_many(shapes, a, at_a, b, at_b)
    for array in [found["gap"], found, offsets, ds.contacts(shapes[0], ds.pose(), shapes[0], ds.pose())]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
        assert pickle.loads(pickle.dumps(array)).tobytes() == array.tobytes()
    copy = np.array(found)
    copy["gap"] = 0


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"pose_b": np.eye(3)}, ValueError, r"pose_b has the shape \(3, 3\)"),
        ({"pose_b": np.zeros(4)}, ValueError, r"pose_b has the shape \[4\]"),
        ({"pose_b": np.eye(4) * np.nan}, ValueError, "pose_b has an element that is not finite"),
        ({"pose_b": np.eye(4) * 2}, ValueError, "pose_b has another last row"),
        ({"pose_b": np.diag([1.0, 1.0, -1.0, 1.0])}, ValueError, "pose_b is no rigid motion"),
        ({"pose_b": np.diag([1.0, 1.0, 1.01, 1.0])}, ValueError, "pose_b is no rigid motion"),
        ({"pose_b": "here"}, TypeError, "pose_b is no array of numbers"),
        ({"pose_b": None}, ValueError, "pose_b"),
        ({"method": "guess"}, ds.MethodError, 'no method is called "guess"; known are: .*semi-local'),
        ({"method": 3}, TypeError, "method is a int"),
        ({"b": "cube"}, TypeError, "Shape"),
        ({"b": ds.Shape.ball(1.0), "method": "volume-sat"}, ds.GeneratorError, "volume-sat takes no ball"),
    ],
)
def test_wrong_arguments_are_refused(change, error, says) -> None:
    cube = ds.Shape.box((1, 1, 1))
    given = {"a": cube, "pose_a": np.eye(4), "b": cube, "pose_b": np.eye(4), "method": "semi-local"} | change
    with pytest.raises(error, match=says):
        ds.contacts(*given.values())


def test_wrong_batches_are_refused() -> None:
    shapes, a, at_a, b, at_b = pairs(10)
    with pytest.raises(IndexError, match=r"b\[9\] is 3; .*below 3"):
        ds.contacts_many(shapes, a, at_a, np.append(b[:9], 3), at_b)
    with pytest.raises(IndexError, match=r"a\[0\] is -1"):
        ds.contacts_many(shapes, a - a[0] - 1, at_a, b, at_b)
    with pytest.raises(ValueError, match="poses_b has 9 rows and a has 10"):
        ds.contacts_many(shapes, a, at_a, b, at_b[:9])
    with pytest.raises(ValueError, match="threads is 0"):
        ds.contacts_many(shapes, a, at_a, b, at_b, threads=0)
    at_b[4, 2, 3] = np.inf
    with pytest.raises(ValueError, match=r"poses_b\[4\] has an element that is not finite"):
        ds.contacts_many(shapes, a, at_a, b, at_b)
    with pytest.raises(ds.GeneratorError, match=r"shapes\[1\]: .*ball"):
        ds.contacts_many([shapes[0], ds.Shape.ball(1)], a * 0, at_a, b * 0, at_a, "volume-sat")


def test_methods_have_settings() -> None:
    usual = ds.Method("semi-local")
    assert usual.settings == {**usual.settings} and usual.name == "semi-local" and usual.summary
    wide = ds.Method("semi-local", envelope=0.2)
    assert wide == usual.with_settings(envelope=0.2) != usual and hash(wide) == hash(usual.with_settings(envelope=0.2))
    cube, at = ds.Shape.box((1, 1, 1)), ds.pose((0, 1.08, 0))
    assert len(ds.contacts(cube, ds.pose(), cube, at, wide)) == 4
    assert len(ds.contacts(cube, ds.pose(), cube, at, usual)) == 0
    assert ds.Method("volume-sat", variant="published") != ds.Method("volume-sat")
    for method in [wide, ds.Method("volume-sat", variant="published"), *ds.methods()]:
        assert pickle.loads(pickle.dumps(method)) == method
        assert eval(repr(method), {"Method": ds.Method}) == method
    for wrong in [{"hat": 1}, {"envelope": "wide"}, {"envelope": np.nan}]:
        with pytest.raises(ds.MethodError, match="semi-local"):
            ds.Method("semi-local", **wrong)
    with pytest.raises(ds.MethodError, match="variant"):
        ds.Method("semi-local", variant="third")


def test_poses_are_made_of_either_quaternion() -> None:
    half = np.sqrt(0.5)
    quarter_turn = np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])
    assert ds.pose((1, 2, 3), xyzw=(0, 0, half, half)) == pytest.approx(quarter_turn)
    assert ds.pose((1, 2, 3), wxyz=(1, 0, 0, 1)) == pytest.approx(quarter_turn)
    assert ds.pose(np.zeros((5, 3)), xyzw=(0, 0, 0, 1)).shape == (5, 4, 4)
    assert ds.pose(xyzw=np.eye(4)).shape == (4, 4, 4)
    for wrong in [{"xyzw": (0, 0, 0, 1), "wxyz": (1, 0, 0, 0)}, {"xyzw": (0, 0, 0, 0)}, {"wxyz": (1, 0, 0)}, {"position": (0, np.nan, 0)}, {"position": 0}]:
        with pytest.raises(ValueError, match="wxyz|xyzw|position"):
            ds.pose(**wrong)


def test_panics_become_exceptions() -> None:
    for threads in [1, 2]:
        with pytest.raises(ds.InternalError, match="please report it: this is a test"):
            ds._drystone._panic(threads)
    assert issubclass(ds.InternalError, Exception)
    assert len(ds.contacts_many(*pairs(5), threads=2)[1]) == 6, "the pool lives on"


def test_other_threads_run_meanwhile() -> None:
    shapes, a, at_a, b, at_b = pairs(2000)
    counts, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counts[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    before = counts[0]
    ds.contacts_many(shapes, a, at_a, b, at_b, threads=1)
    assert counts[0] > before + 3
    done.set()
    counter.join()


def test_several_threads_may_call_at_once() -> None:
    given = pairs(400)
    usual = ds.contacts_many(*given, threads=2)[0].tobytes()
    found: list[bytes] = []

    def call() -> None:
        for threads in [1, 2, 2]:
            found.append(ds.contacts_many(*given, threads=threads)[0].tobytes())

    callers = [threading.Thread(target=call) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert found == [usual] * 12


def test_a_long_batch_leaves_threads_to_others() -> None:
    shapes, a, at_a, b, at_b = pairs(1000)
    many = 8
    long = shapes, np.tile(a, many), np.tile(at_a, (many, 1, 1)), np.tile(b, many), np.tile(at_b, (many, 1, 1))
    ended, longest, start = [], 0.0, time.monotonic()
    caller = threading.Thread(target=lambda: ended.append(len(ds.contacts_many(*long, threads=2)[1])))
    caller.start()
    while caller.is_alive():
        before = time.monotonic()
        ds.contacts_many(shapes, a[:20], at_a[:20], b[:20], at_b[:20], threads=2)
        longest = max(longest, time.monotonic() - before)
    assert ended == [1000 * many + 1]
    assert longest < 0.5 * (time.monotonic() - start), "a call waited for the end of the other one"


def in_child(work) -> bytes:
    """What `work` returns in a fork of this process; nothing if it has not ended after 20 s."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, work())
        finally:
            os._exit(0)
    os.close(writer)
    deadline = time.monotonic() + 20
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return b""
        time.sleep(0.01)
    with os.fdopen(reader, "rb") as pipe:
        return pipe.read()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_threads_work_after_a_fork() -> None:
    given = pairs(100)
    usual = ds.contacts_many(*given, threads=2)

    def again() -> bytes:
        many = [ds.contacts_many(*given, threads=threads)[1] for threads in (1, 2, 3)]
        return b"equal" if all(np.array_equal(offsets, usual[1]) for offsets in many) else b"other"

    assert in_child(again) == b"equal"
    assert in_child(lambda: in_child(again)) == b"equal", "a fork of a fork"
    assert again() == b"equal", "the parent's pool lives on"


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_can_be_interrupted(threads: int) -> None:
    shapes, a, at_a, b, at_b = pairs(1000)
    many = 100
    given = shapes, np.tile(a, many), np.tile(at_a, (many, 1, 1)), np.tile(b, many), np.tile(at_b, (many, 1, 1))
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        ds.contacts_many(*given, threads=threads)
    # The claim is half a second; tests run on busy machines.
    assert time.monotonic() - start < PAUSE + 2
