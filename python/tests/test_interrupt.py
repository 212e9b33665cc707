"""Ctrl-C in the middle of a step that takes seconds."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import drystone as ds
import numpy as np
import pytest

CUBE = ds.Shape.box((1, 1, 1))

PAUSE = 0.3
"""After so long Ctrl-C comes, s."""


WANTED = 2.0
"""A step takes so long at least, s."""


def cubes(side: int, **settings) -> ds.World:
    """Columns of three cubes, which lean against each other."""
    world = ds.World(**settings)
    world.add(ds.Shape.box((4000, 1, 4000)), ds.pose((0, -0.5, 0)), fixed=True)
    x, y, z = np.meshgrid(np.arange(side) * 0.999, np.arange(3) * 0.999 + 0.499, np.arange(side) * 0.999)
    world.add_many(CUBE, ds.pose(np.stack([x, y, z], -1).reshape(-1, 3)), density=1000)
    return world


def long_step(**settings) -> tuple[ds.World, ds.World, float]:
    """As many cubes as it takes, twice: before a step and after it; and how long that took, s."""
    before, after, took = long_step_by(tuple(settings.items()))
    return before.copy(), after, took


@cache
def long_step_by(settings: tuple[tuple[str, object], ...]) -> tuple[ds.World, ds.World, float]:
    """The same for settings that are hashed. Nobody may change these worlds."""
    side, took = 4, 0.0
    while True:
        world = cubes(side, **dict(settings))
        before = world.copy()
        start = time.monotonic()
        world.step()
        took = time.monotonic() - start
        if took >= WANTED:
            return before, world, took
        side = int(side * min(4.0, max(1.2, np.sqrt(1.3 * WANTED / took))))


@contextmanager
def ctrl_c() -> Iterator[None]:
    """Ctrl-C comes a little later."""
    timer = threading.Timer(PAUSE, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@pytest.mark.parametrize("settings", [{}, {"threads": 2}, {"solver": "global"}, {"ccd": True}])
def test_ctrl_c_ends_a_long_step_and_changes_nothing(settings) -> None:
    world, undisturbed, whole = long_step(**settings)
    before = world.snapshot()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        world.step()
    took = time.monotonic() - start
    assert world.steps == 0 and world.snapshot() == before and len(world.contacts) == 0
    # The claim is half a second; tests run on busy machines.
    assert took < PAUSE + 0.5 * (whole - PAUSE), f"{took} s of {whole} s"
    world.step()
    assert world.snapshot() == undisturbed.snapshot()
    assert world.contacts.tobytes() == undisturbed.contacts.tobytes()


def test_a_handler_of_signals_cannot_use_the_world_that_steps() -> None:
    (world, _, _), said = long_step(), []

    def handler(*_) -> None:
        try:
            said.append(world.time)
        except ds.WorldError as error:
            said.append(str(error))

    old = signal.signal(signal.SIGINT, handler)
    try:
        with ctrl_c():
            world.step()
    finally:
        signal.signal(signal.SIGINT, old)
    assert world.steps == 1 and "between steps" in said[0]


def test_the_recording_of_a_step_that_was_interrupted_goes_on(tmp_path) -> None:
    world, _, _ = long_step()
    world.record(tmp_path / "run.drystone")
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        world.step()
    world.step()
    world.stop_recording()
    recording = ds.Recording(tmp_path / "run.drystone")
    recording.verify()
    assert recording.last_step == 1
