"""The order of the questions, and the walk through them, on a terminal or a page: forward, back, past a part."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from triage.services.setup.asking import Asker, Back, Quit, Skip
from triage.services.setup.draft import JIRA, LETTERS, MAILBOX, MODEL, Draft
from triage.services.setup.mail_servers import MailServerSearch
from triage.services.setup.questions.jira import JiraQuestions
from triage.services.setup.questions.letters import LetterQuestions
from triage.services.setup.questions.mailbox import MailboxQuestions
from triage.services.setup.questions.model import ModelQuestions
from triage.services.setup.trials import Trials
from triage.services.setup.writing import changes_of, differences, written

Asking = Callable[[Asker, Draft], Awaitable[Draft]]
"""Asks until the answer is tested; raises `Back`, `Skip` and `Quit`."""
OWN: Final = {"jira": JIRA, "mailbox": MAILBOX, "model": MODEL, "letters": LETTERS[:2]}
"""The variables of each part."""


@dataclass(frozen=True, slots=True)
class SetupPart:
    """A part of the wizard, which can be skipped."""

    name: str
    questions: tuple[Asking, ...]


def parts(trials: Trials, search: MailServerSearch) -> tuple[SetupPart, ...]:
    jira, mailbox = JiraQuestions(trials), MailboxQuestions(trials, search)
    return (
        SetupPart("jira", (jira.address, jira.account, jira.token, jira.project)),
        SetupPart("mailbox", (mailbox.address, mailbox.server, mailbox.login, mailbox.folder)),
        SetupPart("model", (ModelQuestions(trials).which,)),
        SetupPart("letters", (LetterQuestions(trials).server,)),
    )


async def walk(ask: Asker, draft: Draft, through: Sequence[SetupPart]) -> Draft:
    """Ask all questions; `back` returns to the last one that was asked, `skip` leaves a part as it is in the file."""
    asked = [(part, question) for part in through for question in part.questions]
    trail: list[tuple[int, Draft]] = []
    place = 0
    while place < len(asked):
        part, question = asked[place]
        before, count = draft, ask.asked
        try:
            draft, next_place = await question(ask, draft), place + 1
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


async def set_up(ask: Asker, draft: Draft, env: Path, through: Sequence[SetupPart], *, check: bool) -> Draft | None:
    """Ask all questions, show the differences and write the files; with `check`, write nothing.

    None: somebody has left, and nothing is written. Raises `FileNotWritten`, `SettingsInvalid`.
    """
    try:
        draft = await walk(ask, draft, through)
        changes = changes_of(draft, env)
        ask.heading("What will be written")
        ask.screen.difference(differences(changes))
        new = any(one.changes for one in changes)
        if not new:
            ask.say("Nothing: the file says so already.")
        return draft if check or not new or await written(ask, changes) else None
    except Quit:
        return None
