"""Patterns of what programs write into a mail's fields: robots' addresses, bounces, complaints, reports."""

import re
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.text.lazy_pattern import lazy_pattern

_any_of: Final = word_lists().alternatives

DAEMONS: Final = lazy_pattern(lambda: _any_of("sender.daemon_patterns"), re.IGNORECASE)
"""Local parts and names of mail servers."""

NO_REPLY: Final = lazy_pattern(
    lambda: (
        rf"(?:^|[._+-]){_any_of('sender.no')}[._-]?{_any_of('sender.reply')}|^{_any_of('sender.unattended')}(?:$|[._+-])"
    ),
    re.IGNORECASE,
)

MACHINES: Final = lazy_pattern(
    lambda: rf"{_any_of('sender.monitors', 'sender.monitor_addresses')}(?:[._+-].*)?", re.IGNORECASE
)
"""Addresses of monitoring programs."""

PROGRAMS: Final = lazy_pattern(lambda: _any_of("sender.mail_programs"), re.IGNORECASE)
"""Programs that people write mail with, as X-Mailer names them."""

LIST_ROBOTS: Final = lazy_pattern(lambda: rf"{_any_of('sender.list_servers')}(?:[._+-].*)?", re.IGNORECASE)
"""Addresses of list servers."""

LIST_ROLES: Final = re.compile(
    r"(?:-(?:admin|owner|request|bounces?|errors?|ctl|help|subscribe|return|confirm)(?:\+[\w.=-]+)?$)|^(?:owner-|listmaster)",
    re.IGNORECASE,
)
"""Addresses that list servers use, but people too; Mailman puts a cookie behind them: `pumps-confirm+6f1ab29c`."""

LIST_SENDER: Final = re.compile(r"(?:^|<|\s)owner-|-(?:owner|bounces?|errors)(?:[+>]|$)", re.IGNORECASE)
"""The Sender address by which a list server marks a mail that it distributes."""

REFUSED_BY_LIST: Final = lazy_pattern(lambda: _any_of("bounce.list_refusal_patterns"), re.IGNORECASE)

CONFIRM: Final = re.compile(r"(?:your confirmation is required .{0,200}|confirm [0-9a-f]{6,64})", re.IGNORECASE)
"""The subject by which list servers ask whether an address wants to join or leave."""

COMPLAINT: Final = re.compile(r"complaint about message from\b", re.IGNORECASE)
COMPLAINANTS: Final = frozenset({"staff@hotmail.com"})
"""Addresses of Microsoft's Junk Mail Reporting Program, which sends complaints in a format of its own."""

DMARC_SUBJECT: Final = re.compile(r"(?:\[preview\]\s*)?report[ -]domain:\s*\S+\s+submitter:", re.IGNORECASE)
DMARC_FILE: Final = re.compile(r"[^!\s]+![^!\s]+!\d{9,11}!\d{9,11}(?:![^.\s]+)?\.(?:xml|xml\.gz|zip|gz)", re.IGNORECASE)
"""File name of an aggregate report (RFC 7489, section 7.2.1.1): receiver, domain, begin, end."""

BOUNCE_SUBJECT: Final = lazy_pattern(lambda: _any_of("bounce.subject_patterns"), re.IGNORECASE)
NOTICE: Final = lazy_pattern(
    lambda: rf"(?:{BOUNCE_SUBJECT.pattern})(?: mail| message| returned| to sender)*\s*(?:[:(\[]|$)", re.IGNORECASE
)
"""A whole subject of a bounce: `Undeliverable: Hello`, `Delivery Status Notification (Failure)`."""

BOUNCE_TEXT: Final = lazy_pattern(lambda: _any_of("bounce.text_patterns"), re.IGNORECASE)
RETURNED: Final = re.compile(r"(?im)^[ \t>]*(?:received|return-path|message-id|mail from|rcpt to)[ \t]*:")
"""Header fields of the returned mail, as bounces copy them into their text."""
