"""Style sheets, scripts and pictures: read once, named by their content, kept by browsers for a year."""

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from web.console.headers import SAFE

FOLDER: Final = Path(__file__).parent / "static"
KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
A_YEAR: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One static file: type, content, the packed content, and the digest in its path."""

    name: str
    digest: str
    """First characters of its SHA-256: a changed file has another address."""
    kind: str
    body: bytes
    packed: bytes


class Assets:
    """The files of `static/`, each at a path that changes with its content."""

    def __init__(self) -> None:
        found = (_asset(path) for path in sorted(FOLDER.iterdir()) if path.suffix in KINDS)
        self._by_name = {asset.name: asset for asset in found}

    def address(self, name: str) -> str:
        """Return the path of a file for a page. Raises `KeyError` if there is none: a template is wrong."""
        return f"/static/{self._by_name[name].digest}/{name}"

    async def answer(self, http: Request) -> Response:
        """Answer a request for a file. Raises `HTTPException` 404, for an old address too."""
        asset = self._by_name.get(http.path_params["name"])
        if asset is None or asset.digest != http.path_params["digest"]:
            raise HTTPException(404)
        headers = {**SAFE, "cache-control": A_YEAR, "vary": "accept-encoding"}
        if "gzip" in http.headers.get("accept-encoding", ""):
            return Response(asset.packed, headers={**headers, "content-encoding": "gzip"}, media_type=asset.kind)
        return Response(asset.body, headers=headers, media_type=asset.kind)


def _asset(path: Path) -> Asset:
    body = path.read_bytes()
    return Asset(
        name=path.name,
        digest=hashlib.sha256(body).hexdigest()[:12],
        kind=KINDS[path.suffix],
        body=body,
        packed=gzip.compress(body, mtime=0),
    )
