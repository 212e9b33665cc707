"""How long the import and the calls of an installed package take: the least of several runs, for two wheels to be compared.

usage: python python/tests/call_times.py            all of it, half a minute
       python python/tests/call_times.py import     the import alone; fails above 10 ms beyond NumPy's
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator

LIMIT = 10.0
"""What the import may take beyond NumPy's, ms."""

IMPORT = """
import time, numpy
start = time.perf_counter()
import drystone
print((time.perf_counter() - start) * 1000)
"""


def import_time() -> float:
    """Of the package, in a process that has NumPy already, ms."""
    return min(float(subprocess.check_output([sys.executable, "-c", IMPORT])) for _ in range(40))


def least(call: Callable[[], object]) -> float:
    """Of a second of calls in runs of some milliseconds, µs a call: whatever else the machine does leaves some runs alone."""

    def run(count: int) -> float:
        start = time.perf_counter()
        for _ in range(count):
            call()
        return time.perf_counter() - start

    count = max(1, round(0.002 / min(run(1), run(1))))
    end, found = time.perf_counter() + 1, []
    while time.perf_counter() < end:
        found.append(run(count) / count * 1e6)
    return min(found)


def calls() -> Iterator[tuple[str, float]]:
    """What is called, and how long it takes, µs."""
    import drystone as ds
    import numpy as np

    rng = np.random.default_rng(3)

    def turned(count: int, spread: float) -> np.ndarray:
        quaternions = rng.normal(size=(count, 4))
        quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
        return ds.pose(rng.normal(size=(count, 3)) * spread, xyzw=quaternions)

    cube, at = ds.Shape.box((1, 1, 1)), ds.pose((0.25, 0.99, 0.25))
    still = np.eye(4)
    for method in ds.methods():
        yield f"contacts, cube on cube, {method.name}", least(lambda: ds.contacts(cube, still, cube, at, method))

    shapes = [ds.Shape.box((1, 0.6, 0.8)), ds.Shape.convex_hull(rng.normal(size=(20, 3)) * 0.5), ds.Shape.box((0.4, 0.5, 0.6))]
    a, b = rng.integers(0, 3, (2, 500))
    given = (shapes, a, turned(500, 0.4), b, turned(500, 0.4))
    for name in ("semi-local", "vclip"):
        yield f"contacts_many, a pair, {name}", least(lambda: ds.contacts_many(*given, name, threads=1)) / 500
    yield "closest_many, a pair", least(lambda: ds.closest_many(*given, threads=1)) / 500

    start, end = rng.normal(size=(2, 2000, 4, 3))
    for kind in ("vertex-face", "edge-edge"):
        yield f"ccd, a query, {kind}", least(lambda: ds.ccd(kind, start, end, threads=1)) / 2000

    def pile(solver: str = "soft") -> ds.World:
        world = ds.World(method="semi-local", solver=solver)
        world.add(ds.Shape.half_space(), ds.pose(), fixed=True)
        world.add_many(cube, ds.pose([(x * 0.9 + 0.1 * y, y + 0.5, 0) for y in range(5) for x in range(0, 10 - y, 2)]))
        return world

    def falling_ball() -> ds.World:
        world = ds.World()
        world.add(ds.Shape.ball(0.5), ds.pose())
        return world

    for solver in ("soft", "global"):
        snapshot = pile(solver).snapshot()

        def steps() -> None:
            ds.World.from_snapshot(snapshot).step(20)

        yield f"step of a pile, {solver}", least(steps) / 20

    for name, world in [("a pile", pile()), ("one falling ball", falling_ball())]:
        snapshot = world.snapshot()

        def at_once() -> None:
            ds.World.from_snapshot(snapshot).step(1000)

        def one_by_one() -> None:
            world = ds.World.from_snapshot(snapshot)
            for _ in range(1000):
                world.step()

        yield f"step of {name}, step(1000)", least(at_once) / 1000
        yield f"step of {name}, 1,000 times step()", least(one_by_one) / 1000


def main() -> None:
    took = import_time()
    print(f"{took:8.2f} ms  import, beyond NumPy's")
    if "import" in sys.argv[1:]:
        if took > LIMIT:
            sys.exit(f"the import takes {took:.2f} ms, more than {LIMIT} ms; import what is slow where it is needed")
        return
    for name, microseconds in calls():
        print(f"{microseconds:8.3f} µs  {name}", flush=True)


if __name__ == "__main__":
    main()
