"""Reads the section `attachments` of `triage.yaml`: which kinds of files tickets get."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from triage.config.shapes.base import Shape

_TYPE: Final = re.compile(r"[a-z0-9.+-]+/(?:\*|[a-z0-9.+-]+)")
_ENDING: Final = re.compile(r"[a-z0-9_-]{1,20}")


def _first_of(kinds: tuple[str, ...], name: str, content_type: str) -> str:
    """Return the first of these kinds that a file is of, by its name's last ending or its declared type."""
    ending, kind = name.rpartition(".")[2].strip().casefold(), content_type.casefold()
    found = (one for one in kinds if one in {ending, kind} or (one.endswith("/*") and kind.startswith(one[:-1])))
    return next(found, "")


def _kind(text: str) -> str:
    kind = text.strip().casefold().removeprefix("*").removeprefix(".")
    if not (_TYPE.fullmatch(kind) or _ENDING.fullmatch(kind)):
        raise ValueError(f"{text!r} is no kind of file: write an ending such as exe, or a type such as video/*")
    return kind


Kinds = Annotated[tuple[Annotated[str, Field(max_length=100), AfterValidator(_kind)], ...], Field(max_length=200)]


class FileKinds(Shape):
    """The section `attachments:`, kinds of files as endings of names (`exe`) and content types (`video/*`), in lower case."""

    never: Kinds = ()
    only: Kinds = ()
    """Empty: all others."""

    def refused(self, name: str, content_type: str) -> str:
        """Say why a file is not attached; empty if it may be."""
        if kind := _first_of(self.never, name, content_type):
            return f"triage.yaml attaches no {kind} (attachments.never)"
        if self.only and not _first_of(self.only, name, content_type):
            return "its kind is none that triage.yaml attaches (attachments.only)"
        return ""
