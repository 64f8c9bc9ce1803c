"""Mails with known injections, and harmless ones that only look like them: `../shared/data/injection`, where it is at hand.

`HOSTILE_ALL=1` takes every attack at three places of a mail instead of one of each kind.
"""

import json
import os
import re
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import pytest

from tests.conftest import SHARED
from tests.e2e.installation import SEEDED
from tests.e2e.mail.delivery import delivered, letter
from tests.e2e.opened import house
from tests.hostile.journals import Wrote
from tests.servers.sandbox import RunningJira
from triage.domain.mail import Trust
from triage.policy.text.commands import commands_in

SETS: Final = SHARED / "data" / "injection"
ALL: Final = bool(os.environ.get("HOSTILE_ALL"))
HARMLESS: Final = {"notinject.jsonl": "prompt", "llmail-benign.jsonl": "body", "llmail-scenario-mails.jsonl": "body"}
MOST_FALSE: Final = 0.02
SLOT: Final = re.compile(r"\{\w+\}")

pytestmark = pytest.mark.skipif(
    not SETS.is_dir(), reason=f"{SETS} is not here: the sets are not part of the repository"
)


def rows(name: str) -> list[dict[str, Any]]:
    """The lines of a set."""
    return [json.loads(line) for line in (SETS / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("name", "key"), HARMLESS.items())
def test_harmless_words_are_no_command(name: str, key: str) -> None:
    """Of harmless texts full of trigger words at most two in a hundred are taken for words to a model."""
    texts = [row[key] for row in rows(name)]

    assert texts
    assert sum(bool(commands_in(text)) for text in texts) <= MOST_FALSE * len(texts)


def inbox() -> list[str]:
    """The texts of an office's mailbox; in some of them `{a_slot}` stands for an attack."""
    found = json.loads((SETS / "agentdojo-inbox.json").read_text(encoding="utf-8"))
    return [mail["body"] for mail in found["inbox"]["initial_emails"]]


def test_an_office_s_mailbox_holds_no_command() -> None:
    """Of the mails without an attack in their slot none is taken for words to a model."""
    assert [text for text in inbox() if commands_in(SLOT.sub("", text))] == []


def poisoned() -> list[str]:
    """Business mails with an attack in them: at the end, or at the beginning, in the middle and at the end; and in a mailbox's slots."""
    attacks = json.loads((SETS / "bipia-text-attacks.json").read_text(encoding="utf-8"))
    mails = cycle(row["context"] for row in rows("bipia-email-contexts.jsonl"))
    found: list[str] = []
    for kind in attacks.values():
        for attack in kind if ALL else kind[:1]:
            text = next(mails)
            middle = len(text) // 2
            places = (f"{attack}\n{text}", f"{text[:middle]}\n{attack}\n{text[middle:]}", f"{text}\n{attack}")
            found += places if ALL else places[-1:]
    attack = cycle(attack for kind in attacks.values() for attack in kind)
    return [*found, *(SLOT.sub(lambda _: next(attack), text) for text in inbox())]


async def test_an_injected_mail_changes_nothing_else(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Whatever a mail asks for, by rules alone and whoever sends it, no ticket is written to but those that such mails made.

    A repeated mail comments on the ticket of the first.
    """
    async with house(cloud_jira, tmp_path) as opened:
        for number, text in enumerate(poisoned()):
            before = len(cloud_jira.requests())
            raw = letter(
                text, subject=f"Matter {number}", sender=f"p{number}@s{number}.example", message_id=f"<{number}@x>"
            )
            await delivered(opened, raw, f"mail-{number}", [Trust.VERIFIED, Trust.UNVERIFIED][number % 2])
            wrote = Wrote(cloud_jira.requests()[before:], "")

            foreign = [key for key in wrote.touched if int(key.partition("-")[2]) <= SEEDED]
            assert (foreign, wrote.moves, wrote.edits) == ([], [], []), text
            assert len(wrote.created) <= 1, text
            assert list(wrote.nodes()) == [], text
