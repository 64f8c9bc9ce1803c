"""The order of the questions, and the walk through them: forward, back, past a part."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cli.setup import jira, letters, model
from cli.setup.asking import Asker, Back, Skip
from cli.setup.draft import Draft
from cli.setup.mailbox import MailboxQuestions
from cli.setup.trying import JIRA, LETTERS, MAILBOX, MODEL

if TYPE_CHECKING:
    from triage.services.setup.mail_servers import MailServerSearch

Question = Callable[[Asker, Draft], Draft]
"""Asks until the answer is tested; raises `Back`, `Skip` and `Quit`."""
OWN: Final = {"jira": JIRA, "mailbox": MAILBOX, "model": MODEL, "letters": LETTERS[:2]}
"""The variables of each part."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the wizard, which can be skipped."""

    name: str
    questions: tuple[Question, ...]


def parts(search: "MailServerSearch") -> tuple[Part, ...]:
    """Return all parts in their order."""
    mailbox = MailboxQuestions(search)
    return (
        Part("jira", (jira.address, jira.account, jira.token, jira.project)),
        Part("mailbox", (mailbox.address, mailbox.server, mailbox.login, mailbox.folder)),
        Part("model", (model.which,)),
        Part("letters", (letters.server,)),
    )


def walk(ask: Asker, draft: Draft, through: Sequence[Part]) -> Draft:
    """Ask all questions; `back` returns to the last one that was asked, `skip` leaves a part as it is in the file."""
    asked = [(part, question) for part in through for question in part.questions]
    trail: list[tuple[int, Draft]] = []
    place = 0
    while place < len(asked):
        part, question = asked[place]
        before, count = draft, ask.asked
        try:
            draft, next_place = question(ask, draft), place + 1
        except Back:
            place, draft = trail.pop() if trail else (place, draft)
            continue
        except Skip:
            draft = draft.without(*OWN[part.name])
            next_place = next((at for at in range(place, len(asked)) if asked[at][0] is not part), len(asked))
        if ask.asked > count:
            trail.append((place, before))
        place = next_place
    return draft
