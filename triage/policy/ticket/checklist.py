"""The checklist of a ticket that holds several matters of one mail: written, and read again from what was written. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from triage.domain.mail import Message
from triage.domain.text.escapes import unescaped
from triage.domain.untrusted import NOTHING, Untrusted
from triage.policy.text.matters import Matter
from triage.policy.ticket.markdown import literal

BOX: Final = "\u2610"
TEXT: Final = "text"
"""The argument that holds the sender's words about a part."""
_LINE: Final = re.compile(rf"^\s*[-*]\s+(?:{BOX}|\[ \])\s+(\S.*)$", re.MULTILINE)
"""A model writes `- [ ]`."""


def checklist(matters: Sequence[Matter]) -> str:
    """List the matters that one ticket holds, to be ticked off; empty for a single one."""
    lines = "".join(f"- {BOX} {literal(each.title)}\n" for each in matters)
    return f"**{len(matters)} matters in one mail**\n\n{lines}\n" if lines else ""


def listed_matters(description: str, matters: Sequence[Matter]) -> tuple[Matter, ...]:
    """Return what the checklist in a description lists, each with the sender's own words where it is known which they are.

    `matters` are those of the mail. A line in a model's own words is the matter of the same place where there are as many.
    """
    titles = [unescaped(found[1]).strip() for found in _LINE.finditer(description)]
    known = {_words(each.title): each for each in matters}
    same = len(titles) == len(matters)
    return tuple(
        known.get(_words(title)) or Matter(title, matters[place].text if same else title)
        for place, title in enumerate(titles)
    )


def mail_of_part(mail: Message, title: str, text: str) -> Message:
    """Return the mail as if its sender had written this part alone."""
    body = Untrusted(text)
    return replace(mail, subject=Untrusted(title), text=body, reply=body, rich=(), quoted=NOTHING)


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
