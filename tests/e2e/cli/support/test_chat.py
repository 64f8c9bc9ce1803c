"""`triage chat` asks the same agents as mails do."""

from collections.abc import Callable
from pathlib import Path

from cli.support.chat import answer_to, send_message, stats_of
from tests.e2e.agents.test_support import hub
from tests.e2e.opened import house
from tests.servers.sandbox import RunningJira

ALMA = "alma@members.example"


async def test_a_session_answers_and_hands_over(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """An article answers at once, also what goes on from it; a wish for a person becomes a ticket, and all are one conversation."""
    async with house(cloud_jira, tmp_path, dry_run=False, **hub(install)) as opened:
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        first = await send_message(
            opened, "5e5510f1", "Until when can I cancel a reservation free of charge?", "cultpass", ALMA
        )
        further = await send_message(opened, "5e5510f1", "And is that free?", "", ALMA)
        second = await send_message(opened, "5e5510f1", "I want to speak to a human agent, please.", "", ALMA)
        told = [await answer_to(opened, one) for one in (first, further, second)]
        dialogue = await opened.store.dialogues.of_case(second.case.id)
        assert dialogue
        roles = [one.role for one in await opened.store.dialogues.messages(dialogue.id)]

    assert "until the day before the event" in told[0]
    assert "free of charge" in told[1]
    assert told[2].startswith("A person takes over (HARB-")
    assert roles == ["user", "ai", "user", "ai", "user", "system"]
    assert dialogue.channel == "chat"
    assert "articles cultpass:reservations.md" in stats_of(first)
