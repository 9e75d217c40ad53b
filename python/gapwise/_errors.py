"""What goes wrong, as exceptions; the texts are those of the library. Imports nothing: the
extension needs these classes before anything else is there.
"""


class Error(Exception):
    """Base of everything that gapwise raises on purpose."""


class InputError(Error, ValueError):
    """Examples, a file or a model are not what they should be."""


class OptionError(Error, ValueError):
    """A parameter is unknown, out of range, or contradicts another one."""


class OracleError(Error, RuntimeError):
    """The oracle of a problem of one's own broke its contract."""
