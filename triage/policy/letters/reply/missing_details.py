"""Tells what the report of a bug lacks, so that its sender can be asked."""

from collections.abc import Iterator
from typing import Final

from triage.domain.findings import Cues
from triage.domain.mail import Message, RichLine
from triage.domain.untrusted import Untrusted
from triage.policy.ranking.error_signatures import error_lines
from triage.policy.text.author_text import author_text
from triage.policy.text.sentences import read
from triage.policy.ticket.text.blocks import BlockKind, blocks_of
from triage.policy.ticket.text.sections import versions_in

STEPS: Final = "steps"
VERSION: Final = "version"
ERROR: Final = "error"
WORDY: Final = 120
"""Words from which a report is taken to tell how it comes about."""
STEP_BY_STEP: Final = 2
"""Items from which a list in a report is taken for its steps."""


def missing_in(message: Message, cues: Cues) -> tuple[str, ...]:
    """Return what to ask for, the most useful first; empty if it is no bug, if it presses, or if it tells how it happens."""
    if cues.type.value != "bug" or not cues.type.evidence or cues.priority.value == "Highest":
        return ()
    text = author_text(message.reply or message.text)
    wanted = tuple(_missing(message, text))
    return wanted if STEPS in wanted else ()


def _missing(message: Message, text: str) -> Iterator[str]:
    blocks = blocks_of(message.rich or tuple(RichLine(Untrusted(line)) for line in text.split("\n")))
    lists = [block for block in blocks if block.kind is BlockKind.LIST]
    has_steps = any(block.section == STEPS for block in blocks) or any(len(one.lines) >= STEP_BY_STEP for one in lists)
    if not has_steps and len(read(text).words) < WORDY:
        yield STEPS
    if not versions_in(text):
        yield VERSION
    shown = any(not each.tiny_picture for each in message.attachments)
    if not shown and not error_lines(text) and not any(block.kind is BlockKind.CODE for block in blocks):
        yield ERROR
