"""The walk through the questions: forward, back, past a part."""

import io
from pathlib import Path

import pytest

from cli.console import SafeConsole
from cli.setup import trials
from cli.setup.terminal import Terminal
from cli.wiring.setup import mail_search
from tests.unit.triage.services.setup.asker import asker, said
from triage.services.setup.asking import Asker, Quit
from triage.services.setup.draft import Draft
from triage.services.setup.walk import OWN, Asking, SetupPart, parts, set_up, walk


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
    assert [part.name for part in parts(trials, mail_search(lookup=False))] == list(OWN)


ANSWERS = ("http://x", "me", "box", "in")


@pytest.mark.parametrize(("last", "check", "text"), [("yes", False, True), ("no", False, False), ("", True, False)])
async def test_a_yes_writes(tmp_path: Path, last: str, *, check: bool, text: bool) -> None:
    """The difference is shown before; no and a check write nothing."""
    env, ask = tmp_path / ".env", asker(*ANSWERS, "back", last)
    done = await set_up(ask, Draft(), env, PARTS, check=check)

    assert env.exists() == text
    assert (done is None) == (last == "no")
    assert "+JIRA_EMAIL=me" in said(ask)


async def test_leaving_and_nothing_new(tmp_path: Path) -> None:
    """Who leaves gets nothing written; where the file says so already nobody is asked whether to write it."""
    env, again = tmp_path / ".env", asker(*ANSWERS)
    left = await set_up(asker("url", "quit"), Draft(), env, PARTS, check=False)
    written = await set_up(asker(*ANSWERS, "skip", "yes"), Draft(), env, PARTS, check=False)
    kept = await set_up(again, Draft(), env, PARTS, check=False)

    assert left is None
    assert written == kept
    assert "the file says so already" in said(again)


async def test_a_disk_that_refuses_is_told(tmp_path: Path) -> None:
    """Somebody who changes the file meanwhile keeps his change; the answers are kept, too."""
    env, left = tmp_path / ".env", iter((*ANSWERS, "yes", "no"))

    def somebody(prompt: str) -> str:
        if prompt.startswith("Write"):
            env.write_text("MINE=1\n", encoding="utf-8")
        return next(left)

    ask = Asker(Terminal(SafeConsole(file=io.StringIO(), width=400), somebody))
    done = await set_up(ask, Draft(), env, PARTS, check=False)

    assert done is None
    assert env.read_text(encoding="utf-8") == "MINE=1\n"
    assert "changed it meanwhile" in " ".join(said(ask).split())
