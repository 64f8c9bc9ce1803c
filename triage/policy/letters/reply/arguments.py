"""Gives a tool that prepares an answer its arguments, by the names in its schema."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from triage.domain.conversation import Json
from triage.domain.errors import ToolRefused
from triage.domain.mail import Message

DAYS: Final = 14
"""How far ahead free times are looked for."""


def known_values(mail: Message, now: datetime, wished: Sequence[date] = ()) -> Mapping[str, Json]:
    """Return what can be said of a mail, by the names that tools have for it; free times are looked for from the first wished day on."""
    address = mail.sender.address if mail.sender else ""
    begins = min(wished, default=now.date() + timedelta(days=1))
    first, last = begins.isoformat(), (begins + timedelta(days=DAYS - 1)).isoformat()
    return {
        **dict.fromkeys(("address", "email", "sender"), address),
        **dict.fromkeys(("from", "start", "from_", "start_date", "from_date"), first),
        **dict.fromkeys(("to", "end", "until", "end_date", "to_date"), last),
    }


def arguments_for(tool: str, schema: Mapping[str, Json], values: Mapping[str, Json]) -> dict[str, Json]:
    """Return the arguments of a call; optional ones that nobody knows are left out. Raises `ToolRefused`."""
    required = schema.get("required", ())
    if unknown := [name for name in required if name not in values]:
        raise ToolRefused(f"nothing is known for {', '.join(unknown)} of {tool}")
    return {name: values[name] for name in schema.get("properties", {}) if name in values}
