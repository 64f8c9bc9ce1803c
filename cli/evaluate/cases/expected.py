"""Reads the mails of a folder with what must become of each: `NAME.eml` beside `NAME.yaml`."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import yaml
from pydantic import BeforeValidator, ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from triage.domain.errors import SettingsInvalid
from triage.domain.findings import Disposition
from triage.domain.mail import Received, Trust

NONE: Final = "none"
"""In a file of expectations: the ticket must not have such a value."""


def _listed(value: Any) -> Any:
    return (value,) if isinstance(value, str | date) else value


OneOf = Annotated[tuple[str, ...], BeforeValidator(_listed)]
"""A value, or a list of values of which each is right; empty: not judged."""
ALIASES: Final = {
    "ticket": "ticketed",
    "comment": "commented",
    "person": "waiting",
    "ignore": "ignored",
    **dict.fromkeys(("bug", "feature", "task", "incident", "access", "service_request"), "work"),
    "status_report": "status",
    "notification": "newsletter",
    "phishing": "spam",
    "several_matters": "several",
    **dict.fromkeys(("sales", "job_application", "personal"), "not_for_us"),
}
"""What the table of dispositions in triage.yaml says, and what people call a disposition → the value in reports."""


def _known(value: Any) -> Any:
    return tuple(ALIASES.get(each, each) if isinstance(each, str) else each for each in _listed(value) or ())


Action = Literal["ticketed", "commented", "updated", "answered", "ignored", "waiting", "quarantined"]


@dataclass(frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid"))
class Expected:
    """What must become of a mail. What is absent is not judged; a misspelt name is an error."""

    action: Annotated[tuple[Action, ...], BeforeValidator(_known)]
    disposition: Annotated[tuple[Disposition, ...], BeforeValidator(_known)] = ()
    ticket: OneOf = ()
    """`new`, `none`, `mail:04` (the ticket of the mail whose name begins so) or a key."""
    type: OneOf = ()
    priority: OneOf = ()
    component: OneOf = ()
    """One of these, or `none`."""
    labels: OneOf = ()
    """All of these; a ticket may have more."""
    assignee: OneOf = ()
    """Name, address or id; `none` for nobody."""
    due_date: Annotated[tuple[date | Literal["none"], ...], BeforeValidator(_listed)] = ()
    structure: OneOf = ()
    """Texts that the description must hold, such as its headings."""
    absent: OneOf = ()
    """Texts that the description must not hold, such as a password that the mail quotes."""
    verdict: Literal["verified", "unverified"] | None = None
    """What a mail provider says of the sender; without it the settings and the mail's headers decide."""
    about: str = ""
    why: str = ""


EXPECTED: Final = TypeAdapter(Expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class MailCase:
    """A mail with its right end."""

    name: str
    raw: bytes
    expected: Expected

    def delivery(self, now: datetime) -> Received:
        """Return the mail as a mailbox or provider would hand it over."""
        verdict = Trust(self.expected.verdict) if self.expected.verdict else None
        return Received(source="eval", source_id=self.name, raw=self.raw, at=self.received(now), verdict=verdict)

    def received(self, now: datetime) -> datetime:
        """Return when the mail came, as if at once: a saved mail is judged by its own days. Now if it has no date, or one to come."""
        try:
            sent = parsedate_to_datetime(f"{BytesHeaderParser().parsebytes(self.raw)['date']}")
        except ValueError:
            return now
        return min(sent if sent.tzinfo else sent.replace(tzinfo=UTC), now)


def cases_of(folder: Path) -> tuple[MailCase, ...]:
    """Return the mails of a folder by name. Raises `SettingsInvalid` with every mistake in it."""
    problems: list[str] = []
    found: list[MailCase] = []
    for path in sorted(folder.glob("*.eml")):
        try:
            data = yaml.safe_load(path.with_suffix(".yaml").read_text(encoding="utf-8"))
            found.append(MailCase(name=path.stem, raw=path.read_bytes(), expected=EXPECTED.validate_python(data)))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
            problems.append(f"{path.stem}.yaml: cannot be read ({type(e).__name__}); each NAME.eml needs its NAME.yaml")
        except ValidationError as e:
            problems += [_problem(path.stem, error) for error in e.errors(include_url=False)]
    if not found and not problems:
        problems.append(f"{folder}: there are no mails (NAME.eml beside NAME.yaml) in this folder")
    if problems:
        raise SettingsInvalid(tuple(problems))
    return tuple(found)


def _problem(name: str, error: Mapping[str, Any]) -> str:
    return f"{name}.yaml: {'.'.join(map(str, error['loc'])) or 'all'}: {error['msg']}"
