"""Reads the address of a Jira as people copy it from a browser."""

import re
from typing import Final
from urllib.parse import urlsplit

CLOUD: Final = (".atlassian.net", ".jira.com", ".jira-dev.com")
GATEWAY: Final = "api.atlassian.com"
"""Where tokens with scopes work; its addresses have a path that counts."""
MOST: Final = 4
LOOPBACK: Final = re.compile(r"localhost|127(?:\.\d{1,3}){3}|\[::1\]")
_PROJECT: Final = re.compile(r"/(?:projects|browse)/([A-Z][A-Z0-9_]+)")


def sites_of(text: str) -> tuple[str, ...]:
    """Return the base addresses that may be meant, the likeliest first; none if it is no address.

    Of a path the whole is tried first, then what is above: Data Center may stand below one (`/jira`).
    """
    scheme, _, rest = text.strip().rpartition("://")
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ()
    plain = re.fullmatch(r"[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\]", parts.netloc.removesuffix(f":{port}" if port else ""))
    if not host or not plain or scheme.lower() not in {"", "http", "https"}:
        return ()
    schemes = _schemes(scheme.lower(), on_this_machine=bool(LOOPBACK.fullmatch(host)))
    return tuple(f"{each}://{parts.netloc}{path}" for path in _paths(host, parts.path) for each in schemes)


def _schemes(named: str, *, on_this_machine: bool) -> tuple[str, ...]:
    if on_this_machine and named:
        return (named,)
    return ("https", "http") if on_this_machine or named == "http" else ("https",)


def project_in(text: str) -> str:
    """Return the project that an address shows; empty if it shows none."""
    found = _PROJECT.search(text)
    return found.group(1) if found else ""


def is_cloud(site: str) -> bool:
    """Tell whether the address alone says Cloud."""
    host = urlsplit(site).hostname or ""
    return host == GATEWAY or host.endswith(CLOUD)


def _paths(host: str, path: str) -> tuple[str, ...]:
    """Return the paths below which Jira may stand, the longest first."""
    words = [word for word in path.split("/") if word]
    if host == GATEWAY:
        return ("/" + "/".join(words),)
    if host.endswith(CLOUD):
        return ("",)
    kept = words[: MOST - 1]
    return tuple("".join(f"/{word}" for word in kept[:count]) for count in range(len(kept), -1, -1))
