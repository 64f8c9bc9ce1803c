"""Patterns of what programs write into a mail's fields: robots' addresses, bounces, complaints, reports."""

import re
from typing import Final

from triage.config.word_lists import word_lists

_any_of: Final = word_lists().alternatives

DAEMONS: Final = re.compile(_any_of("sender.daemon_patterns"), re.IGNORECASE)
"""Local parts that no person has, and the names of senders without an address."""

NO_REPLY: Final = re.compile(
    rf"(?:^|[._+-]){_any_of('sender.no')}[._-]?{_any_of('sender.reply')}|^{_any_of('sender.unattended')}(?:$|[._+-])",
    re.IGNORECASE,
)

MACHINES: Final = re.compile(rf"{_any_of('sender.monitors')}(?:[._+-].*)?", re.IGNORECASE)
"""Programs that write when something happens."""

PROGRAMS: Final = re.compile(_any_of("sender.mail_programs"), re.IGNORECASE)
"""Mail programs that people write with, as they name themselves in X-Mailer."""

LIST_ROBOTS: Final = re.compile(rf"{_any_of('sender.list_servers')}(?:[._+-].*)?", re.IGNORECASE)
"""List servers."""

LIST_ROLES: Final = re.compile(
    r"(?:-(?:admin|owner|request|bounces?|errors?|ctl|help|subscribe|return)$)|^(?:owner-|listmaster)", re.IGNORECASE
)
"""Addresses that list servers write from, and people too."""

LIST_SENDER: Final = re.compile(r"(?:^|<|\s)owner-|-(?:owner|bounces?|errors)(?:[+>]|$)", re.IGNORECASE)
"""The address in a Sender field by which list servers mark what they pass on."""

REFUSED_BY_LIST: Final = re.compile(_any_of("bounce.list_refusal_patterns"), re.IGNORECASE)

COMPLAINT: Final = re.compile(r"complaint about message from\b", re.IGNORECASE)
COMPLAINANTS: Final = frozenset({"staff@hotmail.com"})
"""Providers that report complaints in a format of their own (Microsoft's Junk Mail Reporting Program)."""

DMARC_SUBJECT: Final = re.compile(r"(?:\[preview\]\s*)?report[ -]domain:\s*\S+\s+submitter:", re.IGNORECASE)
DMARC_FILE: Final = re.compile(r"[^!\s]+![^!\s]+!\d{9,11}!\d{9,11}(?:![^.\s]+)?\.(?:xml|xml\.gz|zip|gz)", re.IGNORECASE)
"""RFC 7489, 7.2.1.1: who reports, about whom, from when to when."""

BOUNCE_SUBJECT: Final = re.compile(_any_of("bounce.subject_patterns"), re.IGNORECASE)
NOTICE: Final = re.compile(
    rf"(?:{BOUNCE_SUBJECT.pattern})(?: mail| message| returned| to sender)*\s*(?:[:(\[]|$)", re.IGNORECASE
)
"""A subject as notices have it: `Undeliverable: Hello`, `Delivery Status Notification (Failure)`."""

BOUNCE_TEXT: Final = re.compile(_any_of("bounce.text_patterns"), re.IGNORECASE)
RETURNED: Final = re.compile(r"(?im)^[ \t>]*(?:received|return-path|message-id|mail from|rcpt to)[ \t]*:")
"""Fields of the returned mail as they are copied into the text of a notice."""
