"""Drystone: rigid-body physics whose speciality is the quality of its contact points.

Units are SI: m, kg, s, rad. Frames are right-handed, y is up in scenes. Poses are 4 x 4 matrices from body to world frame
(:func:`pose`). Contact normals point from A to B; gaps are positive apart and negative penetrating. Arrays that are returned
are read-only; ``numpy.array`` copies them.

>>> import drystone as ds
>>> cube = ds.Shape.box((1, 1, 1))
>>> found = ds.contacts(cube, ds.pose(), cube, ds.pose((0.25, 0.99, 0.25)))
>>> found["normal"][0].tolist(), found["gap"].round(3).tolist()
([0.0, 1.0, 0.0], [-0.01, -0.01, -0.01, -0.01])
"""

from typing import TYPE_CHECKING, Any

from ._assess import Assessment, assess
from ._closest import CLOSEST
from ._contact import CONTACT, FEATURE, VERDICT, FeatureKind, contact_array
from ._drystone import (
    ContactPair,
    Event,
    Joint,
    JointState,
    Method,
    Motor,
    RayHit,
    Recording,
    Scene,
    SceneBody,
    Shape,
    StepReport,
    World,
    __version__,
    ccd,
    closest,
    closest_many,
    cone_filter,
    contacts,
    contacts_many,
    methods,
    overlap,
    overlap_many,
    scene_names,
    scenes,
    study_names,
)
from ._errors import (
    DrystoneError,
    GeneratorError,
    InternalError,
    MethodError,
    SceneError,
    ShapeError,
    WorldError,
)
from ._generator import Generator
from ._overlap import OVERLAP, WORLD_OVERLAP
from ._pose import pose
from ._shape import MassProperties
from ._study import Study, study
from ._world import POINT_PROJECTION, RAY_HIT, SHAPE_HIT, WORLD_CONTACT, Energy, Interaction

if TYPE_CHECKING:
    from . import sweep

__all__ = [
    "CLOSEST",
    "CONTACT",
    "FEATURE",
    "OVERLAP",
    "POINT_PROJECTION",
    "RAY_HIT",
    "SHAPE_HIT",
    "VERDICT",
    "WORLD_CONTACT",
    "WORLD_OVERLAP",
    "Assessment",
    "ContactPair",
    "DrystoneError",
    "Energy",
    "Event",
    "FeatureKind",
    "Generator",
    "GeneratorError",
    "Interaction",
    "InternalError",
    "Joint",
    "JointState",
    "MassProperties",
    "Method",
    "MethodError",
    "Motor",
    "RayHit",
    "Recording",
    "Scene",
    "SceneBody",
    "SceneError",
    "Shape",
    "ShapeError",
    "StepReport",
    "Study",
    "World",
    "WorldError",
    "__version__",
    "assess",
    "ccd",
    "closest",
    "closest_many",
    "cone_filter",
    "contact_array",
    "contacts",
    "contacts_many",
    "methods",
    "overlap",
    "overlap_many",
    "pose",
    "scene_names",
    "scenes",
    "study",
    "study_names",
    "sweep",
]


def __getattr__(name: str) -> Any:
    # Imported when it is used: it takes longer than all of the rest.
    if name == "sweep":
        import importlib

        return importlib.import_module("drystone.sweep")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
