"""`triage doctor --jira` on Jiras that are ill in known ways: each is named, with its cost and its cure."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.doctor.findings import Finding
from cli.doctor.jira import findings_of
from tests.e2e.installation import Installation
from tests.servers.sandbox import RunningJira
from tests.servers.sites import running
from triage.config.settings import Isolated, load
from triage_sandbox.jira import Fault

Doctor = Callable[..., Any]


def settings_of(jira: RunningJira, **more: str) -> Isolated:
    """Settings for this Jira, as an admin would have them."""
    given = {**jira.settings, "TRIAGE_CONFIG": os.devnull, **more}
    settings = load(Isolated, **given)
    assert isinstance(settings, Isolated)
    return settings


async def doctor(jira: RunningJira, **more: str) -> list[Finding]:
    """What he finds."""
    return list(await findings_of(settings_of(jira, **more), None))


def ill(findings: list[Finding]) -> dict[str, str]:
    """What is not well, by name, with its state."""
    return {f.what: f.state for f in findings if f.state != "ok" and f.what != "attachments"}


def one(findings: list[Finding], what: str) -> Finding:
    """The finding of this name."""
    return next(f for f in findings if f.what == what)


async def test_all_is_well(any_jira: RunningJira) -> None:
    """On a sound Jira nothing but the size of files is remarked, and every part was looked at."""
    findings = await doctor(any_jira, ENABLE_SPRINTS="true")
    looked = {f.what for f in findings}

    assert ill(findings) == {}
    assert looked >= {"server", "clock", "login", "project HARB", "permissions", "required fields", "issue types"}
    assert looked >= {"done status", "workflow", "people", "search", "sprints", "links", "rate limits", "webhook"}
    assert "Triage Bot" in one(findings, "login").text


async def test_nothing_is_written(any_jira: RunningJira, tmp_path: Path) -> None:
    """No request of the doctor is anything but a GET, also while he records; Jira is as it was."""
    before = any_jira.app.site.db.dump()
    await findings_of(settings_of(any_jira, ENABLE_SPRINTS="true"), tmp_path / "bundle.json")
    asked = any_jira.requests()
    after = any_jira.app.site.db.dump()

    assert len(asked) > 25
    assert {entry.method for entry in asked} == {"GET"}
    assert (before, {entry.status for entry in asked}) == (after, {200})


async def test_a_missing_permission(any_jira: RunningJira) -> None:
    """Each permission that we lack is named with what it costs; without creating nothing works."""
    any_jira.deny("ASSIGN_ISSUES")
    any_jira.deny("CREATE_ISSUES")
    findings = await doctor(any_jira)
    told = {f.text: f.state for f in findings if f.what == "permissions"}

    assert told["CREATE_ISSUES is missing: no ticket can be made"] == "fail"
    assert told["ASSIGN_ISSUES is missing: new tickets stay unassigned"] == "warn"
    assert "permission scheme" in one(findings, "permissions").cure


async def test_what_is_switched_on_needs_its_permission(any_jira: RunningJira) -> None:
    """A feature that the settings ask for and a permission forbids must be mended; one that is off is no matter."""
    for name in ("ASSIGN_ISSUES", "SCHEDULE_ISSUES", "MANAGE_WATCHERS", "ASSIGNABLE_USER"):
        any_jira.deny(name)
    on = {"ENABLE_SPRINTS": "true", "ENABLE_SMART_ASSIGNMENT": "true", "ENABLE_WATCHERS": "false"}
    findings = await doctor(any_jira, **on)
    told = {f.text.partition(" ")[0]: f.state for f in findings if f.what == "permissions"}

    assert told == {"ASSIGN_ISSUES": "fail", "SCHEDULE_ISSUES": "fail"}


async def test_a_required_field(large_jira: RunningJira, tmp_path: Path) -> None:
    """A field that Jira demands is told with lines to paste, and with those lines it is well."""
    before = await doctor(large_jira, JIRA_PROJECT_KEY="COMP")
    found = one(before, "field Severity class")
    config = tmp_path / "triage.yaml"
    config.write_text(found.cure.partition("\n")[2], encoding="utf-8")
    after = await doctor(large_jira, JIRA_PROJECT_KEY="COMP", TRIAGE_CONFIG=str(config))

    assert (found.state, "Jira demands it for Epic, Story, Task, Bug" in found.text) == ("fail", True)
    assert found.cure.splitlines()[1:] == [
        "jira:",
        "  fields:",
        '    "Severity class": "A - legal deadline"  # or "B - audit finding", "C - improvement"',
    ]
    assert ill(after) == {}
    assert one(after, "jira.fields").text == "Severity class: known, with values that Jira takes"


async def test_settings_that_do_not_fit(large_jira: RunningJira, tmp_path: Path) -> None:
    """A misspelt field, a value that is not allowed and one of another kind are told apart."""
    config = tmp_path / "triage.yaml"
    fields = "{Severity clas: x, Severity class: Z, Story Points: many, reporter: me}"
    config.write_text(f"jira: {{fields: {fields}}}", encoding="utf-8")
    findings = await doctor(large_jira, JIRA_PROJECT_KEY="COMP", TRIAGE_CONFIG=str(config), JIRA_DONE_STATUS="Shipped")

    assert one(findings, "jira.fields, Severity clas").cure == "is it Severity class?"
    assert "has no value 'Z'; allowed: A - legal deadline" in one(findings, "jira.fields, Severity class").text
    assert one(findings, "jira.fields, Story Points").text == "takes a number, not 'many'"
    assert one(findings, "jira.fields, reporter").state == "warn"
    assert one(findings, "done status").cure.startswith("JIRA_DONE_STATUS is one of: To Do, In Progress")


async def test_a_transition_that_demands_a_field(any_jira: RunningJira, tmp_path: Path) -> None:
    """It is told with lines to paste, and where it leads; a resolution is found without them."""
    db = any_jira.app.site.db
    db.run(
        "UPDATE transition SET screen = 'duedate! resolution!' WHERE target IN (SELECT id FROM status WHERE name = 'Done')"
    )
    before = await doctor(any_jira)
    found = one(before, "field Due date")
    config = tmp_path / "triage.yaml"
    config.write_text(found.cure.partition("\n")[2], encoding="utf-8")
    after = await doctor(any_jira, TRIAGE_CONFIG=str(config))

    assert ill(before) == {"field Due date": "warn"}
    assert found.text == "Jira demands it on the way to Done, and nobody fills it: such moves are refused"
    assert '"Due date": "2026-12-31"' in found.cure
    assert ill(after) == {}


async def test_priorities_of_other_names(any_jira: RunningJira) -> None:
    """Where the project has other words for what is urgent, the rules' words find none; which ones there are is told."""
    any_jira.app.site.db.run("UPDATE priority SET name = 'Blocker' WHERE name = 'Highest'")
    findings = await doctor(any_jira)

    assert ill(findings) == {"priorities": "warn"}
    assert one(findings, "priorities").text.startswith("there is no Highest: ")
    assert one(findings, "priorities").cure.endswith("there are: Blocker, High, Medium, Low, Lowest")


async def test_a_done_status_that_cannot_be_reached(any_jira: RunningJira) -> None:
    """Where no way leads there, or where it does not mean done, a fixed ticket would stay open."""
    db = any_jira.app.site.db
    other = await doctor(any_jira, JIRA_DONE_STATUS="in review")
    db.run("DELETE FROM transition WHERE target IN (SELECT id FROM status WHERE name = 'Done')")
    stuck = await doctor(any_jira)

    assert (ill(other), ill(stuck)) == ({"done status": "warn"}, {"workflow": "warn"})
    assert "In Review does not mean done" in one(other, "done status").text
    assert "no way leads straight to Done from In Progress, In Review, To Do" in one(stuck, "workflow").text


async def test_a_token_without_a_scope(cloud_jira: RunningJira) -> None:
    """One that may not ask for its own name is good for the rest, and must be made anew."""
    body = {"message": "Unauthorized; scope does not match"}
    cloud_jira.fault(Fault(do="answer", path="/myself", status=401, body=body, count=0))
    findings = await doctor(cloud_jira)

    assert ill(findings) == {"login": "fail"}
    assert one(findings, "search").state == "ok"


async def test_a_dead_token(any_jira: RunningJira) -> None:
    """The login is what is wrong; nothing else is asked for with it, and no secret is shown."""
    token = {"JIRA_API_TOKEN" if any_jira.cloud else "JIRA_TOKEN": "dead-and-gone"}
    findings = await doctor(any_jira, **token)

    assert ill(findings) == {"login": "fail", "everything else": "warn"}
    assert "the token has ended or been withdrawn" in one(findings, "login").text
    assert ("JIRA_API_TOKEN" if any_jira.cloud else "set JIRA_TOKEN") in one(findings, "login").cure
    assert len(any_jira.requests()) <= 2
    assert "dead-and-gone" not in repr(findings)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault(do="anonymous", path="/myself", count=0), "the token has ended"),
        (Fault(do="login_page", path="/myself", count=0), "a login page comes instead of an answer"),
        (Fault(do="captcha", path="/myself", count=0), "Jira wants a captcha solved"),
        (Fault(do="answer", path="/myself", status=503, count=0), "Jira does not answer"),
        (Fault(do="answer", path="/myself", status=302, headers={"Location": "https://x.example/"}), "sends us on"),
        (Fault(do="answer", path="/myself", status=200, body="<html>Hello"), "what answers there is not Jira"),
        (Fault(do="reset", path="/", count=0), "Jira does not answer"),
    ],
    ids=["stranger", "page", "captcha", "down", "moved", "another", "reset"],
)
async def test_ways_not_to_be_let_in(cloud_jira: RunningJira, fault: Fault, told: str) -> None:
    """Each of them has its own words and its own cure."""
    cloud_jira.fault(fault)
    findings = await doctor(cloud_jira)

    assert one(findings, "login").state == "fail"
    assert told in one(findings, "login").text
    assert one(findings, "login").cure


async def test_a_dead_token_that_is_answered_with_200(cloud_jira: RunningJira) -> None:
    """A Jira that answers strangers with 200 and a header, even to `myself`, does not pass for one that knows us."""
    reason = {"X-Seraph-LoginReason": "AUTHENTICATED_FAILED"}
    cloud_jira.fault(Fault(do="answer", path="/myself", status=200, headers=reason, body={"accountId": "nobody"}))
    findings = await doctor(cloud_jira)

    assert "as to a stranger: the token is dead" in one(findings, "login").text


async def test_a_team_managed_project(large_jira: RunningJira) -> None:
    """A team's own project without priority and components: said with what is left out and where the mark stands."""
    findings = await doctor(large_jira, JIRA_PROJECT_KEY="PACK")
    form = next(f for f in findings if f.what.startswith("form ") and "Bug" in f.what)
    project = one(findings, "project PACK").text

    assert form.state == "warn"
    assert "our mark stands in a label; not there and left out: priority, components" in form.text
    assert form.cure == "add to the create screen: components, priority"
    assert project.endswith("managed by its team" if large_jira.cloud else "software project")


async def test_no_labels(any_jira: RunningJira) -> None:
    """Without labels the mark goes into the text; without a description either a lost answer cannot be found again."""
    any_jira.app.site.off_screen = {"labels"}
    without_labels = await doctor(any_jira)
    any_jira.app.site.off_screen = {"labels", "description"}
    without_both = await doctor(any_jira)

    assert "in the description's last line" in next(f.text for f in without_labels if "Bug" in f.what)
    assert [f.state for f in without_both if "Bug" in f.what] == ["fail"]


async def test_a_wrong_project(any_jira: RunningJira) -> None:
    """The keys that there are stand beside the wrong one; the rest of the site is looked at all the same."""
    findings = await doctor(any_jira, JIRA_PROJECT_KEY="NOPE")

    assert ill(findings) == {"project NOPE": "fail"}
    assert "our account sees: HARB, HELP" in one(findings, "project NOPE").text
    assert one(findings, "links").state == "ok"


async def test_an_archived_project(cloud_jira: RunningJira) -> None:
    """Nothing can be written there, so it must be mended."""
    about = {"key": "HARB", "name": "Old", "projectTypeKey": "software", "style": "classic", "archived": True}
    cloud_jira.fault(Fault(do="answer", path="/project/HARB$", status=200, body=about, count=0))

    assert one(await doctor(cloud_jira), "project HARB").text == "is archived: it can be read and not written"


async def test_a_service_project(any_jira: RunningJira) -> None:
    """Request types are known by name; without rights of an agent no comment is internal, unless the settings want none."""
    any_jira.deny("SERVICEDESK_AGENT")
    unset = await doctor(any_jira, JIRA_PROJECT_KEY="HELP")
    wrong = await doctor(any_jira, JIRA_PROJECT_KEY="HELP", JIRA_REQUEST_TYPE="Ask", JIRA_PUBLIC_COMMENTS="true")
    right = await doctor(any_jira, JIRA_PROJECT_KEY="HELP", JIRA_REQUEST_TYPE="ask a question")
    elsewhere = await doctor(any_jira, JIRA_REQUEST_TYPE="Ask a question")

    assert ill(unset) == {"request type": "warn", "permissions": "fail"}
    assert (ill(wrong), ill(right)) == ({"request type": "fail"}, {"permissions": "fail"})
    assert one(wrong, "request type").cure.endswith("Ask a question, Report a problem, Request access")
    assert ill(elsewhere) == {"request type": "warn"}


async def test_no_sprints(any_jira: RunningJira) -> None:
    """Sprints that are switched on and not there must be mended."""
    findings = await doctor(
        any_jira, JIRA_PROJECT_KEY="HELP", ENABLE_SPRINTS="true", JIRA_REQUEST_TYPE="Request access"
    )

    assert "no board of this project is seen" in one(findings, "sprints").text
    assert one(findings, "sprints").state == "fail"


async def test_a_search_that_shows_nothing(any_jira: RunningJira) -> None:
    """An empty answer is told apart from an empty project by a ticket that is there."""
    empty = {"issues": [], "total": 0, "isLast": True}
    any_jira.fault(Fault(do="answer", path="/search", status=200, body=empty, count=0))
    findings = await doctor(any_jira)

    assert one(findings, "search").state == "fail"
    assert "HARB-1 is there" in one(findings, "search").text


async def test_clocks_that_differ(any_jira: RunningJira) -> None:
    """That Jira's clock is off is told; it breaks nothing."""
    any_jira.app.site.clock.skew = -95_000
    findings = await doctor(any_jira)

    assert ill(findings) == {"clock": "warn"}
    assert one(findings, "clock").text.startswith("95 s behind ours") or "94 s" in one(findings, "clock").text


async def test_limits_that_jira_tells(any_jira: RunningJira) -> None:
    """Headers about how much may be asked are shown; a request that comes too soon is asked again."""
    headers = {"X-RateLimit-Limit": "350", "Retry-After": "0"}
    any_jira.fault(Fault(do="answer", path="/issueLinkType", status=429, headers=headers))
    any_jira.fault(Fault(do="limit", path="/field$", per="endpoint", windows=((1000, 60),), count=0))
    findings = await doctor(any_jira)

    assert ill(findings) == {}
    assert "x-ratelimit-limit: 1000" in one(findings, "rate limits").text


async def test_nobody_tells_of_changes(cloud_jira: RunningJira) -> None:
    """Neither polled nor called by Jira's webhook: that must be mended; a secret is never shown."""
    neither = await doctor(cloud_jira, JIRA_POLL_SECONDS="0")
    called = await doctor(cloud_jira, JIRA_POLL_SECONDS="0", JIRA_WEBHOOK_SECRET="a-secret-of-thirty-two-bytes-or-so")

    assert (one(neither, "webhook").state, one(called, "webhook").state) == ("fail", "ok")
    assert "thirty" not in repr(called)


async def test_an_older_data_center() -> None:
    """An 8.22 behind a context path is looked at as well."""
    with running(deployment="server", version="8.22.0", context_path="/jira") as old:
        findings = await findings_of(settings_of(old, JIRA_BASE_URL=f"{old.url}/jira"), None)
        astray = await findings_of(settings_of(old), None)

    assert ill(list(findings)) == {}
    assert "with its context path" in one(list(astray), "login").cure


async def test_one_broken_answer_hides_no_other(any_jira: RunningJira) -> None:
    """Half a body here, an error there, JSON of another shape elsewhere: each is told, all others are looked at."""
    any_jira.fault(Fault(do="truncate", path="/statuses$", count=0))
    any_jira.fault(Fault(do="answer", path="/user/assignable", status=500, count=0))
    any_jira.fault(Fault(do="answer", path="/issuetypes$", status=200, body=["what"], count=0))
    any_jira.fault(Fault(do="answer", path="/transitions$", status=200, body={"transitions": [7]}, count=0))
    findings = await doctor(any_jira, ENABLE_SPRINTS="true")
    states = ill(findings)

    assert (states["forms"], states["statuses"], states["people"]) == ("fail", "warn", "warn")
    assert any(what.startswith("ways:") for what in states)
    assert {one(findings, what).state for what in ("search", "sprints", "links")} == {"ok"}


def test_the_command(installation: Installation) -> None:
    """`triage doctor --jira` looks at Jira alone; exit code 1 where something must be mended, JSON on request."""
    well = installation.triage("doctor", "--jira")
    installation.jira.deny("ADD_COMMENTS")
    (installation.folder / "broken.yaml").write_text("routing: [\n", encoding="utf-8")
    done = installation.triage("doctor", "--jira", "--json", TRIAGE_CONFIG="broken.yaml")
    found = {each["what"]: each for each in json.loads(done.stdout)}

    assert (well.returncode, done.returncode) == (0, 1)
    assert "✓ login: we are Triage Bot" in well.stdout.decode()
    assert "database" not in found
    assert found["permissions"] == {
        "what": "permissions",
        "state": "fail",
        "text": "ADD_COMMENTS is missing: what repeats or answers a ticket cannot be noted there",
        "cure": found["permissions"]["cure"],
    }
