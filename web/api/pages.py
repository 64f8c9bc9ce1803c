"""Pages of lists: an opaque cursor says where the next one begins."""

import base64
import binascii
from typing import Annotated, Final, Generic, TypeVar

from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from triage.config.shapes.base import Form
from web.api.shapes.parts import Asked

MOST: Final = 200
"""Items of one page."""
T = TypeVar("T")
Cursor = Annotated[str, Form("^[0-9A-Za-z_-]*$", "send `next` of the page before, as it is")]


class PageQuery(Asked):
    """Which page of a list."""

    limit: int = Field(50, ge=1, le=MOST, description="Items of the page.")
    cursor: Cursor = Field("", max_length=200, description="`next` of the page before; empty: the first page.")


class Page(BaseModel, Generic[T]):
    """A part of a list."""

    items: list[T]
    next: str | None = Field(description="Give it as `cursor` to get the next page; null: this is the last one.")


def cursor_of(kind: str, place: str) -> str:
    """Return the cursor of the page after this place in the list `kind`."""
    return base64.urlsafe_b64encode(f"{kind}:{place}".encode()).decode().rstrip("=")


def place_of(kind: str, cursor: str) -> str | None:
    """Return the place that a cursor stands for, None for an empty one. Raises `HTTPException` 400 for one of another list."""
    if not cursor:
        return None
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        named, _, place = base64.b64decode(padded, b"-_", validate=True).decode("ascii").partition(":")
    except (binascii.Error, UnicodeError):
        named, place = "", ""
    if named != kind or not place.isdecimal():
        raise HTTPException(400, "this is no cursor of this list")
    return place
