"""`triage chat` asks the same agents as mails do."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

from cli.support.chat import answer_to, send_message, stats_of
from tests.e2e.agents.support_mails import hub
from tests.e2e.opened import house
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome

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


async def test_a_session_has_one_ticket(tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]) -> None:
    """What is written after a person has taken over is a comment on the same ticket, whatever it is about."""
    async with house(cloud_jira, tmp_path, dry_run=False, **hub(install)) as opened:
        first = await send_message(opened, "a1", "I want to speak to a human agent, please.", "cultpass", ALMA)
        second = await send_message(opened, "a1", "My card was stolen in Lisbon yesterday evening.", "", ALMA)

    assert first.case.ticket
    assert second.case.ticket == first.case.ticket
    assert [one.kind for one in second.effects] == ["comment"]


async def test_thanks_end_a_session(tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]) -> None:
    """Whoever says after an answer that it helped makes no ticket, and is thanked."""
    async with house(cloud_jira, tmp_path, dry_run=False, **hub(install)) as opened:
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        said = ("Until when can I cancel a reservation free of charge?", "Thanks, that helped!")
        reports = [await send_message(opened, "b2", text, "cultpass", ALMA) for text in said]
        told = [await answer_to(opened, one) for one in reports]

    assert reports[1].case.outcome is Outcome.ANSWERED
    assert reports[1].case.ticket is None
    assert told[1] == "You are welcome."


async def test_what_is_sure_is_answered_and_the_rest_goes_to_a_person(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """A second matter is never dropped: the terminal shows the answer, and says that a person takes over; letters need not be on."""
    asked = (
        "Until when can I cancel a reservation free of charge? And do you have a cloakroom in Lisbon?",
        "I have moved to Porto and sold my bicycle. Also, until when can I cancel a reservation free of charge?",
    )
    async with house(cloud_jira, tmp_path, dry_run=False, **hub(install)) as opened:
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        for number, text in enumerate(asked):
            report = await send_message(opened, f"c{number}", text, "cultpass", ALMA)
            answered = await answer_to(opened, report)

            assert "until the day before the event" in answered
            assert answered.endswith(f"A person takes over ({report.case.ticket}).")


async def test_who_lost_it_is_told_how_to_get_it(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """A passage headed `I have forgotten my PIN` helps him although it says `Show PIN`; what he asks next gets the sentences about it."""
    settings = hub(install)
    rules = Path(settings["TRIAGE_CONFIG"])
    copied = copytree(rules.parent, tmp_path / "rules")
    article = "# Gate PIN\n\n## I have forgotten my PIN\n\nOpen the app and press Show PIN. It stands on your contract, too.\n"
    (copied / "articles" / "pin.md").write_text(article)
    settings["TRIAGE_CONFIG"] = str(copied / rules.name)
    async with house(cloud_jira, tmp_path, dry_run=False, **settings) as opened:
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        reports = [
            await send_message(opened, "d1", text, "cultpass", ALMA)
            for text in ("I have forgotten my PIN for the gate.", "And on which contract?")
        ]
        answers = [await answer_to(opened, one) for one in reports]

    assert "press Show PIN" in answers[0]
    assert answers[1].startswith("It stands on your contract, too.")
