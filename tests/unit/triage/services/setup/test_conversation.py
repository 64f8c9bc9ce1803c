"""The whole conversation: what is written, and what is not."""

import io
from pathlib import Path

import pytest

from cli.console import SafeConsole
from cli.setup.terminal import Terminal
from tests.unit.triage.services.setup.asker import asker, said
from tests.unit.triage.services.setup.test_walk import PARTS
from triage.services.setup.asking import Asker
from triage.services.setup.conversation import set_up
from triage.services.setup.draft import Draft

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
