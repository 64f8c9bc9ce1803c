"""What a recorded answer keeps and what it hides: Jira's words stay, everybody's own have stand-ins."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.jira.diagnostics.anonymous import JiraAnonymiser
from integrations.jira.diagnostics.jira_vocabulary import THEIR_KEYS

SITE = "https://acme-rockets.atlassian.net"
PERSON = {
    "self": f"{SITE}/rest/api/3/user?accountId=5b10a284",
    "accountId": "5b10a284",
    "accountType": "atlassian",
    "emailAddress": "wile.coyote@acme-rockets.example",
    "displayName": "Wile Coyote",
    "active": True,
    "timeZone": "America/Phoenix",
    "avatarUrls": {"48x48": "https://secure.gravatar.com/avatar/0fb5c1?d=https%3A%2F%2Fx"},
}
OTHER = {"name": "rrunner", "key": "JIRAUSER10200", "emailAddress": "road@runner.example", "displayName": "Road Runner"}
PROJECT = {
    "self": f"{SITE}/rest/api/3/project/1",
    "id": "10000",
    "key": "ACME",
    "name": "Acme Rockets",
    "style": "classic",
}
PERSONAL = (
    "5b10a284", "wile.coyote", "Wile Coyote", "coyote", "acme", "rrunner", "JIRAUSER10200", "runner", "Phoenix",
    "gravatar", "0fb5c1",
)  # fmt: skip


def hidden(*bodies: Any, project: str = "ACME") -> list[Any]:
    """The bodies of one recording, anonymous."""
    anonymous = JiraAnonymiser(SITE, project)
    for body in bodies:
        anonymous.collect(body)
    return [anonymous.value(body) for body in bodies]


def betrayed(told: Any) -> list[str]:
    """Personal words that can be read in it."""
    text = json.dumps(told, ensure_ascii=False).casefold()
    return [word for word in PERSONAL if word.casefold() in text]


def test_a_person() -> None:
    """Everything that names somebody has a stand-in of the same shape, the same one in every answer."""
    one, lead = hidden(PERSON, {"lead": {**PERSON}, "leadAccountId": "5b10a284"})

    assert betrayed([one, lead]) == []
    assert (one["accountId"], one["displayName"], one["emailAddress"]) == (
        "account-1",
        "Person 1",
        "person1@example.com",
    )
    assert (one["accountType"], one["active"], one["timeZone"]) == ("atlassian", True, "Etc/UTC")
    assert (lead["lead"], lead["leadAccountId"]) == (one, "account-1")


def test_a_ticket() -> None:
    """Key, summary, documents, labels, files and links are hidden; types, states, ids and times stay."""
    text = {
        "type": "text",
        "text": "Call Wile",
        "marks": [{"type": "link", "attrs": {"href": "https://acme.example/x"}}],
    }
    document = {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [text]}]}
    status = {"self": f"{SITE}/rest/api/3/status/3", "name": "In Progress", "id": "3", "description": "By Wile."}
    ticket = {
        "self": f"{SITE}/rest/api/3/issue/10007",
        "id": "10007",
        "key": "ACME-7",
        "fields": {
            "summary": "Rocket skates fail",
            "description": document,
            "status": status,
            "labels": ["skates", "triage-0123456789abcdef0123"],
            "created": "2026-11-20T08:13:13.360+0100",
            "attachment": [{"filename": "Wile.PDF", "author": PERSON, "size": 7, "mimeType": "application/pdf"}],
            "issuelinks": [{"type": {"name": "Relates", "inward": "relates to", "outward": "relates to"}, "outwardIssue": {"key": "ACME-8"}}],
            "customfield_10020": [{"id": 7, "name": "Canyon sprint", "state": "active", "boardId": 1}],
            "customfield_10030": "1985-04-12",
            "customfield_10031": 85000.5,
            "customfield_10032": {"secret note": "the cliff", "value": "Cliff edge"},
        },
    }  # fmt: skip
    (told,) = hidden(ticket)
    fields = told["fields"]

    assert betrayed(told) == []
    assert (told["key"], told["id"], told["self"]) == (
        "PROJ-7",
        "10007",
        "https://jira.example.com/rest/api/3/issue/10007",
    )
    assert fields["status"] == {**fields["status"], "name": "In Progress", "id": "3"}
    assert fields["description"]["content"][0]["type"] == "paragraph"
    assert (fields["created"], fields["customfield_10030"]) == ("2026-11-20T08:13:13.360+0100", "2026-01-01")
    assert (fields["labels"][0], fields["labels"][1].startswith("triage-0")) == ("label-1", True)
    assert (fields["attachment"][0]["filename"], fields["attachment"][0]["mimeType"]) == (
        "file-1.pdf",
        "application/pdf",
    )
    assert (fields["issuelinks"][0]["type"]["name"], fields["issuelinks"][0]["outwardIssue"]["key"]) == (
        "Relates",
        "PROJ-8",
    )
    assert fields["customfield_10020"][0] == {
        "id": 7,
        "name": fields["customfield_10020"][0]["name"],
        "state": "active",
        "boardId": 1,
    }
    assert fields["customfield_10031"] == 1
    assert "note" not in json.dumps(fields)
    assert not {"skates", "cliff", "canyon", "rocket"} & set(json.dumps(told).casefold().replace('"', " ").split())


def test_words_of_administrators_that_name_somebody() -> None:
    """Statuses and types stay, unless a person, the project or the company is in their names."""
    named = {"self": f"{SITE}/rest/api/3/status/9", "name": "Waiting for Wile", "id": "9"}
    plain = {"self": f"{SITE}/rest/api/3/status/8", "name": "Waiting for approval", "id": "8"}
    told = hidden(PERSON, PROJECT, named, plain, {"self": f"{SITE}/rest/api/3/issuetype/1", "name": "Acme incident"})

    assert betrayed(told) == []
    assert [each["name"] for each in told[3:]] == ["Waiting for approval", "Word 2"]


def test_fields() -> None:
    """Jira's own fields keep their names, those that somebody has made do not; kinds and ids stay."""
    own = {"id": "summary", "key": "summary", "name": "Summary", "clauseNames": ["summary"], "schema": {"type": "string", "system": "summary"}}  # fmt: skip
    kind = "com.atlassian.jira.plugin.system.customfieldtypes:select"
    made = {"fieldId": "customfield_10101", "key": "customfield_10101", "name": "Cliff class", "schema": {"type": "option", "custom": kind, "customId": 10101}, "allowedValues": [{"id": "1", "value": "Steep"}]}  # fmt: skip
    sprint = {"id": "customfield_10020", "name": "Sprint", "schema": {"custom": "com.pyxis.greenhopper.jira:gh-sprint"}}
    told = hidden(own, made, sprint)

    assert told[0] == own
    assert (told[1]["fieldId"], told[1]["schema"], told[2]) == ("customfield_10101", made["schema"], sprint)
    assert (told[1]["name"], told[1]["allowedValues"]) == ("Text 1", [{"id": "1", "value": "Text 2"}])


def test_sentences_of_jira() -> None:
    """What Jira says when it says no stays readable; what it quotes, and names in it, do not."""
    said = {
        "errorMessages": [
            "No project could be found with key 'ACME'.",
            "Issue ACME-7 was moved by Wile, see https://acme.example/x.",
        ]
    }
    (_, told) = hidden(PERSON, said)

    assert betrayed(told) == []
    assert told["errorMessages"][0].startswith("No project could be found with key '")
    assert "Issue PROJ-7 was moved by" in told["errorMessages"][1]


def test_sprints_as_data_center_prints_them() -> None:
    """Number and state stay, the name goes."""
    printed = "com.atlassian.greenhopper.service.sprint.Sprint@1f[id=7,rapidViewId=1,state=ACTIVE,name=Canyon,goal=Catch, him]"
    (told,) = hidden({"customfield_10020": [printed]})

    assert told["customfield_10020"][0].endswith("Sprint@1[id=7,rapidViewId=1,state=ACTIVE,name=Sprint]")


def test_whoever_answers_first() -> None:
    """A person who is named in an early answer and introduced in a late one is hidden in both."""
    told = hidden({"self": f"{SITE}/rest/api/3/status/9", "name": "With Coyote"}, PERSON)

    assert betrayed(told) == []


# --- whatever Jira may send -----------------------------------------------------------------------

MORE_KEYS = """
    summary description body fields issues comment errorMessages message roles names properties to status issuetype labels
    customfield_10001 filename expand style projectTypeKey schema custom system inward outward clauseNames fieldId href url
    lead author groupIds
"""
KNOWN_KEYS = sorted(THEIR_KEYS | set(MORE_KEYS.split()))
LEAVES = st.one_of(
    st.sampled_from([
        "Wile Coyote", "wile.coyote@acme-rockets.example", "5b10a284", "rrunner", "JIRAUSER10200", "ACME-12", "ACME", "ask Coyote!",
        f"{SITE}/browse/ACME-3", f"{SITE}/people/5b10a284?name=rrunner", "https://gravatar.com/avatar/0fb5c1", "Acme Rockets", "RUNNER",
        "[~rrunner] see ACME-4", "mailto:road@runner.example",
    ]),
    st.integers(), st.booleans(), st.none(),
)  # fmt: skip
BODIES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KNOWN_KEYS), inner, max_size=6),
    max_leaves=25,
)


@given(BODIES)
def test_nobody_is_betrayed(body: Any) -> None:
    """Wherever Jira may put a person, an address, a place or a key: none of them can be read in the recording."""
    told = hidden(PERSON, OTHER, PROJECT, body)

    assert betrayed(told[3]) == []


@given(BODIES)
def test_the_same_has_the_same_stand_in(body: Any) -> None:
    """Two answers that are equal are equal in the recording, and it is the same recording each time."""
    once, again = hidden(PERSON, body, body)[1:]

    assert once == again
    assert hidden(PERSON, body, body)[1:] == [once, again]


TEXTS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Z"]), min_size=6, max_size=40).map(
    "zq {}".format
)
FREE = st.sampled_from(
    ["summary", "description", "body", "goal", "environment", "displayNameText", "customfield_10001", "helpText"]
)


@given(st.dictionaries(FREE, TEXTS, min_size=1))
def test_no_text_survives(texts: dict[str, str]) -> None:
    """Whatever people write, in any script, not a word of it is kept."""
    (told,) = hidden(texts, project="OPS")
    kept = json.dumps(told, ensure_ascii=False)

    assert [text for text in texts.values() if text in kept] == []
    assert "zq" not in kept


@pytest.mark.parametrize("body", ["http://[broken", "x://", "https://acme-rockets.atlassian.net:port/a?b=%zz"])
def test_addresses_that_are_none(body: str) -> None:
    """They are hidden like all the rest."""
    assert body not in json.dumps(hidden({"url": body}))
