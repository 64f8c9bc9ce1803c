"""Facts read from answers that a sandbox does not give: clocks, tokens that end, pages that repeat, bodies of any shape."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from requests.structures import CaseInsensitiveDict

from cli.doctor.forms import Visit
from cli.doctor.jira import findings
from integrations.jira.diagnostics.access import Access
from integrations.jira.diagnostics.inspection import JiraFacts, facts_of
from integrations.jira.diagnostics.jira_probe import ProbeAnswer
from integrations.jira.http.errors import JiraAnswer
from triage.config.settings import Isolated, load
from triage.config.triage_yaml import Config

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SERVER = {"baseUrl": "https://jira.example.com", "deploymentType": "Server", "version": "10.3.24"}
SETTINGS = load(Isolated, JIRA_BASE_URL="https://jira.example.com", JIRA_TOKEN="t", JIRA_PROJECT_KEY="OPS")


def seen(what: str, body: Any, **headers: str) -> ProbeAnswer:
    """A good answer."""
    answer = JiraAnswer(200, CaseInsensitiveDict(headers), json.dumps(body).encode())
    return ProbeAnswer(what=what, path=what, params={}, answer=answer, at=NOW)


def told(facts: JiraFacts) -> dict[str, str]:
    """What the doctor makes of them."""
    return {finding.what: finding.text for finding in findings(Visit(facts, SETTINGS, Config()))}


def test_clocks() -> None:
    """Jira's own clock counts before that of whoever sends the answer; without either nothing is said."""
    ahead = (NOW + timedelta(minutes=3)).strftime("%Y-%m-%dT%H:%M:%S.000+0000")
    both = facts_of([seen("server", {**SERVER, "serverTime": ahead}, Date="Fri, 20 Nov 2026 12:00:00 GMT")])
    date = facts_of([seen("server", SERVER, Date="Fri, 20 Nov 2026 11:59:00 GMT")])
    none = facts_of([seen("server", SERVER)])

    assert (both.server.skew, date.server.skew, none.server.skew) == (180.0, -60.0, None)
    assert told(both)["clock"] == "180 s ahead of ours; that breaks nothing here"
    assert "clock" not in told(none)


def test_a_token_that_ends() -> None:
    """Of several tokens the one that was used last is ours; that it ends soon is told in time."""
    soon = (datetime.now(UTC) + timedelta(days=9)).strftime("%Y-%m-%dT%H:%M:%S.000+0000")
    tokens = [
        {"name": "old", "expiringAt": "2020-01-01T00:00:00.000+0000", "lastAccessed": "2019-12-01T00:00:00.000+0000"},
        {"name": "ours", "expiringAt": soon, "lastAccessed": "2026-11-20T12:00:00.000+0000"},
        {"name": "never used", "expiringAt": "2027-01-01T00:00:00.000+0000"},
    ]
    facts = facts_of([seen("server", SERVER), seen("me", {"name": "bot"}), seen("tokens", tokens)])

    assert facts.access is Access.OURS
    assert told(facts)["token"] == f"ends on {soon[:10]}"
    assert "token" not in told(facts_of([seen("server", SERVER), seen("me", {"name": "bot"}), seen("tokens", [])]))


def test_people_once() -> None:
    """A Data Center that turns no pages repeats its people; bots and customers are none."""
    page = [
        {"name": "ann", "displayName": "Ann", "emailAddress": "ann@example.com"},
        {"name": "x", "accountType": "app"},
    ]
    facts = facts_of([seen("me", {"name": "bot"}), seen("people", page), seen("people", page)])

    assert [person.name for person in facts.people] == ["Ann"]


@pytest.mark.parametrize("asked", [["me", "me"], ["me", "server"], ["server"]])
def test_who_we_are_comes_with_the_login(asked: list[str]) -> None:
    """A login that is ours has a name, whatever else was answered, and whichever question told of it."""
    facts = facts_of([seen(what, None if number else {"name": "bot"}) for number, what in enumerate(asked)])

    assert (facts.access, facts.me and facts.me.name) == (Access.OURS, "bot")
    assert told(facts)["login"] == "we are bot (bot)"


WHATS = (
    "server", "me", "rights", "agent", "project", "projects", "types", "form:1", "statuses", "people", "newest", "first", "ways:OPS-1",
    "links", "files", "fields", "switches", "tokens", "boards", "sprints:1", "request types", "request form:1",
)  # fmt: skip
KEYS = st.sampled_from([
    "key", "id", "name", "values", "issueTypes", "fields", "issues", "transitions", "to", "status", "issuetype", "permissions",
    "havePermission", "issueLinkTypes", "uploadLimit", "enabled", "baseUrl", "deploymentType", "version", "serverTime", "schema",
    "allowedValues", "statuses", "statusCategory", "expiringAt", "lastAccessed", "requestTypeFields", "accountId", "projectTypeKey",
])  # fmt: skip
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["1", "OPS", "OPS-1", "", "done", "Cloud"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(WHATS), ANY))
def test_any_json(bodies: dict[str, Any]) -> None:
    """Whatever answers, the doctor has his say about it and does not fall over."""
    facts = facts_of([seen("me", {"name": "bot"}), *(seen(what, body) for what, body in bodies.items())])
    said = told(facts)

    assert {"login", "project OPS", "rate limits", "webhook"} <= said.keys()
