"""Base of the shapes of all sections."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Final, Protocol

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from triage.config.shapes.form import Form

ADDRESS: Final = re.compile(r"[^@\s]+@[^@\s]+")


class Shape(BaseModel):
    """Base that forbids unknown keys, so that a misspelt condition is an error; a shape never changes once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


def _address(value: str) -> str:
    if not ADDRESS.fullmatch(value.strip()):
        raise ValueError(f"{value!r} is no e-mail address")
    return value.strip().lower()


def several(value: Any) -> Any:
    """Take one value for a list of one."""
    return value if isinstance(value, list | tuple) else (value,)


def named_twice(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once, in order."""
    return sorted(name for name, count in Counter(names).items() if count > 1)


class Named(Protocol):
    """An entry of a list that is called by a name."""

    @property
    def name(self) -> str:
        """The name."""


def once(what: str) -> AfterValidator:
    """Return the check that no two entries of a list have one name; `what` they are is told."""

    def checked(entries: tuple[Named, ...]) -> tuple[Named, ...]:
        if twice := named_twice(one.name for one in entries):
            raise ValueError(f"more than one {what} is called {', '.join(twice)}")
        return entries

    return AfterValidator(checked)


Some = Annotated[str, Field(min_length=1)]
Email = Annotated[str, AfterValidator(_address)]
ProjectKey = Annotated[str, Form(r"^[A-Z][A-Z0-9_]+$", "write the key of a project, in capitals, such as OPS")]
