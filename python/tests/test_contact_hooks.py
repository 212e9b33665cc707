"""Functions that have a say in contacts."""

from __future__ import annotations

import pickle

import drystone as ds
import pytest

CUBE = ds.Shape.box((1, 1, 1))


def world_with_floor(**settings) -> tuple[ds.World, int]:
    world = ds.World(**settings)
    return world, world.add(ds.Shape.box((40, 1, 40)), ds.pose((0, -0.5, 0)), fixed=True)


def everything(world: ds.World) -> bytes:
    return world.snapshot() + world.contacts.tobytes()


@pytest.mark.parametrize("solver", ["soft", "prox-gauss-seidel"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_platform_holds_from_above_alone(solver: str, threads: int) -> None:
    world, _ = world_with_floor(solver=solver, threads=threads)
    platform = world.add(ds.Shape.box((3, 0.1, 3)), ds.pose((0, 3, 0)), fixed=True)
    jumping = world.add(CUBE, ds.pose((0, 0.5, 0)), density=1000, velocity=(0, 10, 0))

    def collides(pair: ds.ContactPair) -> bool:
        if platform not in (pair.a, pair.b):
            return True
        below, above = pair.centres
        return above[1] - below[1] > 0.53 and pair.velocities[1][1] <= 0.5

    world.set_contact_hooks(collides=collides)
    highest = max(world.step() and float(world.positions[2, 1]) for _ in range(300))
    assert highest > 4.5 and world.positions[2, 1] == pytest.approx(3.55, abs=5e-3)
    # Without it the platform is a ceiling.
    world.set_contact_hooks()
    world.set_pose(jumping, ds.pose((0, 0.5, 0)))
    world.set_velocity(jumping, velocity=(0, 10, 0))
    world.step(300)
    assert world.positions[2, 1] == pytest.approx(0.5, abs=5e-3)


def test_friction_and_bounce_are_changed() -> None:
    world, floor = world_with_floor()
    ice, ball = (world.add(CUBE, ds.pose((x, 0.5, 0)), density=1000, velocity=(3, 0, 0)) for x in (-9, 9))
    seen: list[tuple[ds.ContactPair, ds.Interaction]] = []

    def interaction(pair: ds.ContactPair, usual: ds.Interaction) -> ds.Interaction | None:
        seen.append((pair, usual))
        return usual._replace(friction=0.0) if pair.b == ice else None

    world.set_contact_hooks(interaction=interaction)
    world.step(50)
    assert world.velocities[1, 0] == pytest.approx(3, abs=1e-4) and world.velocities[2, 0] < 1.0
    assert {pair.a for pair, _ in seen} == {floor} and {pair.b for pair, _ in seen} == {ice, ball}
    assert seen[0][1] == ds.Interaction((0.5, 0.5, 0.0), 0.0)
    assert seen[0][0].centres[0] == pytest.approx((0, -0.5, 0)) and "ContactPair(a=" in repr(seen[0][0])
    world.set_contact_hooks(interaction=lambda pair, usual: ds.Interaction((0, 0, 0), 1.0))
    world.set_pose(ball, ds.pose((9, 3, 0)))
    world.set_velocity(ball, velocity=(0, 0, 0))
    world.step(140)
    assert world.positions[2, 1] > 2.5


@pytest.mark.parametrize("which", ["collides", "interaction"])
@pytest.mark.parametrize("settings", [{}, {"threads": 3}, {"solver": "global"}, {"solver": "prox-gauss-seidel"}, {"ccd": True}])
def test_an_exception_comes_out_and_changes_nothing(which: str, settings) -> None:
    world, _ = world_with_floor(**settings)
    world.add_many(CUBE, ds.pose([(1.2 * k, 0.5, 0) for k in range(6)]), density=1000)
    world.step(3)

    class Mine(Exception):
        pass

    asked = 0

    def usual(*told) -> object:
        return {"collides": True}.get(which)

    def fails(*told) -> object:
        nonlocal asked
        asked += 1
        if asked > last:
            raise Mine(asked)
        return usual(*told)

    for last in range(6):
        asked = 0
        failing, undisturbed = world.copy(), world.copy()
        failing.set_contact_hooks(**{which: fails})
        before = everything(failing)
        with pytest.raises(Mine):
            failing.step()
        assert failing.steps == 3 and everything(failing) == before
        for own in (failing, undisturbed):
            own.set_contact_hooks(**{which: usual})
            own.step()
        assert everything(failing) == everything(undisturbed)


def test_answers_that_are_none() -> None:
    world, _ = world_with_floor()
    world.add(CUBE, ds.pose((0, 0.5, 0)), density=1000)
    before = everything(world)
    wrong = [(7, "Interaction or None"), ((0.5,), "Interaction"), ((-0.5, 0.0), "friction"), ((0.5, 1.5), "restitution")]
    for answer, message in wrong:
        world.set_contact_hooks(interaction=lambda pair, usual, answer=answer: answer)
        with pytest.raises(ValueError, match=message):
            world.step()
        assert everything(world) == before
    with pytest.raises(TypeError, match="collides cannot be called"):
        world.set_contact_hooks(collides=3)


def test_hooks_cannot_use_the_world() -> None:
    world, _ = world_with_floor()
    world.add(CUBE, ds.pose((0, 0.5, 0)), density=1000)
    for use in (lambda: world.poses, world.step, world.detect):
        world.set_contact_hooks(collides=lambda pair, use=use: use() is None)
        with pytest.raises(ds.WorldError):
            world.step()
        with pytest.raises(ds.WorldError):
            world.detect()


def test_hooks_that_end_may_use_the_world() -> None:
    world, _ = world_with_floor()
    told = []

    class Hook:
        def __call__(self, pair: ds.ContactPair) -> bool:
            return True

        def __del__(self) -> None:
            told.append(len(world))

    world.set_contact_hooks(collides=Hook())
    world.set_contact_hooks()
    assert told == [1]


def test_copies_have_hooks_and_pickles_have_none() -> None:
    world, _ = world_with_floor()
    world.add(CUBE, ds.pose((0, 0.5, 0)), density=1000)
    world.step(300)
    assert world.step().asleep == 1
    asked = []
    world.set_contact_hooks(collides=lambda pair: asked.append(pair) or True)
    world.step(200)
    assert world.step().asleep == 1
    copy, other = world.copy(), pickle.loads(pickle.dumps(world))
    # Nothing wakes by being copied.
    assert copy.step().asleep == 1 and other.step().asleep == 1
    copy.set_pose(int(copy.bodies[1]), ds.pose((0, 0.6, 0)))
    asked.clear()
    copy.step(20)
    assert asked
    asked.clear()
    other.set_pose(int(other.bodies[1]), ds.pose((0, 0.6, 0)))
    other.step(20)
    assert not asked
