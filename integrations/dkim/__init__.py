"""DKIM check in an isolated child process; needs the extra `dkim`."""

from importlib.util import find_spec

NEEDED = ("dkim", "dns")


def missing() -> tuple[str, ...]:
    """Return the packages of the extra that are not installed."""
    return tuple(name for name in NEEDED if find_spec(name) is None)
