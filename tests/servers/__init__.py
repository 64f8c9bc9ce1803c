"""Real servers, private and on loopback, one file each; a missing one is loud, and in CI it is a failure."""

import os
import shutil
import socket
from pathlib import Path

import pytest


def find_server(binary: str, package: str, *places: str) -> str:
    """The path of a server's binary, else skip with the cure (fail where TRIAGE_NO_SKIP is set)."""
    for place in (shutil.which(binary), *_found(places)):
        if place:
            return place
    message = f"{binary} is not installed: sudo apt-get install -y {package}"
    if os.environ.get("TRIAGE_NO_SKIP"):
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


def _found(places: tuple[str, ...]) -> list[str]:
    """Files that match absolute patterns, the newest version first."""
    return [str(hit) for place in places for hit in sorted(Path("/").glob(place.lstrip("/")), reverse=True)]


def find_browser() -> str:
    """Chromium without a window of its own: to open a page takes a quarter of what the one with windows takes, which does, too."""
    return find_server("chromium-headless-shell", "chromium-headless-shell", "/usr/bin/chromium")


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])
