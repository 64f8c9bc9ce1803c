"""What the shapes of all sections share: their base, texts of a form, secrets in files, and hosts that keep a secret."""

import ipaddress
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Protocol
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from triage.domain.errors import SettingsInvalid


@dataclass(frozen=True, slots=True)
class Form:
    """Annotation of a `str`: `Annotated[str, Form("^[A-Z]+$", "write a key in capitals, such as HARB")]`."""

    pattern: str
    cure: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Check the text by the pattern; the schema for programs shows the pattern."""
        del source, handler
        text = core_schema.str_schema(pattern=self.pattern)
        return core_schema.custom_error_schema(text, custom_error_type="form", custom_error_message=self.cure)


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


def this_machine(host: str) -> bool:
    """Tell whether the host is this machine, so that no network carries the traffic."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def keeps_secrets(url: str) -> bool:
    """Tell whether a password sent to this URL cannot be read on the way: https, or http to this machine. Raises `ValueError`."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and this_machine(parts.hostname or ""))


def password_in(file: str, where: str) -> str:
    """Return the content of a `password_file`, without the line's end. Raises `SettingsInvalid` that names the place."""
    try:
        return Path(file).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as e:
        raise SettingsInvalid((f"{where}: cannot read password_file {file}; check path and rights",)) from e
