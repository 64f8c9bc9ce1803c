"""Content hash and thread key of a mail, from the mail alone."""

import hashlib
import re
from collections.abc import Iterator
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.mail import Attachment, Message
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.policy.alerts.alert import alert_of

UNIT = "\x1f"
FOOTER: Final = 30
"""Most lines of a mailing list's footer."""
FOOTER_FILE: Final = 4_000
"""Most bytes of a footer that comes as a part of its own."""

_RULE: Final = re.compile(r"\s*(?:--|[-_=*~#]{3,}.{0,80})\s*")
_TAG: Final = lazy_pattern(
    lambda: rf"^(?:{word_lists().alternatives('subject.stripped')}\s*:\s*)*\[[^\]]{{1,60}}\]\s*", re.IGNORECASE
)


def content_hash(message: Message) -> str:
    """Hash sender, date, subject, text and attachments, so that every delivery of a mail has the same hash.

    A Message-ID alone would let anyone suppress another person's mail by using its id first.
    """
    parts = (
        message.sender.address if message.sender else "",
        message.date.isoformat() if message.date else "",
        message.subject,
        " ".join(message.text.split()),
        *(a.sha256 for a in message.attachments),
    )
    return hashlib.sha256(UNIT.join(parts).encode(errors="surrogatepass")).hexdigest()


def same_but_for_a_footer(one: Message, other: Message) -> bool:
    """Tell whether two copies of a mail differ only by a mailing list's subject tag and footer.

    Nothing is lost where one of them is dropped: what the other one has more stands below a rule at the end.
    """
    if one.message_id is None or one.sender is None or _envelope(one) != _envelope(other):
        return False
    return _listed(one, other) or _listed(other, one)


def _envelope(mail: Message) -> tuple[object, ...]:
    """Return the fields that no mailing list changes."""
    sender = mail.sender and mail.sender.address
    return mail.message_id, sender, mail.date, mail.in_reply_to, mail.references, _tagless(mail.subject)


def _listed(copy: Message, bare: Message) -> bool:
    """Tell whether the copy is the bare mail with a footer, in its text or as a part of its own."""
    own = {one.sha256 for one in bare.attachments}
    more = [one for one in copy.attachments if one.sha256 not in own]
    whole = len(more) + len(own) == len({one.sha256 for one in copy.attachments}) and all(map(_footer_file, more))
    return whole and bare.text.split() in _without_footers(copy.text)


def _footer_file(file: Attachment) -> bool:
    return file.content_type.startswith("text/") and file.size <= FOOTER_FILE


def _without_footers(text: str) -> Iterator[list[str]]:
    """Yield the words of the text, then of the text above each of its last rules."""
    lines = text.splitlines()
    yield text.split()
    for place in range(max(0, len(lines) - FOOTER), len(lines)):
        if _RULE.fullmatch(lines[place]):
            yield " ".join(lines[:place]).split()


def _tagless(subject: str) -> str:
    """Remove list tag and prefixes: `Re: [ops] Disk` and `[ops] Re: Disk` both become `disk`."""
    bare = re.sub(r"\[[^\]]{1,60}\]", " ", subject) if _TAG.match(subject) else subject
    return " ".join(
        re.sub(r"^\s*(?:(?:re|fwd?|aw|wg|antw|sv|vs)\s*:\s*)+", "", bare.strip(), flags=re.IGNORECASE)
        .casefold()
        .split()
    )


def fingerprint(message: Message) -> str:
    """Return the hash from which the markers of this mail's writes are made; it reveals nothing of the mail."""
    return hashlib.sha256(f"{message.message_id or ''}{UNIT}{content_hash(message)}".encode()).hexdigest()


def thread_key_of(message: Message) -> str:
    """Return the root of the thread as the mail names it, else its own Message-ID or content hash.

    Alerts of one sender about one object are a thread, too: they name none.
    """
    roots = (*message.references[:1], *message.in_reply_to[:1], _alert_key(message), message.message_id or "")
    return next((root for root in roots if root), content_hash(message))


def _alert_key(message: Message) -> str:
    found = alert_of(message)
    if found is None or message.sender is None:
        return ""
    return f"alert:{hashlib.sha256(UNIT.join((message.sender.address, found.key)).encode(errors='replace')).hexdigest()[:32]}"
