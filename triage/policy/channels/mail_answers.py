"""Reads an approver's answer by mail: its first line alone says yes or no, so that a "yes, but" is no yes."""

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from triage.domain.approvals import Approval
from triage.domain.channels.ticket_notes import Verb

APPROVAL: Final = "approval"
"""Begins the effect in the Message-ID of a letter that asks an approver."""
PERSON: Final = 8
SHOWN: Final = 12
"""Digits of an address's hash, and of what was shown, in a Message-ID, which is signed."""
_YES: Final = re.compile(r"yes[.!]?", re.IGNORECASE)
_NO: Final = re.compile(r"no[.!]?", re.IGNORECASE)
_EDIT: Final = re.compile(r"edit\b:?\s*(.+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedApproval:
    """What a letter of ours asked, and whom."""

    approval: int
    person: str
    """`person_digest` of the approver's address."""
    shown: str
    """First digits of `Approval.hash`."""


def person_digest(address: str) -> str:
    """Return what stands for an address in a Message-ID."""
    return hashlib.sha256(address.casefold().encode(errors="replace")).hexdigest()[:PERSON]


def effect_of(approval: Approval, address: str) -> str:
    """Return the effect of the letter that asks this person: the end of its key, and part of its Message-ID."""
    return f"{APPROVAL}:{approval.id}:{person_digest(address)}:{approval.hash[:SHOWN]}"


def asked_by(effect: str) -> AskedApproval | None:
    """Return what the letter of this effect asked; None for any other letter."""
    word, _, rest = effect.partition(":")
    parts = rest.split(":")
    if word != APPROVAL or len(parts) != 3 or not parts[0].isdecimal():  # noqa: PLR2004 - number, person, hash
        return None
    return AskedApproval(approval=int(parts[0]), person=parts[1], shown=parts[2])


def answer_in(reply: str) -> tuple[Verb, str] | None:
    """Return what a reply without its quotes says, with the new text of `edit`; None for anything else."""
    text = reply.strip()
    first = text.partition("\n")[0].strip()
    if _YES.fullmatch(first):
        return Verb.YES, ""
    if _NO.fullmatch(first):
        return Verb.NO, ""
    edit = _EDIT.fullmatch(text)
    return (Verb.EDIT, edit[1].strip()) if edit else None
