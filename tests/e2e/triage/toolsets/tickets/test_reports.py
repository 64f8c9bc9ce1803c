"""The tenth and later reports on one ticket: one comment, edited, with a count."""

from pathlib import Path

from tests.e2e.mail.delivery import delivered, letter
from tests.e2e.opened import judge, modelled
from tests.e2e.scripted_model import ScriptedModel
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Trust
from triage_sandbox.jira.issue.fields.custom import define

KEY = "HARB-41"
REPEATS = (
    ("get_jira_ticket", {"ticket_key": KEY}),
    ("modify_jira_ticket", {"ticket_key": KEY, "comment": "Reported **again**."}),
)
SENDERS = ("Ops <ops@harbourline.example>", "Kim <kim@harbourline.example>")


async def test_many_reports_are_one_comment(tmp_path: Path, any_jira: RunningJira) -> None:
    """Nine comments stand alone, all later ones are counted in one, which names their senders; a field counts all."""
    number = define(any_jira.app.site.db, "Reports", "number")
    config = tmp_path / "triage.yaml"
    config.write_text("jira: {count_field: Reports}")
    ours = {"IMAP_HOST": "mx.harbourline.example", "IMAP_USER": "support@harbourline.example", "IMAP_PASSWORD": "x"}
    limits = {"THROTTLE_STORM_PER_HOUR": "0", "THROTTLE_SENDER_PER_HOUR": "0", "TRIAGE_CONFIG": str(config)}
    async with modelled(any_jira, tmp_path, ScriptedModel(*REPEATS), **ours, **limits) as (opened, _):
        reports = [
            await delivered(
                opened,
                letter(
                    f"Alert {place}: gateway.", sender=SENDERS[place % 2], message_id=f"<{place}@harbourline.example>"
                ),
                f"mail-{place}",
                Trust.VERIFIED,
            )
            for place in range(13)
        ]
        await opened.cases.replay(reports[-1].case.id)
        await opened.worker.drain()

    comments = judge(any_jira, tmp_path).comments(KEY)
    told = [text for text in comments if "more report" in text]
    with any_jira.api() as api:
        count = api.get(f"/issue/{KEY}").json()["fields"][f"customfield_{number}"]
    assert {(one.case.outcome, one.case.ticket) for one in reports} == {(Outcome.COMMENTED, KEY)}
    assert (len(comments), len(told)) == (10, 1)
    assert "4 more reports" in told[0]
    assert all(f"{name}@harbourline" in told[0] for name in ("ops", "kim"))
    assert count == 14
    assert f"{KEY}: added to the comment on further reports." in reports[-1].case.reason
