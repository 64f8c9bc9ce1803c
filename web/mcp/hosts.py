"""Keeps pages of other sites away: a browser that was led here by a changed DNS record says so in Host and Origin."""

from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


def host_in(header: str) -> str:
    """Return the host of a Host header or of an address, in lower case and without port; empty if it has none."""
    try:
        return urlsplit(header if "//" in header else f"//{header}").hostname or ""
    except ValueError:
        return ""


def foreign(host: str, origin: str | None, allowed: Collection[str]) -> tuple[int, str] | None:
    """Return status and reason if a request is not meant for us, by its Host and its Origin; None if it is."""
    if host_in(host) not in allowed:
        return 421, "this host name is not ours"
    if origin is not None and host_in(origin) not in allowed:
        return 403, "pages of other sites may not ask"
    return None
