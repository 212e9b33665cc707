"""Exceptions. All of them are a :class:`DrystoneError`."""


class DrystoneError(Exception):
    """What the package raises beside the errors of Python itself."""


class ShapeError(DrystoneError, ValueError):
    """A shape cannot be made, or a mesh file cannot be read."""


class MethodError(DrystoneError, ValueError):
    """There is no such contact method or setting."""


class GeneratorError(DrystoneError, ValueError):
    """A contact method cannot serve a shape."""


class WorldError(DrystoneError, ValueError):
    """A world cannot do what was asked."""


class SceneError(DrystoneError, ValueError):
    """There is no such scene, a scene file is wrong, or a scene cannot be scored."""


class InternalError(DrystoneError, RuntimeError):
    """A mistake in Drystone itself."""
