"""Contact methods in Python, wherever methods are used."""

from __future__ import annotations

import multiprocessing
import pickle
import threading
import time

import drystone as ds
import numpy as np
import pytest
from test_interrupt import PAUSE, ctrl_c

BALL = ds.Shape.ball(0.5)


class Balls(ds.Generator):
    """Balls of a radius of half a metre."""

    reach = 0.05

    def contacts(self, a, pose_a, b, pose_b):
        way = pose_b[:3, 3] - pose_a[:3, 3]
        distance = np.linalg.norm(way)
        if distance > 1 + self.reach:
            return ds.contact_array([], [], [])
        normal = way / distance
        return ds.contact_array([pose_a[:3, 3] + 0.5 * normal], [normal], [distance - 1])


class SemiLocal(ds.Generator):
    """Semi-local, from Python."""

    name = "semi-local-again"
    reach = 1.0

    def contacts(self, a, pose_a, b, pose_b):
        return ds.contacts(a, pose_a, b, pose_b, "semi-local")


class Asking(Balls):
    """Asks the package itself, on threads."""

    def contacts(self, a, pose_a, b, pose_b):
        return ds.contacts_many([a, b], [0], pose_a[None], [1], pose_b[None], Balls(), threads=2)[0]


class FailingFar(Balls):
    """Takes its time with balls that are near, and fails at once with others."""

    def contacts(self, a, pose_a, b, pose_b):
        if pose_b[1, 3] > 0.8:
            raise KeyError(f"height {pose_b[1, 3]:.4f}")
        time.sleep(0.001)
        return super().contacts(a, pose_a, b, pose_b)


class Slow(Balls):
    """Takes its time from some height on, and knows the threads that it took it on."""

    def __init__(self, height, seconds):
        self.height, self.seconds, self.threads = height, seconds, []

    def contacts(self, a, pose_a, b, pose_b):
        if pose_b[1, 3] >= self.height:
            time.sleep(self.seconds)
            self.threads.append(threading.get_ident())
        return super().contacts(a, pose_a, b, pose_b)


class Failing(ds.Generator):
    def contacts(self, a, pose_a, b, pose_b):
        raise KeyError("this is a test")


class Returning(ds.Generator):
    def __init__(self, answer):
        self.answer = answer

    def contacts(self, a, pose_a, b, pose_b):
        return self.answer


def balls_at_rest(**settings) -> ds.World:
    world = ds.World(Balls(), **settings)
    world.add(BALL, ds.pose(), fixed=True)
    world.add(BALL, ds.pose((0, 1.0, 0)))
    return world


def test_it_finds_contacts() -> None:
    (one,) = ds.contacts(BALL, ds.pose(), BALL, ds.pose((0, 0.9, 0)), Balls())
    assert one["gap"] == pytest.approx(-0.1) and one["normal"].tolist() == [0, 1, 0]
    heights = np.linspace(0.5, 1.5, 200)
    zeros, still = np.zeros(200, int), np.broadcast_to(np.eye(4), (200, 4, 4))
    for threads in [1, 2]:
        found, offsets = ds.contacts_many([BALL], zeros, still, zeros, ds.pose(np.outer(heights, [0, 1, 0])), Balls(), threads=threads)
        assert np.allclose(found["gap"], heights[heights <= 1.05] - 1) and offsets[-1] == len(found)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_first_pair_that_fails_ends_a_batch(threads: int) -> None:
    zeros, still, heights = np.zeros(400, int), np.broadcast_to(np.eye(4), (400, 4, 4)), np.linspace(0.5, 1, 400)
    with pytest.raises(KeyError, match=f"height {heights[heights > 0.8][0]:.4f}"):
        ds.contacts_many([BALL], zeros, still, zeros, ds.pose(np.outer(heights, [0, 1, 0])), FailingFar(), threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_of_slow_pairs_can_be_interrupted(threads: int) -> None:
    zeros, still, at = np.zeros(400, int), np.broadcast_to(np.eye(4), (400, 4, 4)), ds.pose(np.full((400, 3), (0, 1, 0)))
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        ds.contacts_many([BALL], zeros, still, zeros, at, Slow(0, 0.1), threads=threads)
    assert time.monotonic() - start < PAUSE + 1


def test_pairs_that_suddenly_take_long_are_shared_by_threads() -> None:
    zeros, still, heights = np.zeros(3000, int), np.broadcast_to(np.eye(4), (3000, 4, 4)), np.full(3000, 0.5)
    heights[100:160] = 0.9
    given = [BALL], zeros, still, zeros, ds.pose(np.outer(heights, [0, 1, 0]))
    slow = Slow(0.9, 0.01)
    found, _ = ds.contacts_many(*given, slow, threads=3)
    counts = sorted(map(slow.threads.count, set(slow.threads)))
    assert len(counts) == 3 and sum(counts) == 60 and counts[0] >= 5
    assert found.tobytes() == ds.contacts_many(*given, Balls(), threads=1)[0].tobytes()


def test_it_may_use_threads_itself() -> None:
    zeros, still, heights = np.zeros(50, int), np.broadcast_to(np.eye(4), (50, 4, 4)), np.linspace(0.5, 1, 50)
    given = [BALL], zeros, still, zeros, ds.pose(np.outer(heights, [0, 1, 0]))
    found = []

    def ask() -> None:
        found.append(ds.contacts_many(*given, Asking(), threads=2))
        world = ds.World(Asking(), threads=2)
        world.add(BALL, ds.pose(), fixed=True)
        world.add_many(BALL, ds.pose([(0, 1, 0), (0, -1, 0)]))
        found.append(world.step().contacts)

    # Threads that wait for each other would wait forever.
    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(timeout=60)
    assert len(found) == 2
    (contacts, offsets), of_world = found
    expected = ds.contacts_many(*given, Balls(), threads=1)
    assert contacts.tobytes() == expected[0].tobytes() and np.array_equal(offsets, expected[1]) and of_world == 2


@pytest.mark.parametrize("threads", [1, 2])
def test_a_world_steps_with_it(threads: int) -> None:
    world = balls_at_rest(threads=threads)
    report = world.step(50)
    assert report.contacts == 1 and world.positions[1] == pytest.approx([0, 1, 0], abs=5e-3)
    assert isinstance(world.method, Balls)
    rest = ds.World(SemiLocal(), threads=threads)
    rest.add(ds.Shape.box((5, 1, 5)), ds.pose((0, -0.5, 0)), fixed=True)
    rest.add_many(ds.Shape.box((1, 1, 1)), ds.pose([(0, 0.5, 0), (0, 1.5, 0)]))
    assert rest.step(50).contacts == 8 and rest.positions[2, 1] == pytest.approx(1.5, abs=5e-3)


def test_it_is_scored() -> None:
    both = ds.assess(["cliff-edges", "internal-edges"], [SemiLocal(), "semi-local"], step=0).rows
    ours, theirs = both[::2], both[1::2]
    assert [row["method"] for row in both] == ["semi-local-again", "semi-local"] * 2
    for own, their in zip(ours, theirs):
        for field in ["coverage", "quality", "excess", "contacts", "minimum"]:
            assert own[field] == their[field]
    assert len(ds.Scene("cliff-edges").contacts(SemiLocal())) == 4
    world = ds.Scene("cliff-edges").world(SemiLocal())
    assert isinstance(world.method, SemiLocal) and world.step(2).contacts == 4


def test_its_exceptions_come_out() -> None:
    at = ds.pose((0, 1, 0))
    with pytest.raises(KeyError, match="this is a test"):
        ds.contacts(BALL, ds.pose(), BALL, at, Failing())
    with pytest.raises(KeyError, match="this is a test"):
        ds.contacts_many([BALL], [0], [np.eye(4)], [0], [at], Failing(), threads=2)
    with pytest.raises(KeyError, match="this is a test"):
        ds.assess("cliff-edges", Failing())
    world = ds.World(Failing())
    world.add(BALL, ds.pose(), fixed=True)
    world.add(BALL, at)
    for _ in range(2):
        with pytest.raises(KeyError, match="this is a test"):
            world.step(10)
    assert world.steps == 0 and np.array_equal(world.poses[1], at)
    with pytest.raises(NotImplementedError, match="write its method contacts"):
        ds.contacts(BALL, ds.pose(), BALL, at, ds.Generator())


GOOD = ds.contact_array(np.zeros((2, 3)), [(0, 1, 0), (1, 0, 0)], [0.0, 0.1])


def spoiled(field: str, value: object) -> np.ndarray:
    array = GOOD.copy()
    array[field][1] = value
    return array


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        (None, TypeError, "Returning.contacts returns: it is no array of drystone.CONTACT"),
        (np.zeros(3), TypeError, "no array of drystone.CONTACT"),
        ([(0, 0, 0)], TypeError, "no array of drystone.CONTACT"),
        (GOOD.reshape(2, 1), ValueError, "shape"),
        (spoiled("position", np.nan), ValueError, "contact 1 has a number that is not finite"),
        (spoiled("gap", np.inf), ValueError, "contact 1 has a number that is not finite"),
        (spoiled("normal", (0, 2, 0)), ValueError, "the normal of contact 1 is .* length 1"),
        (spoiled("feature_a", (99, 0)), ValueError, "FeatureKind"),
    ],
)
def test_wrong_answers_are_refused(answer, error, says) -> None:
    with pytest.raises(error, match=says):
        ds.contacts(BALL, ds.pose(), BALL, ds.pose(), Returning(answer))


def test_any_layout_of_an_answer_is_read() -> None:
    spread = np.zeros(4, dtype=ds.CONTACT)
    spread[::2] = GOOD
    packed = np.zeros(2, dtype=[("odd", "u1"), ("contact", ds.CONTACT)])
    packed["contact"] = GOOD
    for answer in [GOOD, spread[::2], GOOD[::-1][::-1], packed["contact"]]:
        assert np.array_equal(ds.contacts(BALL, ds.pose(), BALL, ds.pose(), Returning(answer)), GOOD)


def test_it_sees_shapes_before_they_are_used() -> None:
    class Looking(Balls):
        def __init__(self) -> None:
            self.prepared: list[ds.Shape] = []
            self.asked: list[ds.Shape] = []

        def prepare(self, shape):
            if shape.kind == "cone":
                raise ValueError("no cones")
            self.prepared.append(shape)

        def contacts(self, a, pose_a, b, pose_b):
            self.asked += [a, b]
            return super().contacts(a, pose_a, b, pose_b)

    looking = Looking()
    world = ds.World(looking)
    cube = ds.Shape.box((1, 1, 1))
    world.add(cube, ds.pose(), fixed=True)
    world.add(BALL, ds.pose((0, 0.9, 0)))
    with pytest.raises(ValueError, match="no cones"):
        world.add(ds.Shape.cone(1, 1), ds.pose())
    world.step(3)
    assert [shape.kind for shape in looking.prepared] == ["polyhedron", "ball"]
    assert len({id(shape) for shape in looking.asked}) == 2, "one object stands for a shape"
    assert np.array_equal(looking.asked[0].vertices, cube.vertices)


def test_it_cannot_use_the_world_that_calls_it() -> None:
    class Reading(Balls):
        world: ds.World

        def contacts(self, a, pose_a, b, pose_b):
            self.use()
            return super().contacts(a, pose_a, b, pose_b)

    for threads in [1, 2]:
        for use in ["poses", "step", "detect"]:
            reading = Reading()
            world = ds.World(reading, threads=threads)
            reading.use = {"poses": lambda: world.poses, "step": world.step, "detect": world.detect}[use]
            world.add(BALL, ds.pose(), fixed=True)
            world.add(BALL, ds.pose((0, 1, 0)))
            with pytest.raises(ds.WorldError, match="in a step|cannot make steps"):
                world.step()
            assert len(world) == 2


def test_reading_while_a_generator_works() -> None:
    world = balls_at_rest(solver="prox-gauss-seidel")
    stepper = threading.Thread(target=lambda: world.step(2000))
    stepper.start()
    reads = 0
    while stepper.is_alive():
        assert np.isfinite(world.poses).all()
        reads += 1
    stepper.join()
    assert world.steps == 2000 and reads > 0


def test_wrong_generators_are_refused() -> None:
    for reach in [-1.0, np.inf, np.nan]:
        wrong = Balls()
        wrong.reach = reach
        with pytest.raises(ValueError, match="the reach of Balls is"):
            ds.World(wrong)
    wrong.reach = "far"
    with pytest.raises(TypeError):
        ds.World(wrong)
    with pytest.raises(TypeError, match="drystone.Generator"):
        ds.World(Balls)


def run(world: ds.World) -> bytes:
    world.step(20)
    return world.poses.tobytes()


@pytest.mark.parametrize("how", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_worlds_with_it_go_to_other_processes(how: str) -> None:
    world = balls_at_rest()
    world.step(5)
    assert run(pickle.loads(pickle.dumps(world))) == run(world.copy())
    with multiprocessing.get_context(how).Pool(1) as pool:
        there = pool.map_async(run, [world]).get(timeout=60)
    assert there == [run(world)]
    with pytest.raises(ds.WorldError, match="Balls"):
        ds.World.from_snapshot(world.snapshot())
    assert run(ds.World.from_snapshot(world.snapshot(), generator=Balls())) == run(world)
