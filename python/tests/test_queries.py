"""Queries of a world, against brute force and one by one."""

from __future__ import annotations

import drystone as ds
import numpy as np
import pytest

NOBODY = np.iinfo(np.uint64).max
RADIUS = 0.4


@pytest.fixture(scope="module")
def centres() -> np.ndarray:
    return np.random.default_rng(4).uniform(-5, 5, (60, 3))


@pytest.fixture(scope="module", params=[1, 2])
def balls(request, centres) -> ds.World:
    world = ds.World(threads=request.param)
    world.add_many(ds.Shape.ball(RADIUS), ds.pose(centres), fixed=True)
    return world


def rays(count: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(8)
    directions = random.normal(size=(count, 3))
    return random.uniform(-6, 6, (count, 3)), directions / np.linalg.norm(directions, axis=1, keepdims=True)


def ways(origins: np.ndarray, directions: np.ndarray, centres: np.ndarray, radius: float) -> np.ndarray:
    """How far rays go until they get into balls and out of them, (rays, balls, 2); not a number where they miss."""
    to = centres - origins[:, None]
    along = np.einsum("rbk,rk->rb", to, directions)
    with np.errstate(invalid="ignore"):
        half = np.sqrt(radius**2 - ((to**2).sum(2) - along**2))
    return np.stack([along - half, along + half], 2)


def test_the_hits_of_a_ray_are_those_of_all_balls(balls, centres) -> None:
    origins, directions = rays(50)
    of_balls = ways(origins, directions, centres, RADIUS)
    for origin, direction, expected in zip(origins, directions, of_balls, strict=True):
        hits = balls.cast_ray_all(origin, direction, solid=False, max_distance=9.0)
        within = np.argwhere((expected >= 0) & (expected <= 9.0))
        distances = expected[within[:, 0], within[:, 1]]
        order = np.argsort(distances)
        assert hits["distance"] == pytest.approx(distances[order], abs=1e-9)
        assert hits["body"].tolist() == balls.bodies[within[order, 0]].tolist()
        assert not hits.flags.writeable
    first = balls.cast_rays(origins, directions, solid=False)
    for row, origin, direction in zip(first, origins, directions, strict=True):
        one = balls.cast_ray(origin, direction, solid=False)
        assert (row["body"], row["distance"]) == ((NOBODY, np.inf) if one is None else (one.body, one.distance))


def test_a_ball_that_moves_straight_is_a_ray_through_larger_balls(balls, centres) -> None:
    origins, directions = rays(80)
    own, length, tolerance = 0.25, 7.0, 1e-6
    hits = balls.cast_shapes(ds.Shape.ball(own), ds.pose(origins), length * directions, tolerance=tolerance)
    expected = ways(origins, directions, centres, RADIUS + own)
    inside = (expected[..., 0] < 0) & (expected[..., 1] > 0)
    entry = np.where(inside, 0.0, np.where(expected[..., 0] >= 0, expected[..., 0], np.inf))
    nearest, body = entry.min(1), entry.argmin(1)
    touches = nearest <= length
    assert touches.any() and not touches.all() and inside.any()
    assert (hits["body"] == np.where(touches, balls.bodies[body], NOBODY)).all()
    assert hits["fraction"][touches] * length == pytest.approx(nearest[touches], abs=10 * tolerance)
    assert np.isinf(hits["fraction"][~touches]).all() and np.isinf(hits["distance"][~touches]).all()
    moved = touches & (nearest > 0)
    at = origins + directions * nearest[:, None]
    towards = (centres[body] - at) / (RADIUS + own)
    assert hits["normal"][moved] == pytest.approx(towards[moved], abs=1e-4)
    assert hits["point_b"][moved] == pytest.approx((centres[body] - RADIUS * towards)[moved], abs=1e-4)
    assert (hits["distance"][touches & (nearest == 0)] == 0).all()


def test_many_casts_are_those_one_by_one(balls) -> None:
    origins, directions = rays(40)
    shape, poses = ds.Shape.box((1.2, 0.1, 0.4)), ds.pose(origins)
    for rotations in (None, np.random.default_rng(2).uniform(-2, 2, (40, 3))):
        many = balls.cast_shapes(shape, poses, 4 * directions, rotations)
        each = np.stack(
            [
                balls.cast_shape(shape, pose, 4 * direction, None if rotations is None else rotations[k])
                for k, (pose, direction) in enumerate(zip(poses, directions, strict=True))
            ]
        )
        assert many.tobytes() == each.tobytes() and many.dtype == ds.SHAPE_HIT and not many.flags.writeable


def test_a_bar_that_turns_meets_what_it_would_miss() -> None:
    world = ds.World()
    wall = world.add(ds.Shape.box((1, 1, 1)), ds.pose((0, 2, 0)), fixed=True)
    bar = ds.Shape.box((4, 0.1, 0.1))
    assert world.cast_shape(bar, ds.pose(), (0, 0, 0))["body"] == NOBODY
    hit = world.cast_shape(bar, ds.pose(), (0, 0, 0), (0, 0, np.pi / 2))
    # Its end comes down on the side of the wall, where x is ½ and the length to there no more than 2 m.
    assert hit["body"] == wall and 0 < hit["fraction"] < 1
    assert np.linalg.norm(hit["point_a"]) <= np.hypot(2, 0.05) + 1e-9 and hit["distance"] <= 1e-4


def test_points(balls, centres) -> None:
    points, _ = rays(200)
    found = balls.project_points(points, max_distance=2.0)
    signed = np.linalg.norm(points[:, None] - centres, axis=2) - RADIUS
    least, body = signed.min(1), signed.argmin(1)
    near = least <= 2.0
    assert near.any() and not near.all() and (least < 0).any()
    assert (found["body"] == np.where(near, balls.bodies[body], NOBODY)).all()
    assert found["distance"][near] == pytest.approx(least[near], abs=1e-9)
    outward = (points - centres[body]) / np.linalg.norm(points - centres[body], axis=1, keepdims=True)
    assert found["normal"][near] == pytest.approx(outward[near], abs=1e-9)
    assert found["position"][near] == pytest.approx((centres[body] + RADIUS * outward)[near], abs=1e-9)
    each = np.stack([balls.project_point(point, max_distance=2.0) for point in points])
    assert each.tobytes() == found.tobytes() and not found.flags.writeable
    for point, own in zip(points, signed, strict=True):
        assert balls.bodies_at(point).tolist() == balls.bodies[own < 0].tolist()


def test_overlaps_are_those_of_all_balls(balls, centres) -> None:
    for low in np.random.default_rng(3).uniform(-5, 3, (30, 3)):
        high = low + (2, 1, 3)
        gaps = np.linalg.norm(np.maximum(np.maximum(low - centres, centres - high), 0), axis=1)
        assert balls.overlap_box(low, high).tolist() == balls.bodies[gaps < RADIUS].tolist()
        middle = ds.pose((low + high) / 2)
        assert balls.overlap(ds.Shape.box((2, 1, 3)), middle).tolist() == balls.bodies[gaps < RADIUS].tolist()


def test_closest_points_of_bodies(balls, centres) -> None:
    random = np.random.default_rng(6)
    a, b = random.permutation(60)[:30], random.permutation(60)[:30]
    a, b = a[a != b], b[a != b]
    found = balls.closest_points_many(balls.bodies[a], balls.bodies[b], max_distance=8.0)
    fields = np.zeros(len(a), [("a", "u8"), ("b", "u8"), ("other", "u1")])
    fields["a"], fields["b"] = balls.bodies[a], balls.bodies[b]
    assert balls.closest_points_many(fields["a"], fields["b"], max_distance=8.0).tobytes() == found.tobytes()
    way = centres[b] - centres[a]
    distance = np.linalg.norm(way, axis=1) - 2 * RADIUS
    expected = np.where(distance > 8.0, np.inf, np.maximum(distance, 0))
    assert found["distance"] == pytest.approx(expected, abs=1e-9)
    apart = np.isfinite(expected) & (expected > 0)
    normal = way / np.linalg.norm(way, axis=1, keepdims=True)
    assert found["normal"][apart] == pytest.approx(normal[apart], abs=1e-9)
    assert found["point_a"][apart] == pytest.approx((centres[a] + RADIUS * normal)[apart], abs=1e-9)
    pairs = zip(balls.bodies[a].tolist(), balls.bodies[b].tolist(), strict=True)
    each = np.stack([balls.closest_points(p, q, max_distance=8.0) for p, q in pairs])
    assert each.tobytes() == found.tobytes() and found.dtype == ds.CLOSEST


def test_filters_hold_for_all_queries() -> None:
    world, cube = ds.World(), ds.Shape.box((1, 1, 1))
    first = world.add(cube, ds.pose((2, 0, 0)), fixed=True, groups=(1, 1))
    second = world.add(cube, ds.pose((4, 0, 0)), fixed=True, groups=(2, 2))
    sensor = world.add(cube, ds.pose((6, 0, 0)), fixed=True, sensor=True)
    ball = ds.Shape.ball(0.1)

    def seen(**filters) -> list[set[int]]:
        def all_of(query) -> set[int]:
            return {int(body) for x in (2, 4, 6) for body in np.atleast_1d(query((x, 0, 0))) if body != NOBODY}

        return [
            set(world.cast_ray_all((0, 0, 0), (1, 0, 0), **filters)["body"].tolist()),
            all_of(lambda p: world.bodies_at(p, **filters)),
            all_of(lambda p: world.project_point(p, max_distance=0.1, **filters)["body"]),
            all_of(lambda p: world.project_points([p], max_distance=0.1, **filters)["body"]),
            all_of(lambda p: world.overlap(ball, ds.pose(p), **filters)),
            all_of(lambda p: world.overlap_box(p, p, **filters)),
            all_of(lambda p: world.cast_shape(ball, ds.pose(p), (0.1, 0, 0), **filters)["body"]),
            all_of(lambda p: world.cast_shapes(ball, [ds.pose(p)], [(0.1, 0, 0)], **filters)["body"]),
            all_of(lambda p: world.cast_rays([p], [(1, 0, 0)], max_distance=0.1, **filters)["body"]),
            all_of(lambda p: getattr(world.cast_ray(p, (1, 0, 0), max_distance=0.1, **filters), "body", NOBODY)),
        ]

    assert seen() == [{first, second}] * 10
    assert seen(sensors=True) == [{first, second, sensor}] * 10
    assert seen(groups=(1, 1)) == [{first}] * 10
    assert seen(groups=(3, 3), exclude=[first], sensors=True) == [{second, sensor}] * 10


def test_what_is_wrong_is_said() -> None:
    world = ds.World()
    body = world.add(ds.Shape.box((1, 1, 1)), ds.pose(), fixed=True)
    cast = world.cast_shapes
    with pytest.raises(ValueError, match="translations has 2 rows"):
        cast(ds.Shape.ball(1), [np.eye(4)], np.zeros((2, 3)))
    with pytest.raises(ds.WorldError, match="tolerance"):
        world.cast_shape(ds.Shape.ball(1), np.eye(4), (1, 0, 0), tolerance=0.0)
    with pytest.raises(ds.WorldError):
        world.overlap_box((1, 0, 0), (0, 1, 1))
    with pytest.raises(ds.WorldError):
        world.closest_points(body, body)
    with pytest.raises(ds.WorldError):
        world.project_point((0, 0, 0), max_distance=-1.0)
    with pytest.raises(ValueError, match="finite"):
        world.bodies_at((np.nan, 0, 0))
