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

from ._contact import CONTACT, FEATURE, FeatureKind, contact_array
from ._drystone import Method, Shape, __version__, contacts, contacts_many, methods
from ._errors import DrystoneError, GeneratorError, InternalError, MethodError, ShapeError, WorldError
from ._pose import pose
from ._shape import MassProperties

__all__ = [
    "CONTACT",
    "FEATURE",
    "DrystoneError",
    "FeatureKind",
    "GeneratorError",
    "InternalError",
    "MassProperties",
    "Method",
    "MethodError",
    "Shape",
    "ShapeError",
    "WorldError",
    "__version__",
    "contact_array",
    "contacts",
    "contacts_many",
    "methods",
    "pose",
]
