"""Several projects in one installation: a rule chooses, threads stay where they are, and each ticket is made once."""

from pathlib import Path

import pytest

from integrations.jira.tracker import JiraTracker
from tests.e2e.opened import again, house, judge, take
from tests.e2e.triage.services.decisions import mail
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.errors import TicketGone
from triage.domain.tickets import Mark, TicketDraft, TicketQuery
from triage_sandbox.jira import Fault

RULES = """
routing:
  rules:
    - {name: shop, match: {subject_contains: shop}, route: pipeline, project: SHOP}
    - {name: rest, match: {all: true}, route: pipeline}
"""
FIRST = mail(1, "The quokka basket forgets its articles.", Subject="Web shop basket")
ANSWER = mail(2, "It forgets vouchers, too.", In_Reply_To="<1@example.com>", Subject="Re: the basket")
OTHER = mail(3, "A wholly new matter: the zebra importer eats commas.", Subject="Zebra importer")
DRAFT = TicketDraft(summary="Quokka basket", description="It forgets.", issue_type="Task")
MARK = Mark(label=f"triage-{'a' * 20}", case="case-7", message_hash="f00")


@pytest.fixture
def shop(any_jira: RunningJira) -> RunningJira:
    """A Jira with a second, empty project."""
    with any_jira.api() as api:
        lead = {"leadAccountId": any_jira.bot} if any_jira.cloud else {"lead": any_jira.user}
        wish = {"key": "SHOP", "name": "Web shop", "projectTypeKey": "software", **lead}
        api.post("/project", json=wish).raise_for_status()
    return any_jira


def config(folder: Path) -> dict[str, str]:
    """Settings with the rules of both projects."""
    path = folder / "triage.yaml"
    path.write_text(RULES)
    return {"TRIAGE_CONFIG": str(path)}


async def test_a_rule_chooses_the_project(tmp_path: Path, shop: RunningJira) -> None:
    """Its mails become tickets there, answers stay in their thread's project whatever they say, others go to the first."""
    async with house(shop, tmp_path, dry_run=False, **config(tmp_path)) as opened:
        for syncing in opened.ticket_index_syncs:
            await syncing.prepare()
        first, answer, other = [await take(opened, raw=raw) for raw in (FIRST, ANSWER, OTHER)]

    assert (first.case.outcome, first.case.ticket) == (Outcome.TICKETED, "SHOP-1")
    assert (answer.case.outcome, answer.case.ticket) == (Outcome.COMMENTED, "SHOP-1")
    assert (other.case.outcome, [other.case.ticket]) == (Outcome.TICKETED, judge(shop, tmp_path).created())


async def test_a_lost_answer_is_looked_for_in_its_project(tmp_path: Path, shop: RunningJira) -> None:
    """The ticket that Jira created before it died is found there, and not created twice."""
    shop.fault(Fault(do="reset_after", method="POST", path="/issue$"))
    async with house(shop, tmp_path, dry_run=False, **config(tmp_path)) as opened:
        lost = await take(opened, raw=FIRST)
        found = lost if lost.case.outcome else await again(opened, lost)
        newest = await opened.tracker.tickets.search(TicketQuery(words=("quokka",)))

    assert (found.case.outcome, found.case.ticket) == (Outcome.TICKETED, "SHOP-1")
    assert newest == ()
    assert len(shop.requests("POST", "/issue$")) == 1


async def test_views_keep_to_their_project(shop: RunningJira) -> None:
    """Searches, metadata and creates are of one project; a key is found in any of the installation's, and in no other."""
    email, token = shop.login
    tracker = JiraTracker(shop.url, "HARB", others=("SHOP",), email=email, token=token)
    try:
        views = tracker.views()
        made = await views["SHOP"].writer.create(DRAFT, MARK)
        await views["HARB"].writer.link("HARB-1", made.key, "Relates")
        comment = await views["HARB"].comments.comment(made.key, "Seen.", MARK)
        linked = await views["SHOP"].tickets.details("HARB-1", 0)
        with pytest.raises(TicketGone):
            await views["HARB"].tickets.get("ELSE-1")
        keys = {key: (await view.metadata.project()).key for key, view in views.items()}
        numbers = {key: await view.tickets.newest() for key, view in views.items()}
        found = await views["HARB"].comments.commented(made.key, MARK)
    finally:
        await tracker.close()

    assert (made.key, keys) == ("SHOP-1", {"HARB": "HARB", "SHOP": "SHOP"})
    assert numbers["SHOP"] == 1 < numbers["HARB"]
    assert made.key in {link.key for link in linked.links}
    assert found == comment
