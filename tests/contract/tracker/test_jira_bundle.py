"""A recorded bundle betrays nobody of the company that it was taken from, and reads like the Jira that it was."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from requests.structures import CaseInsensitiveDict

from cli.doctor.jira import findings_of
from integrations.jira.diagnostics.bundle import bundle_of
from integrations.jira.diagnostics.jira_probe import ProbeAnswer
from integrations.jira.http.errors import JiraAnswer
from integrations.jira.http.wire import Lost
from integrations.jira.tracker import JiraTracker
from integrations.system_clock import SystemClock
from tests.servers.recorded import RecordedJira
from tests.servers.sandbox import RunningJira
from triage.config.settings import Isolated, Settings, load
from triage.domain.tickets import TicketQuery
from triage_sandbox.server import Served

REQUEST = "Ask a question"
SHARED = {"", "Tracking", "security", "Triage"}
"""A component and a label that are fields of every Jira as well, and our own name."""
PLACES = ((None, ""), ("HELP", REQUEST), ("NOPE", ""))


def settings_of(jira: RunningJira, project: str | None, request_type: str) -> Settings:
    """As an admin would have them."""
    key = {"JIRA_PROJECT_KEY": project or jira.project, "JIRA_REQUEST_TYPE": request_type, "TRIAGE_CONFIG": os.devnull}
    return load(Isolated, ENABLE_SPRINTS="true", **{**jira.settings, **key})


@pytest.fixture(params=PLACES, ids=["software", "service", "nothing"])
async def bundle(any_jira: RunningJira, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """What `--record` writes."""
    file = tmp_path / "bundle.json"
    findings = await findings_of(settings_of(any_jira, *request.param), file)

    assert next(f for f in findings if f.what == "record").state == "ok"
    return file.read_text(encoding="utf-8")


def seeded(jira: RunningJira) -> Iterator[str]:
    """Every string of the company that is somebody's own: people, places, texts, and parts of names."""
    db = jira.app.site.db
    for row in db.all("SELECT id, name, shown, email FROM account"):
        yield from (str(row["id"]), str(row["name"]), str(row["shown"]), str(row["email"]))
        yield from (part for part in str(row["shown"]).split() if len(part) > 4)
    for sql in (
        "SELECT summary FROM issue",
        "SELECT key || '-' FROM project",
        "SELECT name FROM project",
        "SELECT name FROM component",
        "SELECT name FROM version",
        "SELECT name FROM sprint",
        "SELECT name FROM board",
        "SELECT name FROM request_type",
        "SELECT label FROM issue_label",
    ):
        yield from (str(row[0]) for row in db.all(sql))
    for sql in (
        "SELECT description_plain FROM issue",
        "SELECT plain FROM comment",
        "SELECT description FROM component",
    ):
        yield from (line for row in db.all(sql) for line in str(row[0] or "").splitlines())
    yield from (jira.token, urlsplit(jira.url).netloc, "127.0.0.1", "harbourline", jira.url)


async def test_nobody_of_the_company_is_in_it(bundle: str, any_jira: RunningJira) -> None:
    """Not a person, an address, an id, a text, a name that somebody gave, the host or the token."""
    strings = {each.strip() for each in seeded(any_jira)} - SHARED
    folded = bundle.casefold()
    inside = {each for each in strings if each.casefold() in folded}
    found = {each for each in inside if re.search(rf"(?<!\w){re.escape(each.casefold())}(?!\w)", folded)}

    assert len(strings) > 300
    assert found == set()


async def test_what_is_jiras_own_is_in_it(cloud_jira: RunningJira, tmp_path: Path) -> None:
    """Types, states, fields, kinds of links, permissions and shapes of answers can be told from it."""
    await findings_of(settings_of(cloud_jira, None, ""), tmp_path / "b.json")
    told = (tmp_path / "b.json").read_text(encoding="utf-8")
    seen = {each["what"].partition(":")[0] for each in json.loads(told)["seen"]}

    assert [
        word for word in ("Sub-task", "In Review", "Duplicate", "gh-sprint", "BROWSE_PROJECTS") if word not in told
    ] == []
    assert seen >= {
        "server",
        "me",
        "rights",
        "project",
        "types",
        "form",
        "statuses",
        "people",
        "newest",
        "ways",
        "sprints",
    }
    assert seen >= {"ticket", "comments", "links", "files", "fields", "switches", "resolutions", "boards"}


async def test_the_bundle_reads_as_a_jira(any_jira: RunningJira, tmp_path: Path) -> None:
    """Served again it is a Jira to our adapter: project, forms, people, tickets, comments, sprints."""
    await findings_of(settings_of(any_jira, None, ""), tmp_path / "b.json")
    recorded = RecordedJira((tmp_path / "b.json").read_text(encoding="utf-8"))
    with Served(recorded.app, lifespan="off") as served:
        tracker = JiraTracker(served.url, recorded.project, email="a@example.com", token="t")
        try:
            project = await tracker.metadata.project()
            tickets = await tracker.tickets.search(TicketQuery(limit=50))
            one = await tracker.tickets.get(tickets[0].key)
            files = await tracker.tickets.attached(tickets[0].key)
            sprints = await tracker.sprints.sprints()
            newest = await tracker.tickets.newest()
        finally:
            await tracker.close()
    statuses = {status.name for status in project.statuses}

    assert (len(project.people), set(project.issue_types)) == (14, {"Epic", "Story", "Task", "Bug"})
    assert {ticket.status for ticket in tickets} <= statuses == {"To Do", "In Progress", "In Review", "Done"}
    assert (len(tickets), newest, one.key) == (50, 70, tickets[0].key)
    assert all(ticket.summary and ticket.reporter and ticket.created for ticket in tickets)
    assert ([sprint.state for sprint in sprints], files) == (["active", "future"], ())


@pytest.mark.parametrize(("project", "request_type"), [(None, ""), ("HELP", REQUEST)])
async def test_the_doctor_finds_the_same(
    any_jira: RunningJira, project: str | None, request_type: str, tmp_path: Path
) -> None:
    """What was well and what was ill in that Jira can be seen from the bundle, as if one stood before it."""
    before = await findings_of(settings_of(any_jira, project, request_type), tmp_path / "b.json")
    recorded = RecordedJira((tmp_path / "b.json").read_text(encoding="utf-8"))
    with Served(recorded.app, lifespan="off") as served:
        settings = settings_of(any_jira, recorded.project, recorded.request_type)
        after = await findings_of(settings.model_copy(update={"jira_base_url": served.url}), None)
    aside = {"record", "clock", f"project {project or any_jira.project}", f"project {recorded.project}"}

    assert {(f.what, f.state) for f in before if f.what not in aside} == {
        (f.what, f.state) for f in after if f.what not in aside
    }


async def test_a_file_that_cannot_be_written(cloud_jira: RunningJira, tmp_path: Path) -> None:
    """That is a finding like any other; all the rest is told."""
    findings = await findings_of(settings_of(cloud_jira, None, ""), tmp_path)

    assert findings[-1].what == "record"
    assert (findings[-1].state, "Is a directory" in findings[-1].text) == ("fail", True)


def test_answers_that_are_none() -> None:
    """A page, half an answer and none at all are kept as what they are, without a word of them."""
    html = CaseInsensitiveDict({"Content-Type": "text/html", "Set-Cookie": "secret", "X-Seraph-LoginReason": "OUT"})
    page = JiraAnswer(200, html, b"<html>Acme <input type=password>")
    answers = (page, JiraAnswer(200, CaseInsensitiveDict(), b'{"acme'), Lost("ConnectTimeout at GET acme", sent=False))
    now = SystemClock().now()
    seen = [ProbeAnswer(what="me", path="api/3/myself", params={}, answer=answer, at=now) for answer in answers]
    told = json.loads(bundle_of(seen, url="https://acme.example", project="ACME"))["seen"]

    assert (told[0]["page"], told[0]["headers"]) == (
        "login",
        {"content-type": "text/html", "x-seraph-loginreason": "OUT"},
    )
    assert (told[1]["body"], told[2]["lost"]) == (None, "ConnectTimeout")
    assert "acme" not in json.dumps(told).casefold()


def test_a_secret_that_jira_repeats() -> None:
    """Then nothing is kept at all."""
    body = json.dumps({"permissions": {"X": {"havePermission": True, "name": "s3cret-token"}}}).encode()
    answer = JiraAnswer(200, CaseInsensitiveDict(), body)
    seen = [ProbeAnswer(what="rights", path="x", params={}, answer=answer, at=SystemClock().now())]

    with pytest.raises(ValueError, match="repeats a secret"):
        bundle_of(seen, url="https://acme.example", project="ACME", secrets=["s3cret-token"])
