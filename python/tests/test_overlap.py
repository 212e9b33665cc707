"""How far shapes and bodies are in each other, against closed forms."""

from __future__ import annotations

import drystone as ds
import numpy as np
import pytest


def boxes(count: int) -> tuple[list[ds.Shape], np.ndarray, np.ndarray]:
    """Boxes along the axes, their sides and their places."""
    random = np.random.default_rng(21)
    sides, places = random.uniform(0.2, 1.5, (count, 3)), random.uniform(-1, 1, (count, 3))
    return [ds.Shape.box(own) for own in sides], sides, places


def shared(sides: np.ndarray, places: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lower and the upper corners of what pairs of boxes share; no box where one is above the other."""
    low = np.maximum(places[a] - sides[a] / 2, places[b] - sides[b] / 2)
    high = np.minimum(places[a] + sides[a] / 2, places[b] + sides[b] / 2)
    return low, high


@pytest.mark.parametrize("threads", [1, 2])
def test_what_boxes_share_is_a_box(threads) -> None:
    shapes, sides, places = boxes(40)
    a, b = np.triu_indices(40, 1)
    low, high = shared(sides, places, a, b)
    extents = (high - low).clip(0).min(1, initial=np.inf)
    found = ds.overlap_many(shapes, a, ds.pose(places[a]), b, ds.pose(places[b]), threads=threads)
    assert (extents > 0).sum() > 100 and (extents == 0).sum() > 100
    assert found["depth"] == pytest.approx(extents, abs=1e-12)
    assert found["volume"] == pytest.approx((high - low).clip(0).prod(1), abs=1e-12)
    meets = extents > 0
    assert found["position"][meets] == pytest.approx(((low + high) / 2)[meets], abs=1e-12)
    assert np.isnan(found["position"][~meets]).all() and not found.flags.writeable


def test_one_pair_is_as_in_a_batch() -> None:
    shapes, _, places = boxes(8)
    a, b = np.triu_indices(8, 1)
    turned = ds.pose(places, xyzw=np.array([0.1, 0.2, 0.3, 0.9]) / np.linalg.norm([0.1, 0.2, 0.3, 0.9]) * np.ones((8, 1)))
    found = ds.overlap_many(shapes, a, turned[a], b, turned[b])
    for row, i, j in zip(found, a, b, strict=True):
        one = ds.overlap(shapes[i], turned[i], shapes[j], turned[j])
        assert one.tobytes() == row.tobytes()
        other = ds.overlap(shapes[j], turned[j], shapes[i], turned[i])
        assert other["volume"] == pytest.approx(one["volume"], abs=1e-12)


def test_a_ball_in_a_floor_is_a_cap() -> None:
    radius, sunk = 0.5, 0.2
    found = ds.overlap(ds.Shape.half_space(), ds.pose(), ds.Shape.ball(radius), ds.pose((3, radius - sunk, 1)))
    assert float(found["depth"]) == pytest.approx(sunk, abs=1e-12)
    assert float(found["volume"]) == pytest.approx(np.pi * sunk**2 * (3 * radius - sunk) / 3, rel=1e-12)


def test_what_cannot_be_measured_is_said() -> None:
    floor, cube = ds.Shape.half_space(), ds.Shape.box((1, 1, 1))
    with pytest.raises(ValueError, match="has no end"):
        ds.overlap(floor, ds.pose(), floor, ds.pose())
    with pytest.raises(ValueError, match="pair 1.*has no end"):
        ds.overlap_many([floor, cube], [1, 0], ds.pose(np.zeros((2, 3))), [1, 0], ds.pose(np.zeros((2, 3))))
    with pytest.raises(IndexError):
        ds.overlap_many([cube], [0], ds.pose(np.zeros((1, 3))), [1], ds.pose(np.zeros((1, 3))))


@pytest.mark.parametrize("threads", [1, 2])
def test_the_overlaps_of_a_world_are_those_of_its_pairs(threads) -> None:
    world = ds.World(threads=threads)
    shapes, sides, places = boxes(30)
    bodies = np.array([world.add(shape, ds.pose(place), density=100) for shape, place in zip(shapes, places, strict=True)])
    gone = 7
    world.remove(bodies[gone])
    kept = np.delete(np.arange(30), gone)
    a, b = (kept[own] for own in np.triu_indices(29, 1))
    low, high = shared(sides, places, a, b)
    meets = (high > low).all(1)
    found = world.overlaps()
    assert len(found) == meets.sum() > 50
    pairs = {frozenset(pair): row for pair, row in zip(zip(found["body_a"].tolist(), found["body_b"].tolist(), strict=True), found, strict=True)}
    for i, j, extents in zip(a[meets], b[meets], (high - low)[meets], strict=True):
        row = pairs[frozenset((int(bodies[i]), int(bodies[j])))]
        assert float(row["depth"]) == pytest.approx(extents.min(), abs=1e-12)
        assert float(row["volume"]) == pytest.approx(extents.prod(), abs=1e-12)


def test_bodies_that_stand_overlap_by_next_to_nothing() -> None:
    world = ds.World()
    world.add(ds.Shape.box((9, 1, 9)), ds.pose((0, -0.5, 0)), fixed=True)
    cube = world.add(ds.Shape.box((1, 1, 1)), ds.pose((0, 0.5, 0)), density=1000)
    assert len(world.overlaps()) == 0
    world.step(100)
    assert all(world.overlaps()["depth"] < 1e-4)
    world.set_pose(cube, ds.pose((0, 0.4, 0)))
    (found,) = world.overlaps()
    assert float(found["depth"]) == pytest.approx(0.1, abs=1e-12)
