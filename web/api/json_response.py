"""JSON as the API answers it: control and invisible characters of mails are visible, nothing is cached or guessed."""

import json
from collections.abc import Mapping
from typing import Any, Final

from fastapi.responses import JSONResponse
from starlette.background import BackgroundTask

from triage.domain.text.visible import all_visible

SAFE: Final[Mapping[str, str]] = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "referrer-policy": "no-referrer",
}
"""Headers of every answer: a browser that is led here shows nothing, runs nothing and keeps nothing."""


class VisibleJSON(JSONResponse):
    """An answer of the API."""

    def __init__(
        self,
        content: Any,
        status_code: int = 200,
        headers: Mapping[str, str] | None = None,
        media_type: str | None = None,
        background: BackgroundTask | None = None,
    ) -> None:
        super().__init__(content, status_code, {**SAFE, **(headers or {})}, media_type, background)

    def render(self, content: Any) -> bytes:
        """Return ASCII, so that no lone surrogate of a mail breaks the answer."""
        return json.dumps(all_visible(content), separators=(",", ":")).encode()
