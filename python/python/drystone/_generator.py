"""Contact methods in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ._drystone import Shape

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Generator:
    """A contact method of your own. It is used wherever a method is: in :func:`contacts`, :class:`World`, :func:`assess` and sweeps.

    Derive from it and write :meth:`contacts`. It is called from several threads, one after the other, if a call has several.
    An exception that it raises comes out of the call that asked for contacts.

    >>> import drystone as ds
    >>> class Balls(ds.Generator):
    ...     reach = 0.01
    ...     def contacts(self, a, pose_a, b, pose_b):
    ...         way = pose_b[:3, 3] - pose_a[:3, 3]
    ...         distance = np.linalg.norm(way)
    ...         if distance > 2 + self.reach:
    ...             return ds.contact_array([], [], [])
    ...         return ds.contact_array([pose_a[:3, 3] + way / 2], [way / distance], [distance - 2])
    >>> ball = ds.Shape.ball(1.0)
    >>> ds.contacts(ball, ds.pose(), ball, ds.pose((0, 1.5, 0)), Balls())["gap"]
    array([-0.5])
    """

    reach: float = 1e-4
    """How far from a shape it may report contacts, m: there are none between shapes that are farther apart. Read when the object is given to
    a call or a world."""

    name: ClassVar[str] = "generator"
    """What it is called in errors and tables: the name of the class, unless it says otherwise."""

    version: ClassVar[str] = ""
    """Which version of its code it is. Sweeps need one: they know results by name, version and the attributes of the object that are plain data and
    whose names do not begin with an underscore. Say another one whenever the code changes."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    def prepare(self, shape: Shape, /) -> None:
        """Looks at a shape before it is used, to derive what it needs, or to refuse it by an exception."""

    def contacts(
        self, a: Shape, pose_a: NDArray[np.float64], b: Shape, pose_b: NDArray[np.float64], /
    ) -> NDArray[np.void]:
        """The contacts of two shapes, in a fixed order.

        Args:
            a: The shape that normals point away from. The same object stands for a shape in all calls, in general.
            pose_a: Its pose, shape (4, 4).
            b: The other shape.
            pose_b: Its pose.

        Returns:
            An array of :data:`CONTACT`, as :func:`contact_array` makes it.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say how it finds contacts; write its method contacts")
