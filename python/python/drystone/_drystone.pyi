"""The extension module. Use it by way of :mod:`drystone`. Docs are in the module itself: ``help(drystone.contacts)``."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._generator import Generator
from ._shape import MassProperties
from ._world import Energy, Interaction

__all__ = [
    "ContactPair",
    "Event",
    "Joint",
    "JointState",
    "Method",
    "Motor",
    "RayHit",
    "Recording",
    "Scene",
    "SceneBody",
    "Shape",
    "StepReport",
    "World",
    "__version__",
    "_assess",
    "_panic",
    "_program",
    "_read_jobs",
    "_run_job",
    "_shape_of_bytes",
    "_study",
    "ccd",
    "closest",
    "closest_many",
    "cone_filter",
    "contacts",
    "contacts_many",
    "methods",
    "overlap",
    "overlap_many",
    "scene_names",
    "scenes",
    "study_names",
]

__version__: str

@final
class Method:
    def __new__(cls, name: str, /, *, variant: str = "corrected", **settings: Any) -> Method: ...
    def with_settings(self, **settings: Any) -> Method: ...
    @property
    def name(self) -> str: ...
    @property
    def variant(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def settings(self) -> dict[str, Any]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class Shape:
    def __new__(
        cls, mesh: ArrayLike | str | PathLike[str] | Any, faces: ArrayLike | None = None, /, *, tetrahedra: ArrayLike | None = None
    ) -> Shape: ...
    @staticmethod
    def ball(radius: float) -> Shape: ...
    @staticmethod
    def capsule(radius: float, half_length: float) -> Shape: ...
    @staticmethod
    def cylinder(radius: float, half_height: float) -> Shape: ...
    @staticmethod
    def cone(radius: float, height: float) -> Shape: ...
    @staticmethod
    def ellipsoid(semi_axes: ArrayLike) -> Shape: ...
    @staticmethod
    def half_space() -> Shape: ...
    @staticmethod
    def box(sides: ArrayLike) -> Shape: ...
    @staticmethod
    def rounded_box(half_sides: ArrayLike, radius: float) -> Shape: ...
    @staticmethod
    def convex_hull(points: ArrayLike) -> Shape: ...
    @staticmethod
    def compound(parts: Iterable[tuple[Shape, ArrayLike]]) -> Shape: ...
    @staticmethod
    def height_field(heights: ArrayLike, spacing: tuple[float, float]) -> Shape: ...
    @staticmethod
    def open_mesh(
        mesh: ArrayLike | str | PathLike[str] | Any, faces: ArrayLike | None = None, /, *, two_sided: bool = False
    ) -> Shape: ...
    @property
    def kind(self) -> str: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def faces(self) -> NDArray[np.int64]: ...
    def bounds(self, pose: ArrayLike | None = None, /) -> NDArray[np.float64]: ...
    def mass_properties(self, density: float, /) -> MassProperties: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class World:
    def __new__(
        cls,
        method: str | Method | Generator | None = None,
        *,
        solver: str = "soft",
        time_step: float = 0.01,
        gravity: ArrayLike | None = None,
        ccd: bool | dict[str, float] | None = None,
        threads: int = 1,
    ) -> World: ...
    def step(self, count: int = 1, /) -> StepReport: ...
    @property
    def time(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def time_step(self) -> float: ...
    @time_step.setter
    def time_step(self, value: float) -> None: ...
    @property
    def gravity(self) -> NDArray[np.float64]: ...
    @gravity.setter
    def gravity(self, value: ArrayLike) -> None: ...
    @property
    def solver(self) -> str: ...
    @property
    def method(self) -> Method | Generator: ...
    @property
    def threads(self) -> int: ...
    def snapshot(self) -> bytes: ...
    @staticmethod
    def from_snapshot(snapshot: bytes, /, *, threads: int = 1, generator: Generator | None = None) -> World: ...
    def copy(self) -> World: ...
    def __copy__(self) -> World: ...
    def __deepcopy__(self, _memo: Any) -> World: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def add_material(self, name: str, /, *, friction: float | ArrayLike | None = None, restitution: float = 0.0) -> None: ...
    def set_interaction(self, a: str, b: str, /, *, friction: float | ArrayLike, restitution: float = 0.0) -> None: ...
    @property
    def materials(self) -> list[str]: ...
    def add(
        self,
        shape: Shape,
        pose: ArrayLike,
        /,
        *,
        density: float = 1000.0,
        fixed: bool = False,
        kinematic: bool = False,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        material: str = "default",
        groups: tuple[int, int] | None = None,
        sensor: bool = False,
    ) -> int: ...
    def add_many(
        self,
        shape: Shape,
        poses: ArrayLike,
        /,
        *,
        density: float = 1000.0,
        fixed: bool = False,
        kinematic: bool = False,
        material: str = "default",
        groups: tuple[int, int] | None = None,
        sensor: bool = False,
    ) -> NDArray[np.uint64]: ...
    def remove(self, body: int, /) -> None: ...
    @property
    def bodies(self) -> NDArray[np.uint64]: ...
    def __len__(self) -> int: ...
    def __contains__(self, body: int, /) -> bool: ...
    def shape(self, body: int, /) -> Shape: ...
    def kind(self, body: int, /) -> str: ...
    def mass(self, body: int, /) -> float: ...
    def set_excluded(self, a: int, b: int, excluded: bool = True, /) -> None: ...
    def is_asleep(self, body: int, /) -> bool: ...
    def move_to(self, body: int, pose: ArrayLike, /) -> None: ...
    @property
    def poses(self) -> NDArray[np.float64]: ...
    @property
    def positions(self) -> NDArray[np.float64]: ...
    def quaternions(self, *, order: Literal["xyzw", "wxyz"]) -> NDArray[np.float64]: ...
    @property
    def centres(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    @property
    def angular_velocities(self) -> NDArray[np.float64]: ...
    @property
    def energy(self) -> Energy: ...
    def pose(self, body: int, /) -> NDArray[np.float64]: ...
    def set_pose(self, body: int, pose: ArrayLike, /) -> None: ...
    def set_velocity(
        self, body: int, velocity: ArrayLike | None = None, angular_velocity: ArrayLike | None = None
    ) -> None: ...
    def apply_force(self, body: int, force: ArrayLike, point: ArrayLike | None = None) -> None: ...
    def apply_torque(self, body: int, torque: ArrayLike) -> None: ...
    def apply_impulse(self, body: int, impulse: ArrayLike, point: ArrayLike | None = None) -> None: ...
    @property
    def contacts(self) -> NDArray[np.void]: ...
    def detect(self) -> NDArray[np.void]: ...
    def set_events(
        self,
        *,
        contacts: bool = False,
        persisted: bool = False,
        sensors: bool = False,
        sleeping: bool = False,
        joints: bool = False,
    ) -> None: ...
    @property
    def events(self) -> list[Event]: ...
    def set_contact_hooks(
        self,
        *,
        collides: Callable[[ContactPair], object] | None = None,
        interaction: Callable[[ContactPair, Interaction], Interaction | None] | None = None,
    ) -> None: ...
    def cast_ray(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        /,
        *,
        max_distance: float = ...,
        solid: bool = True,
        groups: tuple[int, int] | None = None,
        sensors: bool = False,
        exclude: Sequence[int] = ...,
    ) -> RayHit | None: ...
    def cast_rays(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        /,
        *,
        max_distance: float = ...,
        solid: bool = True,
        groups: tuple[int, int] | None = None,
        sensors: bool = False,
        exclude: Sequence[int] = ...,
    ) -> NDArray[np.void]: ...
    def cast_ray_all(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        /,
        *,
        max_distance: float = ...,
        solid: bool = True,
        groups: tuple[int, int] | None = None,
        sensors: bool = False,
        exclude: Sequence[int] = ...,
    ) -> NDArray[np.void]: ...
    def project_point(
        self,
        point: ArrayLike,
        /,
        *,
        max_distance: float = ...,
        groups: tuple[int, int] | None = None,
        sensors: bool = False,
        exclude: Sequence[int] = ...,
    ) -> np.void: ...
    def project_points(
        self,
        points: ArrayLike,
        /,
        *,
        max_distance: float = ...,
        groups: tuple[int, int] | None = None,
        sensors: bool = False,
        exclude: Sequence[int] = ...,
    ) -> NDArray[np.void]: ...
    def bodies_at(
        self,
        point: ArrayLike,
        /,
        *,
        groups: tuple[int, int] | None = None,
        sensors: bool = False,
        exclude: Sequence[int] = ...,
    ) -> NDArray[np.uint64]: ...
    def cast_shape(
        self,
        shape: Shape,
        pose: ArrayLike,
        translation: ArrayLike,
        rotation: ArrayLike | None = None,
        /,
        *,
        tolerance: float = 1e-4,
        groups: tuple[int, int] | None = None,
        sensors: bool = False,
        exclude: Sequence[int] = ...,
    ) -> np.void: ...
    def cast_shapes(
        self,
        shape: Shape,
        poses: ArrayLike,
        translations: ArrayLike,
        rotations: ArrayLike | None = None,
        /,
        *,
        tolerance: float = 1e-4,
        groups: tuple[int, int] | None = None,
        sensors: bool = False,
        exclude: Sequence[int] = ...,
    ) -> NDArray[np.void]: ...
    def distance(self, a: int, b: int, /) -> float: ...
    def closest_points(self, a: int, b: int, /, *, max_distance: float = ...) -> np.void: ...
    def closest_points_many(
        self, a: NDArray[np.uint64], b: NDArray[np.uint64], /, *, max_distance: float = ...
    ) -> NDArray[np.void]: ...
    def overlap(
        self,
        shape: Shape,
        pose: ArrayLike,
        /,
        *,
        groups: tuple[int, int] | None = None,
        sensors: bool = False,
        exclude: Sequence[int] = ...,
    ) -> NDArray[np.uint64]: ...
    def overlaps(self) -> NDArray[np.void]: ...
    def overlap_box(
        self,
        low: ArrayLike,
        high: ArrayLike,
        /,
        *,
        groups: tuple[int, int] | None = None,
        sensors: bool = False,
        exclude: Sequence[int] = ...,
    ) -> NDArray[np.uint64]: ...
    def add_joint(self, joint: Joint, /) -> int: ...
    def remove_joint(self, joint: int, /) -> None: ...
    @property
    def joints(self) -> NDArray[np.uint64]: ...
    def joint(self, joint: int, /) -> JointState: ...
    def set_motor(self, joint: int, motor: Motor | None, /) -> None: ...
    def set_limits(self, joint: int, lower: float, upper: float, /) -> None: ...
    def lock_axes(
        self, body: int, *, linear: Sequence[bool] = ..., angular: Sequence[bool] = ...
    ) -> None: ...
    def record(
        self, path: str | PathLike[str], /, *, scene: str = "", note: str = "", keyframes: int = 100
    ) -> None: ...
    def stop_recording(self) -> None: ...

@final
class StepReport:
    @property
    def step(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def contacts(self) -> int: ...
    @property
    def pairs(self) -> int: ...
    @property
    def islands(self) -> int: ...
    @property
    def iterations(self) -> int: ...
    @property
    def residual(self) -> float: ...
    @property
    def natural_residual(self) -> float: ...
    @property
    def deepest_penetration(self) -> float: ...
    @property
    def asleep(self) -> int: ...

@final
class Event:
    @property
    def kind(self) -> str: ...
    @property
    def step(self) -> int: ...
    @property
    def a(self) -> int | None: ...
    @property
    def b(self) -> int | None: ...
    @property
    def joint(self) -> int | None: ...
    @property
    def impulse(self) -> tuple[float, float, float] | None: ...
    @property
    def normal_impulse(self) -> float | None: ...

@final
class ContactPair:
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def centres(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]: ...
    @property
    def velocities(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]: ...
    @property
    def angular_velocities(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]: ...

@final
class RayHit:
    @property
    def body(self) -> int: ...
    @property
    def distance(self) -> float: ...
    @property
    def position(self) -> tuple[float, float, float]: ...
    @property
    def normal(self) -> tuple[float, float, float]: ...

@final
class Motor:
    @staticmethod
    def velocity(target: float, *, max_force: float = ...) -> Motor: ...
    @staticmethod
    def position(target: float, *, stiffness: float, damping: float, max_force: float = ...) -> Motor: ...
    @staticmethod
    def spring(rest: float, *, stiffness: float, damping: float = 0.0) -> Motor: ...

@final
class Joint:
    @staticmethod
    def fixed(a: int | None, b: int) -> Joint: ...
    @staticmethod
    def hinge(a: int | None, b: int, *, point: ArrayLike, axis: ArrayLike) -> Joint: ...
    @staticmethod
    def slider(a: int | None, b: int, *, axis: ArrayLike) -> Joint: ...
    @staticmethod
    def ball(a: int | None, b: int, *, point: ArrayLike) -> Joint: ...
    @staticmethod
    def universal(
        a: int | None, b: int, *, point: ArrayLike, axis_a: ArrayLike, axis_b: ArrayLike
    ) -> Joint: ...
    @staticmethod
    def cone_twist(
        a: int | None, b: int, *, point: ArrayLike, axis: ArrayLike, swing: float, twist: tuple[float, float]
    ) -> Joint: ...
    @staticmethod
    def six_dof(
        a: int | None, b: int, *, frame: ArrayLike, limits: Sequence[tuple[float, float] | None]
    ) -> Joint: ...
    @staticmethod
    def distance(
        a: int | None, b: int, *, point_a: ArrayLike, point_b: ArrayLike, limits: tuple[float, float]
    ) -> Joint: ...
    @staticmethod
    def rope(a: int | None, b: int, *, point_a: ArrayLike, point_b: ArrayLike, length: float) -> Joint: ...
    @staticmethod
    def spring(
        a: int | None,
        b: int,
        *,
        point_a: ArrayLike,
        point_b: ArrayLike,
        rest: float,
        stiffness: float,
        damping: float = 0.0,
    ) -> Joint: ...
    @staticmethod
    def gear(first: int, second: int, ratio: float) -> Joint: ...
    @staticmethod
    def rack(hinge: int, slider: int, ratio: float) -> Joint: ...
    def with_motor(self, motor: Motor) -> Joint: ...
    def with_limits(self, lower: float, upper: float) -> Joint: ...
    def with_friction(self, friction: float) -> Joint: ...
    def with_breaking(self, *, force: float | None = None, torque: float | None = None) -> Joint: ...
    def with_collision(self, collides: bool) -> Joint: ...

@final
class JointState:
    @property
    def kind(self) -> str: ...
    @property
    def a(self) -> int | None: ...
    @property
    def b(self) -> int | None: ...
    @property
    def coordinates(self) -> NDArray[np.float64]: ...
    @property
    def force(self) -> NDArray[np.float64]: ...
    @property
    def torque(self) -> NDArray[np.float64]: ...

@final
class Recording:
    def __new__(cls, path: str | PathLike[str], /, *, generator: Generator | None = None) -> Recording: ...
    @property
    def first_step(self) -> int: ...
    @property
    def last_step(self) -> int: ...
    @property
    def scene(self) -> str: ...
    @property
    def note(self) -> str: ...
    def world(self, step: int, /, *, threads: int = 1) -> World: ...
    def verify(self) -> None: ...

def methods() -> list[Method]: ...

def cone_filter(
    a: Shape,
    pose_a: ArrayLike,
    b: Shape,
    pose_b: ArrayLike,
    contacts: NDArray[np.void],
    /,
    method: str | Method | Generator | None = None,
    *,
    near: float | None = None,
    depth: float | None = None,
    cone: float | None = None,
    same: float | None = None,
    sides: str = "both",
) -> NDArray[np.void]: ...
def contacts(
    a: Shape, pose_a: ArrayLike, b: Shape, pose_b: ArrayLike, /, method: str | Method | Generator | None = None
) -> NDArray[np.void]: ...

def contacts_many(
    shapes: Sequence[Shape],
    a: ArrayLike,
    poses_a: ArrayLike,
    b: ArrayLike,
    poses_b: ArrayLike,
    /,
    method: str | Method | Generator | None = None,
    *,
    threads: int | None = None,
) -> tuple[NDArray[np.void], NDArray[np.int64]]: ...

def ccd(
    kind: Literal["vertex-face", "edge-edge"],
    start: ArrayLike,
    end: ArrayLike,
    /,
    *,
    method: Literal["inclusion", "exact"] = "inclusion",
    tolerance: float = 1e-6,
    checks: int = 1_000_000,
    t_max: float = 1.0,
    separation: float = 0.0,
    metric: Literal["chebyshev", "euclidean"] = "chebyshev",
    exact_after: int | None = None,
    threads: int | None = None,
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64]]: ...
def closest(
    a: Shape, pose_a: ArrayLike, b: Shape, pose_b: ArrayLike, /, *, max_distance: float = ...
) -> np.void: ...
def closest_many(
    shapes: Sequence[Shape],
    a: ArrayLike,
    poses_a: ArrayLike,
    b: ArrayLike,
    poses_b: ArrayLike,
    /,
    *,
    max_distance: float = ...,
    threads: int | None = None,
) -> NDArray[np.void]: ...
def overlap(a: Shape, pose_a: ArrayLike, b: Shape, pose_b: ArrayLike, /) -> np.void: ...
def overlap_many(
    shapes: Sequence[Shape],
    a: ArrayLike,
    poses_a: ArrayLike,
    b: ArrayLike,
    poses_b: ArrayLike,
    /,
    *,
    threads: int | None = None,
) -> NDArray[np.void]: ...
@final
class Scene:
    def __new__(
        cls,
        name: str | PathLike[str],
        /,
        *,
        model: Literal["procedural", "recorded"] | None = None,
        size: float | None = None,
        time_step: float | None = None,
        perturb: float | None = None,
        seed: int = 0,
        refine: int = 0,
        solver: str = "prox-gauss-seidel",
        allow_programs: bool = False,
    ) -> Scene: ...
    @staticmethod
    def from_toml(text: str, /, *, folder: str | PathLike[str] = ..., allow_programs: bool = False) -> Scene: ...
    def to_toml(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def time_step(self) -> float: ...
    @property
    def scored_step(self) -> int: ...
    @property
    def bodies(self) -> list[SceneBody]: ...
    def contacts(
        self, method: str | Method | Generator | None = None, /, *, step: int | None = None
    ) -> NDArray[np.void]: ...
    def world(self, method: str | Method | Generator | None = None, /, *, threads: int = 1) -> World: ...

@final
class SceneBody:
    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> Shape: ...
    @property
    def pose(self) -> NDArray[np.float64]: ...
    @property
    def velocity(self) -> NDArray[np.float64]: ...
    @property
    def angular_velocity(self) -> NDArray[np.float64]: ...
    @property
    def fixed(self) -> bool: ...
    @property
    def mass(self) -> float: ...

def scene_names() -> list[str]: ...
def scenes() -> list[Scene]: ...
def _assess(
    scenes: Sequence[Scene],
    methods: Sequence[str | Method | Generator],
    truth: str | None,
    step: int | None,
    tolerance: float,
    filter: str | None,
    threads: int | None,
) -> str: ...
def study_names() -> list[str]: ...
def _study(
    name: str,
    methods: Sequence[str | Method | Generator],
    variant: str,
    steps: int | None,
    solver: str,
    seed: int | None,
    threads: int | None,
    advance: Callable[[int], None],
) -> str: ...
def _program() -> str: ...
def _read_jobs(
    texts: Sequence[str], generators: Sequence[tuple[Generator, str]]
) -> list[tuple[str, str, str | None]]: ...
def _run_job(
    text: str, checkpoints: str | PathLike[str] | None, every: int, generator: tuple[Generator, str] | None
) -> tuple[str, str]: ...
def _panic(threads: int) -> None: ...
def _shape_of_bytes(bytes: bytes) -> Shape: ...
