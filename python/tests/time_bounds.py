"""What calls may take: beside the same calls in Rust, continuous collision detection beside ipctk's loop too, steps one by one beside steps at once,
generators in Python, and what a second thread brings.

usage: cargo build --release -p drystone-contact --example timed_calls
       pip install ipctk==1.6.1
       taskset -c 0,1 python python/tests/time_bounds.py target/release/examples/timed_calls

All in turns on one thread, the least of three passes, ten times over. "Apart" are pairs of cubes that a look at their boxes settles: what they
take is the call itself. Queries are pairs of edges that move little beside their length. One thread beside two is the median of thirty passes in
turns, as threads that share a core with others change their speed; what two programs at once do is measured too. Exits with 1 where a bound is exceeded.
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
"""Queries of ipctk's loop."""


STEPS = 1000


def at_once(program: str, file: Path, count: int) -> dict[str, float]:
    """What so many programs at once take for each call in the mean, µs."""
    start = lambda: subprocess.Popen([program, file], env={**os.environ, "RAYON_NUM_THREADS": "1"}, text=True, stdout=subprocess.PIPE)  # noqa: E731
    texts = [running.communicate()[0] for running in [start() for _ in range(count)]]
    took: dict[str, float] = {}
    for line in "".join(texts).splitlines():
        name, microseconds = line.split()
        took[name] = took.get(name, 0.0) + float(microseconds) / count
    return took


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
    program = sys.argv[1]
    import ipctk  # type: ignore[import-not-found]

    ipctk.set_num_threads(1)
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
    took: dict[str, float] = {}
    ratios: dict[str, list[float]] = {}

    def note(name: str, microseconds: float) -> None:
        took[name] = min(took.get(name, np.inf), microseconds)

    def batch(threads: int) -> None:
        ds.contacts_many([cube], number, still, number, at, threads=threads)

    def one_by_one(at: np.ndarray) -> None:
        for pose in at:
            ds.contacts(cube, origin, cube, pose)

    def loop() -> None:
        for query in queries:
            ipctk.tight_inclusion.edge_edge_ccd(*query, max_iterations=1_000_000)

    falling = ds.World()
    falling.add(ds.Shape.ball(0.5), ds.pose())
    worlds = {name: world.snapshot() for name, world in [("a pile", pile()), ("one ball", falling)]}

    def steps(snapshot: bytes, count: int) -> None:
        world = ds.World.from_snapshot(snapshot)
        for _ in range(STEPS // count):
            world.step(count)

    ball, balls = ds.Shape.ball(0.5), Balls()
    above = ds.pose(touching * [0.1, 1, 0.1])[:LOOP]

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "calls")
        counts = np.array([PAIRS, PAIRS, QUERIES], dtype="<u8").tobytes()
        ends = np.concatenate([start, end], axis=1)
        file.write_bytes(counts + b"".join(np.ascontiguousarray(part, dtype="<f8").tobytes() for part in (apart, touching, ends)))
        for _ in range(10):
            for count in (1, 2):
                for name, microseconds in at_once(program, file, count).items():
                    note(f"Rust {count}, {name}", microseconds)
            for name, at in poses.items():
                few = list(at[:LOOP])
                note(f"call, {name}", least(lambda: one_by_one(few), LOOP))
                for _ in range(3):
                    one, two = (passed(lambda: batch(threads), PAIRS) for threads in (1, 2))  # noqa: B023
                    note(f"batch, {name}", one)
                    ratios.setdefault(name, []).append(one / two)
            many = lambda: ds.contacts_many([ball], number[:LOOP], still[:LOOP], number[:LOOP], above, balls, threads=1)  # noqa: E731
            note("generator", least(many, LOOP))
            for name, snapshot in worlds.items():
                for count in (1, STEPS):
                    note(f"steps {count}, {name}", least(lambda: steps(snapshot, count), STEPS))
            note("ccd", least(lambda: ds.ccd("edge-edge", start, end, threads=1), QUERIES))
            note("ipctk", least(loop, LOOP))

    rust = {name: took[f"Rust 1, {name}"] for name in ("first", "second", "queries")}
    print(f"in Rust: {rust['first']:.3f} µs a pair apart, {rust['second']:.3f} touching, {rust['queries']:.3f} a query by `solve_all`")
    print(f"a call: {took['call, first']:.3f} µs apart, {took['call, second']:.3f} touching")
    print(f"a pair of a batch: {took['batch, first']:.3f} µs apart, {took['batch, second']:.3f} touching")
    print(f"ipctk's loop: {took['ipctk']:.3f} µs a query")
    print(f"two programs in Rust at once do {2 * rust['second'] / took['Rust 2, second']:.2f} times what one does, touching pairs")
    bounds = [
        ("a call beyond Rust's, µs", took["call, first"] - rust["first"], "≤", 2.5),
        ("a pair of a batch beyond Rust's, µs", took["batch, first"] - rust["first"], "≤", 0.5),
        ("touching pairs, one thread ÷ two", median(ratios["second"]), "≥", 1.7),
        ("a query ÷ `solve_all`'s", took["ccd"] / rust["queries"], "≤", 1.2),
        ("ipctk's loop ÷ a query", took["ipctk"] / took["ccd"], "≥", 30.0),
        ("a pair by a generator in Python, µs", took["generator"], "≤", 50.0),
    ]
    for name in worlds:
        ratio = took[f"steps 1, {name}"] / took[f"steps {STEPS}, {name}"]
        bounds.append((f"{name}: {STEPS} times step() ÷ step({STEPS})", ratio, "≤", 1.15))
    exceeded = False
    for name, value, relation, bound in bounds:
        holds = value <= bound if relation == "≤" else value >= bound
        exceeded |= not holds
        print(f"{value:8.3f}  {name} ({relation} {bound}){'' if holds else ': NO'}")
    sys.exit(exceeded)


if __name__ == "__main__":
    main()
