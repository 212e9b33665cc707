"""Moving features against meetings that are known, and closest points against a certificate."""

from __future__ import annotations

import drystone as ds
import numpy as np
import pytest


def meetings(kind: str, count: int, seed: int = 5):
    """Queries that meet at known times, which need not be the first ones."""
    rng = np.random.default_rng(seed)
    start, velocity = rng.normal(size=(2, count, 4, 3))
    times, u, v = rng.uniform(0.1, 0.9, (3, count, 1))
    there = start + times[:, None] * velocity
    if kind == "vertex-face":
        u, v = u * 0.5, v * 0.5
        place = there[:, 1] + u * (there[:, 2] - there[:, 1]) + v * (there[:, 3] - there[:, 1])
        velocity[:, 0] += (place - there[:, 0]) / times
    else:
        a = there[:, 0] + u * (there[:, 1] - there[:, 0])
        b = there[:, 2] + v * (there[:, 3] - there[:, 2])
        velocity[:, :2] += ((b - a) / times)[:, None]
    return start, start + velocity, times[:, 0]


@pytest.mark.parametrize("kind", ["vertex-face", "edge-edge"])
@pytest.mark.parametrize("method", ["inclusion", "exact"])
def test_no_meeting_is_missed(kind: str, method: str) -> None:
    start, end, times = meetings(kind, 300)
    # Rounding may part what meets exactly by less than this.
    hit, lo, hi = ds.ccd(kind, start, end, method=method, separation=0.0 if method == "exact" else 1e-9, tolerance=1e-6)
    if method == "inclusion":
        assert hit.all() and (lo <= times + 1e-6).all()
    assert (lo[hit] <= hi[hit]).all() and np.isinf(lo[~hit]).all() and np.isinf(hi[~hit]).all()
    # The first feature moved away from the second.
    away = np.array([0, 0, 1000.0]) * (np.arange(4) < (1 if kind == "vertex-face" else 2))[:, None]
    hit, lo, hi = ds.ccd(kind, start + away, end + away, method=method)
    assert not hit.any() and np.isinf(lo).all() and np.isinf(hi).all()


def test_the_exact_method_invents_nothing() -> None:
    start, end, _ = meetings("edge-edge", 400)
    start[::2] += np.random.default_rng(1).normal(size=(200, 4, 3))
    exact, _, _ = ds.ccd("edge-edge", start, end, method="exact")
    inclusion, lo, _ = ds.ccd("edge-edge", start, end)
    assert 0 < exact.sum() < 400 and (inclusion | ~exact).all() and np.isfinite(lo[inclusion]).all()


def test_batches_are_the_same_as_one_at_a_time() -> None:
    start, end, _ = meetings("edge-edge", 6000)
    start[::3] += 0.3
    whole = ds.ccd("edge-edge", start, end, threads=1)
    for threads in [2, 3, None]:
        assert all(np.array_equal(a, b) for a, b in zip(whole, ds.ccd("edge-edge", start, end, threads=threads)))
    for k in range(0, 6000, 500):
        one = ds.ccd("edge-edge", start[k : k + 1], end[k : k + 1])
        assert all(array[k] == single[0] for array, single in zip(whole, one))
    wide = np.zeros((6000, 4, 6))
    wide[..., ::2] = start
    for given in [(wide[..., ::2], np.asfortranarray(end)), (start, np.asfortranarray(end)), (start.tolist(), end.tolist())]:
        assert all(np.array_equal(a, b) for a, b in zip(whole, ds.ccd("edge-edge", *given)))
    none = np.zeros((0, 4, 3))
    assert [array.shape for array in ds.ccd("edge-edge", none, none)] == [(0,)] * 3
    with pytest.raises(ValueError, match="read-only"):
        whole[0][0] = True


def test_a_search_that_stops_says_so() -> None:
    start, end, times = meetings("vertex-face", 50)
    hit, lo, hi = ds.ccd("vertex-face", start, end, checks=3)
    assert hit.all() and (lo <= times).all() and np.isinf(hi).any()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "face-face"}, "kind is 'face-face'"),
        ({"end": np.zeros((3, 4, 3))}, r"end has the shape \(3, 4, 3\); it must be \(5000, 4, 3\)"),
        ({"start": np.zeros((5000, 3, 3))}, r"start has the shape \(5000, 3, 3\)"),
        ({"start": np.zeros((5000, 12))}, "3 dimensions"),
        ({"tolerance": 0.0}, "tolerance is 0"),
        ({"t_max": 2.0}, "interval is 2"),
        ({"checks": 0}, "checks is 0"),
        ({"separation": -1.0}, "separation is -1"),
        ({"metric": "taxi"}, "metric is 'taxi'"),
        ({"method": "guess"}, 'no method "guess"'),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_wrong_queries_are_refused(change, says) -> None:
    start, end, _ = meetings("vertex-face", 5000)
    given = {"kind": "vertex-face", "start": start, "end": end} | change
    with pytest.raises(ValueError, match=says):
        ds.ccd(given.pop("kind"), given.pop("start"), given.pop("end"), **given)


def test_a_number_that_is_none_is_named() -> None:
    start, end, _ = meetings("vertex-face", 5000)
    end[4321, 2, 1] = np.nan
    with pytest.raises(ValueError, match="query 4321: coordinate y of point 2 at t = 1 is NaN"):
        ds.ccd("vertex-face", start, end)


def hulls(count: int, seed: int = 2):
    rng = np.random.default_rng(seed)
    shapes = [ds.Shape.convex_hull(rng.normal(size=(12, 3))) for _ in range(4)]
    a, b = rng.integers(0, 4, (2, count))
    at_a, at_b = (ds.pose(rng.uniform(-3, 3, (count, 3)), xyzw=rng.normal(size=(count, 4))) for _ in range(2))
    return shapes, a, at_a, b, at_b


def test_closest_points_are_certain() -> None:
    shapes, a, at_a, b, at_b = hulls(200)
    found = ds.closest_many(shapes, a, at_a, b, at_b)
    apart = found["distance"] > 0
    assert found.dtype == ds.CLOSEST and 50 < apart.sum() < 200
    for k in np.flatnonzero(apart):
        one = found[k]
        assert one["point_b"] - one["point_a"] == pytest.approx(one["distance"] * one["normal"], abs=1e-9)
        # Nothing of A is farther along the normal than its point, and nothing of B less far: so no points are nearer.
        reach_a = (shapes[a[k]].vertices @ at_a[k][:3, :3].T + at_a[k][:3, 3]) @ one["normal"]
        reach_b = (shapes[b[k]].vertices @ at_b[k][:3, :3].T + at_b[k][:3, 3]) @ one["normal"]
        assert reach_b.min() - reach_a.max() == pytest.approx(one["distance"], abs=1e-9)
    for k in np.flatnonzero(~apart):
        assert len(ds.contacts(shapes[a[k]], at_a[k], shapes[b[k]], at_b[k])) > 0


def test_closest_points_one_at_a_time_and_in_batches() -> None:
    shapes, a, at_a, b, at_b = hulls(60)
    many = ds.closest_many(shapes, a, at_a, b, at_b, threads=2)
    for k in range(60):
        one = ds.closest(shapes[a[k]], at_a[k], shapes[b[k]], at_b[k])
        assert one.tobytes() == many[k].tobytes()
    ball = ds.Shape.ball(1.0)
    assert ds.closest(ball, ds.pose(), ball, ds.pose((5, 0, 0)))["distance"] == pytest.approx(3.0)
    beyond = ds.closest(ball, ds.pose(), ball, ds.pose((5, 0, 0)), max_distance=2.0)
    assert np.isinf(beyond["distance"]) and np.isnan(beyond["normal"]).all()
    with pytest.raises(ValueError, match="distance"):
        ds.closest(ball, ds.pose(), ball, ds.pose(), max_distance=-1.0)
    with pytest.raises(IndexError, match=r"b\[0\] is 9"):
        ds.closest_many(shapes, a, at_a, b * 0 + 9, at_b)
