"""What calls may take: beside the same calls in Rust, continuous collision detection beside ipctk's loop too, steps one by one beside steps at once,
generators in Python, and what a second thread brings.

usage: cargo build --release -p drystone-contact --example timed_calls
       pip install ipctk==1.6.1
       taskset -c 0,1 python python/tests/time_bounds.py target/release/examples/timed_calls

All in turns on one thread, the least of thirty passes, of steps of 300. "Apart" are pairs of cubes that a look at their boxes settles: what they
take is the call itself. Queries are pairs of edges that move little beside their length. One thread beside two is the median of thirty passes in turns, as threads
that share a core with others change their speed: 0 and 1 are to be two cores. Exits with 1 where a bound is exceeded.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import drystone as ds
import numpy as np

PAIRS = 20_000
"""Of each of the two sets, apart and touching."""
QUERIES = 100_000
LOOP = 2_000
"""The first ones, of those that are asked one by one or by Python."""
STEPS = 1_000


def in_rust(program: str, file: Path) -> dict[str, float]:
    """What the program takes for each call, µs."""
    text = subprocess.check_output([program, file], env={**os.environ, "RAYON_NUM_THREADS": "1"}, text=True)
    return {name: float(microseconds) for name, microseconds in map(str.split, text.splitlines())}


def passed(call: Callable[[], object], calls: int) -> float:
    """What one pass takes for each of its calls, µs."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e6 / calls


def least(call: Callable[[], object], calls: int) -> float:
    """The least of three passes."""
    return min(passed(call, calls) for _ in range(3))


class Balls(ds.Generator):
    """Balls of a radius of half a metre."""

    reach = 0.01

    def contacts(self, a, pose_a, b, pose_b):  # type: ignore[no-untyped-def]
        way = pose_b[:3, 3] - pose_a[:3, 3]
        distance = np.linalg.norm(way)
        normal = way / distance
        return ds.contact_array([pose_a[:3, 3] + 0.5 * normal], [normal], [distance - 1])


def pile() -> ds.World:
    cube = ds.Shape.box((1, 1, 1))
    world = ds.World()
    world.add(ds.Shape.half_space(), ds.pose(), fixed=True)
    world.add_many(cube, ds.pose([(x * 0.9 + 0.1 * y, y + 0.5, 0) for y in range(5) for x in range(0, 10 - y, 2)]))
    return world


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = sys.argv[1]
    import ipctk  # type: ignore[import-not-found]

    ipctk.set_num_threads(1)
    ipctk.set_logger_level(ipctk.LoggerLevel.off)
    rng = np.random.default_rng(5)
    apart = rng.uniform(-1, 1, size=(PAIRS, 3)) + [0, 3, 0]
    touching = rng.uniform(-0.7, 0.7, size=(PAIRS, 3))
    touching[:, 1] = rng.uniform(0.97, 0.9999, size=PAIRS)
    start = rng.normal(size=(QUERIES, 4, 3))
    end = start + rng.normal(size=(QUERIES, 4, 3)) * 0.3
    queries = [[*points] for points in np.concatenate([start, end], axis=1)[:LOOP]]
    cube, origin = ds.Shape.box((1, 1, 1)), np.eye(4)
    number = np.zeros(PAIRS, dtype=int)
    still = np.broadcast_to(origin, (PAIRS, 4, 4))
    poses = {"first": ds.pose(apart), "second": ds.pose(touching)}
    few = {name: list(at[:LOOP]) for name, at in poses.items()}
    ball, balls = ds.Shape.ball(0.5), Balls()
    above = ds.pose(touching[:LOOP] * [0.1, 1, 0.1])
    falling = ds.World()
    falling.add(ds.Shape.ball(0.5), ds.pose())
    worlds = {name: world.snapshot() for name, world in [("a pile", pile()), ("one ball", falling)]}
    took: dict[str, float] = {}
    ratios: list[float] = []

    def note(name: str, microseconds: float) -> None:
        took[name] = min(took.get(name, np.inf), microseconds)

    def batch(name: str, threads: int) -> float:
        return passed(lambda: ds.contacts_many([cube], number, still, number, poses[name], threads=threads), PAIRS)

    def one_by_one(name: str) -> None:
        for pose in few[name]:
            ds.contacts(cube, origin, cube, pose)

    def by_python() -> None:
        ds.contacts_many([ball], number[:LOOP], still[:LOOP], number[:LOOP], above, balls, threads=1)

    def loop() -> None:
        for query in queries:
            ipctk.tight_inclusion.edge_edge_ccd(*query, max_iterations=1_000_000)

    def at_once(world: ds.World) -> None:
        world.step(STEPS)

    def single_steps(world: ds.World) -> None:
        for _ in range(STEPS):
            world.step()

    def steps(snapshot: bytes, make: Callable[[ds.World], None]) -> float:
        world = ds.World.from_snapshot(snapshot)
        return passed(lambda: make(world), STEPS)

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "calls")
        counts = np.array([PAIRS, PAIRS, QUERIES], dtype="<u8").tobytes()
        ends = np.concatenate([start, end], axis=1)
        file.write_bytes(counts + b"".join(np.ascontiguousarray(part, dtype="<f8").tobytes() for part in (apart, touching, ends)))
        for _ in range(10):
            for name, microseconds in in_rust(program, file).items():
                note(f"Rust, {name}", microseconds)
            for name in poses:
                note(f"call, {name}", least(lambda: one_by_one(name), LOOP))  # noqa: B023
            for _ in range(3):
                note("batch, first", batch("first", 1))
                one, two = (batch("second", threads) for threads in (1, 2))
                note("batch, second", one)
                ratios.append(one / two)
                for name, snapshot in 10 * [*worlds.items()]:
                    note(f"step(), {name}", steps(snapshot, single_steps))
                    note(f"step({STEPS}), {name}", steps(snapshot, at_once))
            note("generator", least(by_python, LOOP))
            note("ccd", least(lambda: ds.ccd("edge-edge", start, end, threads=1), QUERIES))
            note("few", least(lambda: ds.ccd("edge-edge", start[:LOOP], end[:LOOP], threads=1), LOOP))
            note("ipctk", least(loop, LOOP))

    rust = {name: took[f"Rust, {name}"] for name in ("first", "second", "queries")}
    print(f"in Rust: {rust['first']:.3f} µs a pair apart, {rust['second']:.3f} touching, {rust['queries']:.3f} a query by `solve_all`")
    print(f"a call: {took['call, first']:.3f} µs apart, {took['call, second']:.3f} touching")
    print(f"a pair of a batch: {took['batch, first']:.3f} µs apart, {took['batch, second']:.3f} touching")
    print(f"a query: {took['ccd']:.3f} µs of all, {took['few']:.3f} of the first {LOOP}, {took['ipctk']:.3f} by ipctk's loop with its calls")
    for name in worlds:
        print(f"step() of {name}: {took[f'step(), {name}']:.3f} µs, {took[f'step({STEPS}), {name}']:.3f} of step({STEPS})")
    bounds = [
        ("a call beyond Rust's, µs", took["call, first"] - rust["first"], "≤", 2.5),
        ("a pair of a batch beyond Rust's, µs", took["batch, first"] - rust["first"], "≤", 0.5),
        ("touching pairs, one thread ÷ two", median(ratios), "≥", 1.7),
        ("a query ÷ `solve_all`'s", took["ccd"] / rust["queries"], "≤", 1.2),
        ("ipctk's loop ÷ a query", took["ipctk"] / took["few"], "≥", 30.0),
        ("a pair by a generator in Python, µs", took["generator"], "≤", 50.0),
    ]
    for name in worlds:
        ratio = took[f"step(), {name}"] / took[f"step({STEPS}), {name}"]
        bounds.append((f"{name}: {STEPS} times step() ÷ step({STEPS})", ratio, "≤", 1.15))
    exceeded = False
    for name, value, relation, bound in bounds:
        holds = value <= bound if relation == "≤" else value >= bound
        exceeded |= not holds
        print(f"{value:8.3f}  {name} ({relation} {bound}){'' if holds else ': NO'}")
    sys.exit(exceeded)


if __name__ == "__main__":
    main()
