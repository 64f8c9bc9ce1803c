"""The walk through the questions: forward, back, past a part."""

import pytest

from cli.setup import trying
from cli.wiring.setup import mail_search
from tests.unit.triage.services.setup.asker import asker
from triage.services.setup.asking import Asker, Quit
from triage.services.setup.draft import Draft
from triage.services.setup.walk import OWN, Asking, SetupPart, parts, walk


def question(name: str) -> Asking:
    """A question for one variable."""

    async def asking(ask: Asker, draft: Draft) -> Draft:
        return draft.having(**{name: await ask.text(name, draft[name])})

    return asking


async def silent(ask: Asker, draft: Draft) -> Draft:
    """A question that needs no answer."""
    return draft.having(IMAP_HOST="found")


PARTS = (
    SetupPart("jira", (question("JIRA_BASE_URL"), question("JIRA_EMAIL"))),
    SetupPart("mailbox", (question("IMAP_USER"), silent, question("IMAP_FOLDER"))),
)


async def test_forward() -> None:
    """Every answer is kept; nothing of the file is lost."""
    draft = await walk(asker("url", "me", "box", "in"), Draft(kept={"PORT": "81"}), PARTS)

    assert draft.changes == {
        "JIRA_BASE_URL": "url", "JIRA_EMAIL": "me", "IMAP_USER": "box", "IMAP_HOST": "found", "IMAP_FOLDER": "in"
    }  # fmt: skip
    assert draft["PORT"] == "81"


async def test_back_returns_to_the_last_question_that_was_asked() -> None:
    """Questions that were not asked are passed over; earlier answers stay; at the first question back is the question again."""
    draft = await walk(
        asker("back", "url", "me", "box", "back", "bx", "back", "back", "you", "b", "in"), Draft(), PARTS
    )

    assert (draft["JIRA_EMAIL"], draft["IMAP_USER"], draft["IMAP_FOLDER"]) == ("you", "b", "in")


async def test_skip_leaves_a_part_as_it_is_in_the_file() -> None:
    """What was answered of it is forgotten, other parts stay."""
    draft = await walk(asker("url", "me", "new", "skip"), Draft(kept={"IMAP_USER": "old"}), PARTS)

    assert draft.changes == {"JIRA_BASE_URL": "url", "JIRA_EMAIL": "me"}
    assert draft["IMAP_USER"] == "old"


async def test_quit_ends_it() -> None:
    """Nobody gets a draft then."""
    with pytest.raises(Quit):
        await walk(asker("url", "quit"), Draft(), PARTS)


def test_every_part_names_its_variables() -> None:
    """Whatever can be skipped has variables that are forgotten then."""
    assert [part.name for part in parts(trying, mail_search(lookup=False))] == list(OWN)
