"""The service over a real tracker's shape: our tickets alone, by Jira's own changelog."""

from dataclasses import replace

from cli.wiring.jira import tracker_of
from tests.contract.tracker.tracker_case import DRAFT, MARK
from tests.servers.sandbox import RunningJira
from triage.config.settings import Isolated, load
from triage.domain.ports import no_failpoint
from triage.policy.decision.agreement.changelog import OverruledDecision
from triage.services.agreement.changelog import AgreementService


async def test_what_people_changed(any_jira: RunningJira) -> None:
    """A ticket that was left alone, one that was changed by a person; what is deleted does not count."""
    heard: list[tuple[int, int]] = []
    tracker = tracker_of(load(Isolated, **any_jira.settings), no_failpoint)
    try:
        keys = [(await tracker.writer.create(DRAFT, replace(MARK, label=f"triage-{n:020}"))).key for n in range(3)]
        site = any_jira.app.site
        with any_jira.api() as api:
            api.put(f"/issue/{keys[1]}", json={"fields": {"priority": {"name": "Low"}}}).raise_for_status()
            api.delete(f"/issue/{keys[2]}").raise_for_status()
        person = site.db.value("SELECT id FROM account WHERE name = 'priya.raman'")
        site.db.run("UPDATE change SET author = ?", person)
        service = AgreementService(tracker=tracker.view())
        kept, changed = await service.tickets(7, lambda done, of: heard.append((done, of)))
    finally:
        await tracker.close()

    assert [kept.key, changed.key] == keys[:2]
    assert set(kept.decided) == {
        OverruledDecision.TICKET,
        OverruledDecision.TYPE,
        OverruledDecision.PRIORITY,
        OverruledDecision.COMPONENT,
    }
    assert set(kept.decided.values()) == {None}
    (overruled,) = [change for change in changed.decided.values() if change]
    assert (overruled.was, overruled.becomes, str(overruled.author_name)) == ("High", "Low", "Priya Raman")
    assert heard == [(2, 2)]
