"""The sections `calendars:` and `contacts:` of triage.yaml: where our people are busy, and who writes to us."""

from dataclasses import dataclass
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from triage.config.shapes.base import Shape, keeps_secrets, password_in


@dataclass(frozen=True, slots=True, kw_only=True)
class DavSource:
    """An address to read from, and the login there."""

    name: str
    """As errors call it."""
    url: str
    user: str = ""
    password_file: str = ""
    feed: bool = False
    """The address answers with a whole calendar; else it is a collection that can be asked."""

    def password(self) -> str:
        """Return the password from its file, empty if there is none. Raises `SettingsInvalid`."""
        return password_in(self.password_file, self.name) if self.password_file else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactSources:
    """The directories to look people up in, in this order."""

    csv: str = ""
    """Path of a table of customers; empty: none."""
    carddav: DavSource | None = None


def _address(value: str) -> str:
    if keeps_secrets(value):
        return value
    raise ValueError("is no https:// address; http:// would send password and appointments in clear")


Url = Annotated[str, AfterValidator(_address)]


class CalendarShape(Shape):
    """An entry of `calendars:`."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    caldav: Url = ""
    ics: Url = ""
    user: str = ""
    password_file: str = ""

    @model_validator(mode="after")
    def _one_address(self) -> Self:
        if bool(self.caldav) == bool(self.ics):
            raise ValueError("give `caldav`, or `ics` for a feed, and not both")
        return self

    def frozen(self) -> DavSource:
        return DavSource(
            name=f"calendar {self.name}",
            url=self.caldav or self.ics,
            user=self.user,
            password_file=self.password_file,
            feed=bool(self.ics),
        )


class ContactsShape(Shape):
    """The section `contacts:`."""

    csv: str = ""
    carddav: Url = ""
    user: str = ""
    password_file: str = ""

    def frozen(self) -> ContactSources:
        card = DavSource(name="contacts.carddav", url=self.carddav, user=self.user, password_file=self.password_file)
        return ContactSources(csv=self.csv, carddav=card if self.carddav else None)
