"""Worlds: what they do, and that any thread may use them at any time."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import signal
import threading
import time
from pathlib import Path

import drystone as ds
import numpy as np
import pytest

CUBE = ds.Shape.box((1, 1, 1))


def floor(world: ds.World) -> int:
    return world.add(ds.Shape.box((20, 1, 20)), ds.pose((0, -0.5, 0)), fixed=True)


def tower(height: int = 4, **settings) -> ds.World:
    world = ds.World(**settings)
    floor(world)
    world.add_many(CUBE, ds.pose([(0.05 * k, 0.5 + 1.001 * k, 0) for k in range(height)]), density=2400)
    return world


def states(world: ds.World) -> bytes:
    arrays = [world.poses, world.velocities, world.angular_velocities, world.contacts]
    return b"".join(array.tobytes() for array in arrays)


def test_a_body_falls_freely() -> None:
    world = ds.World(time_step=0.001, gravity=(0, 0, -2.0))
    body = world.add(CUBE, ds.pose((1, 2, 3)), velocity=(1, 0, 0), angular_velocity=(0, 0, 0.5), density=10.0)
    report = world.step(1000)
    assert (report.step, world.steps) == (1000, 1000) and report.time == pytest.approx(1.0)
    # s = g t²/2, v = g t, up to the error of the step's order.
    assert world.positions[0] == pytest.approx([2, 2, 2], abs=2e-3)
    assert world.velocities[0] == pytest.approx([1, 0, -2])
    assert world.angular_velocities[0] == pytest.approx([0, 0, 0.5])
    assert world.quaternions(order="xyzw")[0] == pytest.approx([0, 0, np.sin(0.25), np.cos(0.25)], abs=1e-6)
    assert world.mass(body) == pytest.approx(10.0) and world.kind(body) == "dynamic"
    kinetic = 0.5 * 10 * (1 + 4) + 0.5 * (10 / 6) * 0.25
    assert world.energy.kinetic == pytest.approx(kinetic)
    assert world.energy.potential == pytest.approx(10 * 2 * world.positions[0, 2])


def test_poses_are_those_of_the_shape_as_given() -> None:
    corner = ds.Shape([[0, 0, 0], [3, 0, 0], [0, 2, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    at = ds.pose((1, 2, 3), xyzw=(0.1, 0.2, 0.3, 0.4))
    world = ds.World(gravity=(0, 0, 0))
    body = world.add(corner, at)
    assert world.poses[0] == pytest.approx(at) and world.pose(body) == pytest.approx(at)
    assert world.centres[0] == pytest.approx(at[:3, :3] @ [0.75, 0.5, 0.25] + at[:3, 3])
    assert world.quaternions(order="wxyz")[0] == pytest.approx(np.roll(world.quaternions(order="xyzw")[0], 1))
    moved = ds.pose((5, 5, 5))
    world.set_pose(body, moved)
    assert world.pose(body) == pytest.approx(moved)
    back = pickle.loads(pickle.dumps(world))
    assert np.array_equal(back.poses, world.poses)
    world.remove(body)
    assert world.poses.shape == (0, 4, 4)


def test_a_tower_stands() -> None:
    world = tower()
    report = world.step(200)
    assert report.contacts == 16 == len(world.contacts) and report.deepest_penetration < 1e-3
    assert np.abs(world.velocities).max() < 1e-3
    contacts = world.contacts
    assert contacts.dtype == ds.WORLD_CONTACT
    ground = contacts["body_a"] == world.bodies[0]
    weight = 4 * 2400 * 9.82 * world.time_step
    assert contacts["impulse"][ground, 0].sum() == pytest.approx(weight, rel=1e-2)
    assert np.allclose(contacts["normal"], [0, 1, 0], atol=1e-3)
    assert len(world.detect()) == 16


def test_arrays_are_snapshots() -> None:
    world = tower()
    before = world.poses
    kept = np.array(before)
    world.step(10)
    assert np.array_equal(before, kept) and not np.array_equal(world.poses, kept)
    for array in [world.poses, world.positions, world.velocities, world.bodies, world.contacts, world.gravity]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize("solver", ["soft", "soft-accurate", "prox-gauss-seidel", "svd", "global"])
@pytest.mark.parametrize("method", ["semi-local", "vclip"])
def test_every_solver_holds_a_tower(solver: str, method: str) -> None:
    world = tower(2, method=method, solver=solver)
    world.step(50)
    assert (world.solver, world.method.name) == (solver, method)
    assert world.positions[2, 1] == pytest.approx(1.5, abs=5e-3)


def test_threads_change_nothing() -> None:
    runs = []
    for threads in [1, 2, 3, 8]:
        world = tower(8, threads=threads)
        for _ in range(5):
            world.step(4)
        runs.append(states(world))
    assert runs == [runs[0]] * 4


def test_bodies_come_and_go() -> None:
    world = ds.World()
    first = floor(world)
    many = world.add_many(CUBE, ds.pose([(0, 2, 0), (3, 2, 0)]))
    assert world.bodies.tolist() == [first, *many.tolist()] and len(world) == 3
    assert first in world and int(many[1]) in world and 12345 not in world
    world.remove(many[0])
    assert world.bodies.tolist() == [first, many[1]] and int(many[0]) not in world
    again = world.add(CUBE, ds.pose((0, 2, 0)))
    assert again != many[0], "numbers are not used again"
    for gone in [int(many[0]), 2**64 - 1]:
        for use in [world.remove, world.pose, world.shape, world.kind, world.mass, world.is_asleep]:
            with pytest.raises(ds.WorldError, match="not in this world"):
                use(gone)
    with pytest.raises(OverflowError):
        world.remove(-1)


def test_forces_push() -> None:
    world = ds.World(gravity=(0, 0, 0))
    body = world.add(CUBE, ds.pose(), density=2.0)
    world.apply_impulse(body, (2, 0, 0))
    assert world.velocities[0] == pytest.approx([1, 0, 0])
    world.apply_force(body, (0, 200, 0))
    world.apply_torque(body, (0, 0, 10))
    world.step()
    assert world.velocities[0] == pytest.approx([1, 1, 0]) and world.angular_velocities[0] == pytest.approx([0, 0, 0.3])
    world.step()
    assert world.velocities[0] == pytest.approx([1, 1, 0]), "forces act for one step"
    world.set_velocity(body, angular_velocity=(0, 0, 0))
    world.set_velocity(body, velocity=(0, 0, 0))
    world.apply_impulse(body, (0, 1, 0), point=world.positions[0] + [0.5, 0, 0])
    assert world.angular_velocities[0] == pytest.approx([0, 0, 0.5 / (2 / 6)])


def test_kinematic_bodies_move_as_told() -> None:
    world = ds.World()
    lift = world.add(ds.Shape.box((4, 0.2, 4)), ds.pose(), kinematic=True)
    load = world.add(CUBE, ds.pose((0, 0.6, 0)))
    for k in range(50):
        world.move_to(lift, ds.pose((0, 0.01 * (k + 1), 0)))
        world.step()
    assert world.pose(lift)[1, 3] == pytest.approx(0.5) and world.pose(load)[1, 3] == pytest.approx(1.1, abs=1e-2)
    with pytest.raises(ds.WorldError, match="kinematic"):
        world.move_to(load, ds.pose())


def test_materials_decide_what_slides() -> None:
    speeds = []
    for friction in [0.0, 1.0]:
        world = ds.World()
        world.add_material("ice", friction=friction)
        assert world.materials == ["default", "ice"]
        world.add(ds.Shape.half_space(), ds.pose(), fixed=True, material="ice")
        world.add(CUBE, ds.pose((0, 0.5, 0)), velocity=(1, 0, 0), material="ice")
        world.step(50)
        speeds.append(world.velocities[1, 0])
    assert speeds == [pytest.approx(1.0, abs=1e-6), pytest.approx(0.0, abs=1e-3)]
    with pytest.raises(ds.WorldError, match='already a material named "ice"'):
        world.add_material("ice")
    with pytest.raises(ds.WorldError, match='no material is named "mud"'):
        world.add(CUBE, ds.pose(), material="mud")
    world.set_interaction("ice", "ice", friction=(0.1, 0.2, 0.0), restitution=0.5)
    for wrong in [{"friction": -1.0}, {"friction": np.nan}, {"friction": 0.1, "restitution": 2.0}]:
        with pytest.raises((ds.WorldError, ValueError)):
            world.set_interaction("ice", "ice", **wrong)


def test_groups_and_exclusions_keep_bodies_from_touching() -> None:
    for way in ["groups", "excluded"]:
        world = ds.World()
        ground = world.add(ds.Shape.half_space(), ds.pose(), fixed=True, groups=(1, 1))
        cube = world.add(CUBE, ds.pose((0, 0.5, 0)), groups=(2, 2) if way == "groups" else (1, 1))
        if way == "excluded":
            world.set_excluded(ground, cube)
        world.step(20)
        assert world.positions[1, 1] < 0.4 and len(world.contacts) == 0


def test_events_tell_what_began_and_ended() -> None:
    world = ds.World()
    ground = floor(world)
    sensor = world.add(ds.Shape.box((4, 0.2, 4)), ds.pose((0, 1.2, 0)), fixed=True, sensor=True)
    cube = world.add(CUBE, ds.pose((0, 2.0, 0)))
    world.set_events(contacts=True, sensors=True, sleeping=True)
    world.step(300)
    told = [(event.kind, event.a, event.b) for event in world.events]
    for expected in [("sensor-entered", sensor, cube), ("contact-started", ground, cube), ("sensor-left", sensor, cube), ("fell-asleep", cube, None)]:
        assert expected in told
    started = next(event for event in world.events if event.kind == "contact-started")
    assert started.normal_impulse > 0 and started.impulse[1] > 0 and 0 < started.step < 100
    assert world.is_asleep(cube)
    world.set_pose(cube, ds.pose((0, 5, 0)))
    world.step()
    assert [event.kind for event in world.events if event.kind == "contact-ended"] == ["contact-ended"]
    world.step()
    assert [event.kind for event in world.events] == []


@pytest.mark.parametrize("threads", [1, 2])
def test_steps_one_by_one_are_those_made_at_once(threads: int) -> None:
    worlds = []
    for _ in range(3):
        world = ds.World(threads=threads)
        floor(world)
        world.add(ds.Shape.ball(0.5), ds.pose((0, 2.0, 0)))
        world.set_events(contacts=True, sleeping=True)
        worlds.append(world)
    at_once, one_by_one, read = worlds
    report = at_once.step(400)
    told = []
    # Short steps keep the GIL, if nobody uses the world between them.
    for _ in range(400):
        last = one_by_one.step()
    for _ in range(400):
        read.step()
        told += read.events
    assert repr(last) == repr(report)
    assert states(one_by_one) == states(at_once) == states(read)
    assert [repr(event) for event in told] == [repr(event) for event in at_once.events]
    assert {"contact-started", "fell-asleep"} <= {event.kind for event in told}
    assert [event.kind for event in one_by_one.events] == []


def test_a_long_step_after_short_ones_lets_other_threads_run() -> None:
    world = ds.World(threads=1)
    floor(world)
    bodies = [world.add(CUBE, ds.pose((1.1 * k - 9.0, 0.5, 0))) for k in range(16)]
    world.step(300)
    for _ in range(20):
        world.step()
    assert world.is_asleep(bodies[0])
    ticks: list[float] = []
    ended = threading.Event()

    def tick() -> None:
        while not ended.wait(0.001):
            ticks.append(time.perf_counter())

    for k, body in enumerate(bodies):
        world.set_pose(body, ds.pose((0.1 * (k % 7), 0.5 + 0.1 * (k % 11), 0.1 * (k % 5))))
    ticker = threading.Thread(target=tick)
    ticker.start()
    while not ticks:
        time.sleep(0.001)
    begin = time.perf_counter()
    world.step()
    end = time.perf_counter()
    ended.set()
    ticker.join()
    # One may come while the step begins, and one while it ends.
    assert sum(begin < at < end for at in ticks) > 2, (end - begin, len(ticks))


def test_rays_find_bodies() -> None:
    world = tower()
    hit = world.cast_ray((0, 10, 0), (0, -3, 0))
    assert hit.body == world.bodies[4] and hit.normal == pytest.approx((0, 1, 0))
    assert hit.distance == pytest.approx(10 - hit.position[1]) and hit.position[1] == pytest.approx(4.003)
    assert world.cast_ray((0, 10, 0), (0, 1, 0)) is None
    assert world.cast_ray((0, 10, 0), (0, -1, 0), max_distance=1) is None
    assert world.cast_ray((0, 10, 0), (0, -1, 0), exclude=[hit.body]).body == world.bodies[3]
    assert world.cast_ray((0, 0.5, 0), (0, 1, 0)).distance == 0
    assert world.cast_ray((0, 0.5, 0), (0, 1, 0), solid=False).distance > 0
    origins = np.column_stack([np.linspace(-2, 2, 101), np.full(101, 10.0), np.zeros(101)])
    hits = world.cast_rays(origins, np.broadcast_to([0, -1, 0], (101, 3)))
    one_by_one = [world.cast_ray(origin, (0, -1, 0)) for origin in origins]
    assert hits.dtype == ds.RAY_HIT
    assert hits["body"].tolist() == [hit.body for hit in one_by_one]
    assert hits["distance"].tolist() == [hit.distance for hit in one_by_one]
    assert np.isinf(world.cast_rays([[0, 50, 0]], [[0, 1, 0]])["distance"]).all()
    with pytest.raises(ds.WorldError, match="ray 1: "):
        world.cast_rays(np.zeros((2, 3)), [[0, 1, 0], [0, 0, 0]])


def test_distances_and_overlaps() -> None:
    world = tower(2, gravity=(0, 0, 0))
    ground, lower, upper = world.bodies.tolist()
    assert world.distance(lower, upper) == pytest.approx(0.001) and world.distance(ground, upper) == pytest.approx(1.001)
    assert world.overlap(ds.Shape.ball(0.5005), ds.pose((0, 0.5, 0))).tolist() == [ground, lower]


def test_copies_go_on_as_the_first_one() -> None:
    world = tower()
    world.step(20)
    others = [copy.copy(world), copy.deepcopy(world), world.copy(), pickle.loads(pickle.dumps(world)), ds.World.from_snapshot(world.snapshot(), threads=2)]
    world.step(30)
    for other in others:
        other.step(30)
        assert states(other) == states(world) and other.time == world.time
    with pytest.raises(ds.WorldError, match="no snapshot"):
        ds.World.from_snapshot(world.snapshot()[:-1])


def run(world: ds.World) -> bytes:
    world.step(20)
    return states(world)


@pytest.mark.parametrize("how", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_worlds_go_to_other_processes(how: str) -> None:
    world = tower(threads=2)
    world.step(5)
    with multiprocessing.get_context(how).Pool(2) as pool:
        results = pool.map_async(run, [world, world]).get(timeout=60)
    world.step(20)
    assert results == [states(world)] * 2


def test_recordings_are_replayed(tmp_path: Path) -> None:
    world = tower()
    path = tmp_path / "tower.dsr"
    world.record(path, scene="tower", note="a test", keyframes=10)
    with pytest.raises(ds.WorldError, match="recorded already"):
        world.record(path)
    middle = b""
    for k in range(30):
        world.apply_force(world.bodies[1], (100, 0, 0))
        world.step()
        if k == 14:
            middle = world.poses.tobytes()
    world.stop_recording()
    with pytest.raises(ds.WorldError, match="not being recorded"):
        world.stop_recording()
    recording = ds.Recording(path)
    assert (recording.first_step, recording.last_step, recording.scene, recording.note) == (1, 30, "tower", "a test")
    recording.verify()
    assert recording.world(15).poses.tobytes() == middle
    last = recording.world(30)
    assert np.array_equal(last.poses, world.poses)
    last.step(10)
    world.step(10)
    assert states(last) == states(world)
    with pytest.raises(ds.WorldError, match="40"):
        recording.world(39)
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / "damaged.dsr").write_bytes(damaged)
    with pytest.raises(ds.WorldError):
        ds.Recording(tmp_path / "damaged.dsr")


def test_joints_hold() -> None:
    world = ds.World()
    arm = ds.Shape.box((1, 0.1, 0.1))
    body = world.add(arm, ds.pose((0.5, 2, 0)), density=100)
    hinge = world.add_joint(ds.Joint.hinge(None, body, point=(0, 2, 0), axis=(0, 0, 1)))
    length = lambda: np.linalg.norm(world.positions[0] - [0, 2, 0])  # noqa: E731
    energy = world.energy.total
    world.step(100)
    assert length() == pytest.approx(0.5, abs=1e-4) and world.energy.total <= energy
    state = world.joint(hinge)
    angle = np.arctan2(*(world.positions[0] - [0, 2, 0])[[1, 0]])
    assert np.cos(state.coordinates[3]) == pytest.approx(np.cos(angle), abs=1e-4)
    assert (state.kind, state.a, state.b) == ("hinge", None, body) and world.joints.tolist() == [hinge]
    world.set_motor(hinge, ds.Motor.velocity(1.0))
    world.step(50)
    assert world.angular_velocities[0] == pytest.approx([0, 0, 1.0], abs=1e-3)
    world.set_motor(hinge, None)
    world.remove_joint(hinge)
    world.step(100)
    assert length() > 1
    with pytest.raises(ds.WorldError, match="joint 0 is not in this world"):
        world.joint(hinge)


@pytest.mark.parametrize(
    "make",
    [
        lambda a, b: ds.Joint.fixed(a, b),
        lambda a, b: ds.Joint.hinge(a, b, point=(0.5, 2, 0), axis=(0, 0, 1)).with_limits(-0.1, 0.1).with_friction(0.1),
        lambda a, b: ds.Joint.slider(a, b, axis=(1, 0, 0)).with_limits(-0.1, 0.1),
        lambda a, b: ds.Joint.ball(a, b, point=(0.5, 2, 0)),
        lambda a, b: ds.Joint.universal(a, b, point=(0.5, 2, 0), axis_a=(1, 0, 0), axis_b=(0, 0, 1)),
        lambda a, b: ds.Joint.cone_twist(a, b, point=(0.5, 2, 0), axis=(1, 0, 0), swing=0.2, twist=(-0.1, 0.1)),
        lambda a, b: ds.Joint.six_dof(a, b, frame=ds.pose((0.5, 2, 0)), limits=[(0, 0)] * 3 + [None, (-0.1, 0.1), (0, 0)]),
        lambda a, b: ds.Joint.distance(a, b, point_a=(0, 0, 0), point_b=(0, 0, 0), limits=(0.9, 1.1)),
        lambda a, b: ds.Joint.rope(a, b, point_a=(0, 0, 0), point_b=(0, 0, 0), length=1.2),
        lambda a, b: ds.Joint.spring(a, b, point_a=(0, 0, 0), point_b=(0, 0, 0), rest=1.0, stiffness=1e5, damping=10),
    ],
)
def test_every_joint_keeps_bodies_together(make) -> None:
    world = ds.World()
    small = ds.Shape.box((0.2, 0.2, 0.2))
    a = world.add(small, ds.pose((0, 2, 0)), fixed=True)
    b = world.add(small, ds.pose((1, 2, 0)))
    joint = world.add_joint(make(a, b).with_collision(True).with_breaking(force=1e9))
    world.step(100)
    assert np.linalg.norm(world.positions[1] - world.positions[0]) < 1.4
    assert np.isfinite(world.joint(joint).force).all() and world.joint(joint).b == b


def test_gears_racks_and_locked_axes() -> None:
    world = ds.World(gravity=(0, 0, 0))
    wheels = [world.add(ds.Shape.cylinder(0.3, 0.1), ds.pose((2 * k, 0, 0))) for k in range(3)]
    first, second = [world.add_joint(ds.Joint.hinge(None, w, point=(2 * k, 0, 0), axis=(0, 1, 0))) for k, w in enumerate(wheels[:2])]
    slider = world.add_joint(ds.Joint.slider(None, wheels[2], axis=(1, 0, 0)))
    world.add_joint(ds.Joint.gear(first, second, -2.0))
    world.add_joint(ds.Joint.rack(first, slider, 0.5))
    world.set_motor(first, ds.Motor.velocity(1.0))
    world.step(50)
    angle = world.joint(first).coordinates[3]
    assert angle == pytest.approx(0.5, abs=1e-2)
    assert world.joint(second).coordinates[3] == pytest.approx(-2 * angle, abs=1e-3)
    assert world.joint(slider).coordinates[0] == pytest.approx(0.5 * angle, abs=1e-3)
    world = ds.World()
    body = world.add(CUBE, ds.pose())
    world.lock_axes(body, linear=(False, True, False))
    world.step(20)
    assert world.positions[0] == pytest.approx([0, 0, 0], abs=1e-9)


def test_wrong_joints_are_refused() -> None:
    world = tower(2)
    ground, a, b = world.bodies.tolist()
    for joint, says in [
        (ds.Joint.fixed(a, a), "twice"),
        (ds.Joint.fixed(None, 99), "not in this world"),
        (ds.Joint.fixed(None, ground), "dynamic"),
        (ds.Joint.rope(a, b, point_a=(0, 0, 0), point_b=(0, 0, 0), length=np.nan), "joint"),
        (ds.Joint.gear(0, 1, 2.0), "joint 0"),
    ]:
        with pytest.raises(ds.WorldError, match=says):
            world.add_joint(joint)
    with pytest.raises(ValueError, match="axis is zero"):
        ds.Joint.hinge(a, b, point=(0, 0, 0), axis=(0, 0, 0))
    world.add_joint(ds.Joint.fixed(a, b))
    stepped = world.copy()
    stepped.step()
    ccd = ds.World(ccd=True)
    a, b = ccd.add_many(CUBE, ds.pose([(0, 0, 0), (0, 3, 0)])).tolist()
    ccd.add_joint(ds.Joint.fixed(a, b))
    with pytest.raises(ds.WorldError, match="soft step"):
        ccd.step()


def test_ccd_stops_a_bullet() -> None:
    stopped = []
    for ccd in [True, {"clearance": 1e-3}]:
        world = ds.World(gravity=(0, 0, 0), solver="prox-gauss-seidel", ccd=ccd)
        world.add(ds.Shape.box((0.01, 4, 4)), ds.pose(), fixed=True)
        world.add(ds.Shape.box((0.02, 0.02, 0.02)), ds.pose((-1, 0, 0)), velocity=(1000, 0, 0))
        world.step(10)
        stopped.append(world.positions[1, 0])
    assert all(place < 0 for place in stopped)
    with pytest.raises(ds.WorldError, match="hat"):
        ds.World(ccd={"hat": 1})


@pytest.mark.parametrize(
    ("settings", "error", "says"),
    [
        ({"solver": "lemke"}, ds.WorldError, "lemke"),
        ({"method": "guess"}, ds.MethodError, "guess"),
        ({"time_step": 0.0}, ds.WorldError, "time step is 0"),
        ({"time_step": np.nan}, ds.WorldError, "time step is NaN"),
        ({"gravity": (0, np.inf, 0)}, ValueError, "gravity"),
        ({"threads": 0}, ValueError, "threads is 0"),
    ],
)
def test_wrong_settings_are_refused(settings, error, says) -> None:
    with pytest.raises(error, match=says):
        ds.World(**settings)


def test_wrong_bodies_are_refused() -> None:
    world = ds.World()
    for error, says, given in [
        (ds.WorldError, "mass|inside|end", {"shape": ds.Shape.half_space()}),
        (ds.WorldError, "density", {"density": -1.0}),
        (ds.WorldError, "density", {"density": np.nan}),
        (ValueError, "velocity", {"velocity": (0, np.nan, 0)}),
        (ValueError, "both true", {"fixed": True, "kinematic": True}),
        (ValueError, "pose has an element", {"pose": np.full((4, 4), np.nan)}),
    ]:
        given = {"shape": CUBE, "pose": ds.pose()} | given
        with pytest.raises(error, match=says):
            world.add(given.pop("shape"), given.pop("pose"), **given)
    assert len(world) == 0
    with pytest.raises(ds.GeneratorError, match="volume-sat takes no ball"):
        ds.World("volume-sat").add(ds.Shape.ball(1.0), ds.pose())
    with pytest.raises(ValueError, match="order"):
        world.quaternions(order="wxzy")
    with pytest.raises(ValueError, match=r"time step is -1"):
        world.time_step = -1


def test_a_step_that_cannot_be_made_leaves_the_world() -> None:
    world = tower()
    world.step(3)
    before = states(world)
    with pytest.raises((ds.WorldError, ValueError), match="finite"):
        world.apply_force(world.bodies[1], (np.nan, 0, 0))
    assert states(world) == before and world.step().step == 4


def test_what_is_refused_changes_nothing() -> None:
    world = ds.World()
    world.add(ds.Shape.box((9, 1, 9)), ds.pose((0, -0.5, 0)), fixed=True)
    cube = world.add(CUBE, ds.pose((0, 0.5, 0)))
    light = world.add(ds.Shape.box((0.1, 0.1, 0.1)), ds.pose((3, 0.049, 0)), density=1)
    joint = world.add_joint(ds.Joint.hinge(None, light, point=(3, 0, 0), axis=(0, 0, 1)))
    world.step(5)
    before = world.snapshot(), world.contacts.tobytes()
    for refused in [
        lambda: world.add_material("default"),
        lambda: world.set_interaction("default", "default", friction=-1.0),
        lambda: world.set_motor(joint, ds.Motor.velocity(float("nan"))),
    ]:
        with pytest.raises(ds.WorldError):
            refused()
        assert (world.snapshot(), world.contacts.tobytes()) == before
    with pytest.raises(ValueError, match="its length must be finite"):
        world.set_velocity(cube, (1e200, 0, 0))
    assert (world.snapshot(), world.contacts.tobytes()) == before
    # A step that fails at its end, when contacts were solved.
    world.set_pose(cube, ds.pose((0, 0.49, 0)))
    world.apply_force(light, (1.7e308, 0, 0))
    with pytest.raises(ds.WorldError, match="not finite"):
        world.step()
    assert world.contacts.tobytes() == before[1]


def test_reading_while_another_thread_steps() -> None:
    world = tower(6, solver="prox-gauss-seidel")
    stepper = threading.Thread(target=lambda: world.step(3000))
    stepper.start()
    seen: list[int] = []
    while stepper.is_alive():
        steps, poses, contacts, copied = world.steps, world.poses, world.contacts, world.copy()
        assert np.isfinite(poses).all() and contacts.dtype == ds.WORLD_CONTACT and copied.steps >= steps
        world.apply_impulse(world.bodies[1], (0, 0, 0))
        seen.append(steps)
    stepper.join()
    assert world.steps == 3000 and seen == sorted(seen) and len(set(seen)) > 3


def test_two_threads_step_one_world() -> None:
    alone = tower(3, threads=2)
    alone.step(200)
    world = tower(3, threads=2)
    steppers = [threading.Thread(target=lambda: [world.step(10) for _ in range(10)]) for _ in range(2)]
    for stepper in steppers:
        stepper.start()
    for stepper in steppers:
        stepper.join(timeout=60)
    assert world.steps == 200 and np.array_equal(world.poses, alone.poses)


def test_a_run_can_be_interrupted() -> None:
    world = tower(6, threads=1)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        world.step(10**9)
    made = world.steps
    assert 0 < made < 10**9 and world.step().step == made + 1
