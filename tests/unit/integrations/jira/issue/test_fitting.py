"""Drafts fitted to a form before anything is sent."""

from dataclasses import replace
from typing import Any

import pytest

from integrations.jira.issue.draft import CreateAttempt
from integrations.jira.issue.fitting import Fitter
from integrations.jira.issue.screen import EPIC_LINK, EPIC_NAME, SPRINT, IssueScreen, screen_of
from integrations.jira.shapes import Site
from tests.servers.scripted_jira import on_form
from triage.domain.errors import TrackerRejected
from triage.domain.tickets import Mark, TicketDraft

CLOUD = Site(cloud=True, url="https://jira.example.com")
SERVER = Site(cloud=False, url="https://jira.example.com")
MARK = Mark(label="triage-0123456789abcdef0abc", case="case-7", message_hash="f00")
DRAFT = TicketDraft(
    summary="Export fails",
    description="It *fails*.",
    issue_type="Bug",
    priority="high",
    components=("Web", "Nonsense"),
    labels=("mail",),
    sprint=7,
    parent="OPS-2",
)
PLAIN = (on_form("summary"), on_form("description"), on_form("labels"))
FULL = (
    *PLAIN,
    on_form("priority", allowed=("High", "Low")),
    on_form("components", allowed=("Web", "App")),
    on_form("parent", schema={"type": "issuelink", "system": "parent"}),
    on_form("customfield_20", schema={"type": "array", "items": "json", "custom": SPRINT}),
    on_form("customfield_14", label="Epic Link", schema={"type": "any", "custom": EPIC_LINK}),
)


def screen(*shapes: dict[str, Any], cloud: bool = True) -> IssueScreen:
    """The form for bugs."""
    return screen_of({"id": "1", "name": "Bug"}, shapes, cloud=cloud)


def fields(attempt: CreateAttempt, site: Site = CLOUD) -> Any:
    """What is sent in them."""
    return attempt.body(site, "OPS")["fields"]


def test_a_full_form_takes_everything() -> None:
    """By ids where the form tells them; only what it does not offer stays behind."""
    attempt = Fitter(site=CLOUD).fit(DRAFT, MARK, screen(*FULL))

    assert fields(attempt) == {
        "project": {"key": "OPS"},
        "issuetype": {"id": "1"},
        "summary": "Export fails",
        "description": CLOUD.text("It *fails*."),
        "priority": {"id": "1"},
        "components": [{"id": "1"}],
        "labels": ["mail", "triage-0123456789abcdef0abc"],
        "customfield_20": 7,
        "parent": {"key": "OPS-2"},
    }
    assert attempt.dropped == ("components",)


def test_data_center_links_to_epics() -> None:
    """By a field of its own, though its forms know parents of sub-tasks."""
    sent = fields(Fitter(site=SERVER).fit(DRAFT, MARK, screen(*FULL, cloud=False)), SERVER)

    assert (sent["customfield_14"], "parent" in sent) == ("OPS-2", False)


def test_a_plain_form_takes_less() -> None:
    """And it is told what."""
    attempt = Fitter(site=CLOUD).fit(DRAFT, MARK, screen(*PLAIN))

    assert attempt.dropped == ("priority", "components", "sprint", "parent")
    assert fields(attempt).keys() == {"project", "issuetype", "summary", "description", "labels"}


def test_without_labels_the_mark_is_the_last_line() -> None:
    """Beside the property, which no search finds."""
    draft = replace(DRAFT, sprint=None, parent=None)
    attempt = Fitter(site=SERVER).fit(draft, MARK, screen(on_form("summary"), on_form("description"), cloud=False))

    assert fields(attempt, SERVER)["description"] == "It _fails_.\n\ntriage-0123456789abcdef0abc"
    assert attempt.body(SERVER, "OPS")["properties"][0]["value"]["label"] == "triage-0123456789abcdef0abc"
    assert attempt.dropped[-2:] == ("labels", "marker")


def test_without_labels_and_description_the_property_is_left() -> None:
    """Nothing is put where nobody may write."""
    attempt = Fitter(site=CLOUD).fit(DRAFT, MARK, screen(on_form("summary")))

    assert fields(attempt).keys() == {"project", "issuetype", "summary"}
    assert attempt.body(CLOUD, "OPS")["properties"]


def test_an_empty_description_gives_way_to_the_mark() -> None:
    """The line stands alone then."""
    form = screen(on_form("summary"), on_form("description"), cloud=False)
    attempt = Fitter(site=SERVER).fit(replace(DRAFT, description=""), MARK, form)

    assert fields(attempt, SERVER)["description"] == "triage-0123456789abcdef0abc"


def test_an_epic_is_named() -> None:
    """Data Center demands a name for it, which is the summary's."""
    name = on_form("customfield_11", label="Epic Name", required=True, schema={"type": "string", "custom": EPIC_NAME})
    attempt = Fitter(site=SERVER).fit(DRAFT, MARK, screen(*PLAIN, name, cloud=False))

    assert fields(attempt, SERVER)["customfield_11"] == "Export fails"


SEVERITY = on_form(
    "customfield_30",
    label="Severity",
    required=True,
    allowed=("S1", "S2"),
    schema={"type": "option", "custom": "select"},
)


@pytest.mark.parametrize("name", ["Severity", "severity", "customfield_30"])
def test_our_settings_fill_what_is_demanded(name: str) -> None:
    """By the field's name or id."""
    attempt = Fitter(site=CLOUD, defaults={name: "S2", "Not here": 1}).fit(DRAFT, MARK, screen(*PLAIN, SEVERITY))

    assert fields(attempt)["customfield_30"] == {"id": "2"}


def test_the_draft_comes_before_our_settings() -> None:
    """What a mail says is better than what always holds; where it says nothing, the settings speak."""
    form = screen(*FULL)
    fitter = Fitter(site=CLOUD, defaults={"priority": "Low", "labels": ["x"]})

    assert fields(fitter.fit(DRAFT, MARK, form))["priority"] == {"id": "1"}
    assert fields(fitter.fit(replace(DRAFT, priority=None), MARK, form))["priority"] == {"id": "2"}
    assert fields(fitter.fit(DRAFT, MARK, form))["labels"] == ["mail", "triage-0123456789abcdef0abc"]


@pytest.mark.parametrize("name", ["reporter", "security", "project", "issuetype"])
def test_who_reports_and_who_sees_is_never_sent(name: str) -> None:
    """Not even where the settings or the form ask for it."""
    form = screen(*PLAIN, on_form(name, required=True, allowed=("Secret",)))
    attempt = Fitter(site=CLOUD, defaults={name: "Secret"}).fit(DRAFT, MARK, form)

    assert attempt.more == {}


def test_everything_that_is_missing_is_told_at_once() -> None:
    """Jira's own fields by id, custom ones by name; with values, and the cure."""
    form = screen(*PLAIN, SEVERITY, on_form("duedate", label="Due date", required=True))
    with pytest.raises(TrackerRejected) as told:
        Fitter(site=CLOUD).fit(DRAFT, MARK, form)

    assert told.value.problems == {
        "Severity": "Jira demands it for Bug; allowed: S1, S2; set it under `jira.fields` in triage.yaml",
        "duedate": "Jira demands it for Bug; set it under `jira.fields` in triage.yaml",
    }


def test_what_jira_fills_in_is_not_demanded() -> None:
    """A default of the form's own."""
    form = screen(*PLAIN, SEVERITY | {"hasDefaultValue": True})

    assert "customfield_30" not in fields(Fitter(site=CLOUD).fit(DRAFT, MARK, form))


# --- after a refusal ---------------------------------------------------------------------------


def test_a_refused_sprint_is_left_out_by_its_fields_id() -> None:
    """Jira names the custom field, the draft calls it otherwise."""
    attempt = Fitter(site=CLOUD).fit(DRAFT, MARK, screen(*FULL))
    plainer = attempt.without({"customfield_20": "Sprint is closed", "parent": "no"})

    assert plainer
    assert plainer.dropped == ("components", "sprint", "parent")
    assert not {"customfield_20", "parent"} & fields(plainer).keys()


def test_a_value_of_ours_that_nobody_demands_can_go() -> None:
    """By the name that people know; a demanded one cannot."""
    optional = on_form("customfield_31", label="Team", schema={"type": "string", "custom": "textfield"})
    form = screen(*PLAIN, SEVERITY, optional)
    attempt = Fitter(site=CLOUD, defaults={"Severity": "S1", "Team": "Web"}).fit(replace(DRAFT, labels=()), MARK, form)
    plainer = attempt.without({"customfield_31": "no"})

    assert plainer
    assert plainer.dropped[-1] == "Team"
    assert "customfield_31" not in fields(plainer)
    assert attempt.without({"customfield_30": "no"}) is None


def test_a_refused_marker_becomes_the_last_line() -> None:
    """And the line goes with the description, where even that is refused."""
    attempt = Fitter(site=SERVER).fit(replace(DRAFT, labels=()), MARK, screen(*PLAIN, cloud=False))
    lined = attempt.without({"labels": "no"})
    short = lined.without({"description": "too long"}) if lined else None
    bare = short.without({"description": "no"}) if short else None

    assert lined
    assert fields(lined, SERVER)["description"].endswith("\n\ntriage-0123456789abcdef0abc")
    assert bare
    assert "description" not in fields(bare, SERVER)
    assert bare.property
