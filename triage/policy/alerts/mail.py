"""A program's mail as the readers need it: subject, header fields, and lines `Label: value` of the text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from triage.domain.findings import Alert, AlertSeverity, AlertState
from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted

READ: Final = 20_000
"""Characters of the text that are searched."""
LONGEST_OBJECT: Final = 200
_FIELD: Final = re.compile(r"[ \t>*_|-]*([A-Za-z][\w /-]{0,40}?)[ \t*_]*(?::|=|\|)[ \t*_]*(\S.*)?$")
_VALUE: Final = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)?\s?%|(?<![\w.])\d+[.,]\d+(?![\w.])")
"""Measured values in a title, which change from mail to mail: `93 %`, `12.7`."""

_WORDS: Final[Mapping[AlertSeverity, str]] = {
    AlertSeverity.CRITICAL: "critical, crit, disaster, fatal, emergency, page, blocker, highest, p1, sev1, sev-1, down",
    AlertSeverity.HIGH: "high, error, major, urgent, p2, sev2, sev-2, unreachable, unknown",
    AlertSeverity.WARNING: "warning, warn, average, medium, moderate, p3, sev3, sev-3",
    AlertSeverity.INFO: "info, information, informational, notice, debug, low, lowest, minor, trivial, none, not classified, "
    "p4, p5, sev4, sev-4, sev5, sev-5",
}
SEVERITIES: Final = {word: severity for severity, words in _WORDS.items() for word in words.split(", ")}
"""The programs' words, in lower case, and what they come to."""


@dataclass(frozen=True)
class AlertMail:
    """A mail with what the readers look for."""

    message: Message

    @cached_property
    def subject(self) -> str:
        return " ".join(self.message.subject[:1000].split())

    @cached_property
    def text(self) -> str:
        """The whole text, as far as it is read."""
        return str(self.message.text[:READ])

    @cached_property
    def fields(self) -> Mapping[str, str]:
        """Labels in lower case and their values; the first of a name counts. A value may stand in the next line."""
        found: dict[str, str] = {}
        lines = [line.strip() for line in self.text.splitlines()]
        for line, below in zip(lines, [*lines[1:], ""], strict=False):
            if match := _FIELD.match(line[:500]):
                found.setdefault(match[1].strip().lower(), (match[2] or below).strip(" \t*_|"))
        return found

    @property
    def address(self) -> str:
        return self.message.sender.address if self.message.sender else ""

    def header(self, name: str) -> str:
        """Return a header field, empty where there is none."""
        return " ".join(self.message.header(name).split())

    def field(self, *labels: str) -> str:
        """Return the first of these fields of the text that has a value."""
        return next((self.fields[label] for label in labels if self.fields.get(label)), "")

    def sent_by(self, *domains: str) -> bool:
        """Tell whether the sender's domain is one of these or below one."""
        domain = self.address.rpartition("@")[2]
        return any(domain == one or domain.endswith(f".{one}") for one in domains)

    def named(self, name: str) -> bool:
        """Tell whether the sender's address or name has this word."""
        sender = self.message.sender
        return (
            bool(sender)
            and re.search(rf"\b{name}\b", f"{self.address} {sender.name if sender else ''}".lower()) is not None
        )


def severity_of(*words: str) -> AlertSeverity:
    """Return the severity of the first of these words that is known."""
    known = (SEVERITIES.get(word.strip(" !.\"'[](){}").lower()) for word in words)
    return next((one for one in known if one), AlertSeverity.UNKNOWN)


def alert(
    source: str, about: str, state: AlertState, severity: AlertSeverity = AlertSeverity.UNKNOWN, *, key: str = ""
) -> Alert | None:
    """Make an alert about an object; None for an empty one. The key leaves out measured values."""
    shown = " ".join(about.split())[:LONGEST_OBJECT]
    if not shown:
        return None
    same = " ".join(_VALUE.sub("#", (key or shown).lower()).split())
    return Alert(source=source, severity=severity, object=Untrusted(shown), state=state, key=f"{source}:{same}")


def state_of(resolved: object) -> AlertState:
    """Return firing or resolved, by whether the alert is over."""
    return AlertState.RESOLVED if resolved else AlertState.FIRING
