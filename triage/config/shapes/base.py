"""Base of the shapes of all sections."""

import re
from typing import Annotated, Any, Final

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


Some = Annotated[str, Field(min_length=1)]
Email = Annotated[str, AfterValidator(_address)]
ProjectKey = Annotated[str, Form(r"^[A-Z][A-Z0-9_]+$", "write the key of a project, in capitals, such as OPS")]
