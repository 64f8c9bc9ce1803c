"""What the sandbox makes of a new ticket and of texts: as real Jira would, with everything that is wrong at once."""

from typing import Any

import httpx2
import pytest

from tests.servers.sandbox import RunningJira

BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}


def problems(answer: httpx2.Response) -> dict[str, str]:
    """The fields that a 400 complains about."""
    assert answer.status_code == 400
    errors: dict[str, str] = answer.json()["errors"]
    return errors


class TestCreate:
    """POST /issue as the product sends it."""

    def test_properties_come_with_the_issue(self, api: httpx2.Client) -> None:
        """The mark is there in the same moment as the ticket, or neither is."""
        mark = {"key": "triage", "value": {"case": "case-9"}}
        made = api.post("/issue", json={"fields": {**BUG, "summary": "marked"}, "properties": [mark]}).json()
        read = api.get(f"/issue/{made['key']}", params={"fields": "summary", "properties": "triage"}).json()

        assert read["properties"] == {"triage": {"case": "case-9"}}
        assert set(read["fields"]) == {"summary"}
        bad = api.post("/issue", json={"fields": {**BUG, "summary": "unmarked"}, "properties": [{"key": ""}]})
        assert bad.status_code == 400
        assert api.get("/issue/HARB-72").status_code == 404

    def test_a_property_of_many_issues(self, cloud_jira: RunningJira) -> None:
        """Set and forgotten by tasks that clients are sent on to; where it is there or not, as the caller says."""
        with cloud_jira.api() as api:
            numbers = [int(api.get(f"/issue/{key}").json()["id"]) for key in ("HARB-3", "HARB-12")]
            first = {"value": {"a": 1}, "filter": {"entityIds": [*numbers[:1], 1]}}
            sent = api.put("/issue/properties/many", json=first, follow_redirects=False)
            task = api.get("/" + sent.headers["location"].partition("/rest/api/3/")[2]).json()

            assert (sent.status_code, task["status"], task["progress"]) == (303, "COMPLETE", 100)
            other = {"value": 2, "filter": {"entityIds": numbers, "hasProperty": False}}
            api.put("/issue/properties/many", json=other)
            values = [api.get(f"/issue/{number}/properties/many").json()["value"] for number in numbers]
            assert values == [{"a": 1}, 2]
            api.request("DELETE", "/issue/properties/many", json={"entityIds": numbers, "currentValue": 2})
            assert [api.get(f"/issue/{each}/properties/many").status_code for each in numbers] == [200, 404]
            assert api.get("/task/99999999").status_code == 404

    @pytest.mark.parametrize(
        ("field", "value", "words"),
        [
            ("summary", None, "You must specify a summary of the issue."),
            ("summary", "  ", "You must specify a summary of the issue."),
            ("summary", "x" * 256, "255 characters"),
            ("summary", "a\nb", "newline characters"),
            ("summary", 7, "must be a string"),
            ("priority", {"name": "Urgent"}, "Priority name 'Urgent' is not valid"),
            ("priority", {"id": "99"}, "The priority selected is invalid."),
            ("components", [{"name": "Cellar"}], "Component name 'Cellar' is not valid"),
            ("components", "Booking", "not an array"),
            ("labels", ["two words"], "contains spaces"),
            ("labels", "x", "not an array"),
            ("issuetype", {"name": "Wish"}, "issue type"),
            ("assignee", {"accountId": "nobody-7", "name": "nobody-7"}, "'nobody-7' does not exist"),
            ("duedate", "tomorrow", "Error parsing date"),
            ("colour", "red", "It is not on the appropriate screen, or unknown."),
            ("resolution", {"name": "Done"}, "It is not on the appropriate screen, or unknown."),
        ],
    )
    def test_values_are_checked(self, api: httpx2.Client, field: str, value: Any, words: str) -> None:
        """What real Jira would refuse is refused with the field's name, and nothing is created."""
        fields = {**BUG, "summary": "fine", field: value}
        errors = problems(api.post("/issue", json={"fields": fields}))

        assert list(errors) == [field]
        assert words in errors[field]
        assert api.get("/issue/HARB-71").status_code == 404

    def test_all_problems_at_once(self, api: httpx2.Client) -> None:
        """A client can mend everything after one answer."""
        errors = problems(api.post("/issue", json={"fields": {"project": {"key": "HARB"}, "labels": [""], "x": 1}}))

        assert set(errors) == {"summary", "issuetype", "labels", "x"}

    def test_people_who_left_and_apps_get_nothing(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """Inactive and app accounts exist, and cannot be assigned."""
        for account, name in (
            ("5d7b3ea0c8f6412905be6add", "milan.petrovic"),
            ("557058:f1d2c94a-b087-4e3e-9c1d-5a2b7c60d413", "release.notes"),
        ):
            who = {"accountId": account} if any_jira.cloud else {"name": name}
            errors = problems(api.post("/issue", json={"fields": {**BUG, "summary": "x", "assignee": who}}))
            assert "cannot be assigned issues" in errors["assignee"]

    def test_a_field_off_the_screen(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """A hidden field is in no form and cannot be set; without it the ticket is fine."""
        api.post(f"{any_jira.url}/__sandbox__/screen", json={"hide": ["priority", "labels"]})
        fields = {**BUG, "summary": "plain"}

        errors = problems(api.post("/issue", json={"fields": {**fields, "priority": {"name": "High"}}}))
        assert errors == {
            "priority": "Field 'priority' cannot be set. It is not on the appropriate screen, or unknown."
        }
        form = api.get("/issue/createmeta/HARB/issuetypes/10004").json()
        assert "priority" not in {item["fieldId"] for item in form["fields" if any_jira.cloud else "values"]}
        assert api.post("/issue", json={"fields": fields}).status_code == 201

    def test_the_project_must_be_there(self, api: httpx2.Client) -> None:
        """Another project's tickets are not created here."""
        assert list(problems(api.post("/issue", json={"fields": {"project": {"key": "NOPE"}, "summary": "x"}}))) == [
            "project"
        ]

    @pytest.mark.parametrize("body", ["", "{", "[]", "7", '"x"', '{"fields": 7}', '{"fields": {}, "update": []}'])
    def test_nonsense_is_refused(self, api: httpx2.Client, body: str) -> None:
        """A body that is none gets a 400 in Jira's shape."""
        answer = api.post("/issue", content=body, headers={"content-type": "application/json"})

        assert answer.status_code == 400
        assert set(answer.json()) == {"errorMessages", "errors"}

    def test_half_a_surrogate_pair(self, api: httpx2.Client) -> None:
        """JSON can say what no database can store: a 400, not a crash."""
        body = '{"fields": {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}, "summary": "a \\ud83d b"}}'
        answer = api.post("/issue", content=body, headers={"content-type": "application/json"})

        assert answer.status_code == 400


class TestTexts:
    """Descriptions and comments in two languages."""

    def test_v3_takes_documents_and_v2_strings(self, cloud_jira: RunningJira) -> None:
        """The same text is read in both, and each version refuses the other's language."""
        document = {
            "type": "doc",
            "version": 1,
            "content": [
                {
                    "type": "paragraph",
                    "content": [
                        {"type": "text", "text": "It is "},
                        {"type": "text", "text": "urgent", "marks": [{"type": "strong"}]},
                    ],
                }
            ],
        }
        with cloud_jira.client("/rest/api") as api:
            made = api.post("/3/issue", json={"fields": {**BUG, "summary": "x", "description": document}}).json()

            assert api.get(f"/3/issue/{made['key']}").json()["fields"]["description"] == document
            assert api.get(f"/2/issue/{made['key']}").json()["fields"]["description"] == "It is *urgent*"
            wrong = api.post("/3/issue", json={"fields": {**BUG, "summary": "x", "description": "text"}})
            assert "Atlassian Document" in problems(wrong)["description"]
            wrong = api.post("/2/issue", json={"fields": {**BUG, "summary": "x", "description": document}})
            assert problems(wrong) == {"description": "Operation value must be a string"}

    @pytest.mark.parametrize(
        "content",
        [
            [{"type": "paragraph", "content": [{"type": "text", "text": ""}]}],
            [{"type": "text", "text": "loose"}],
            [{"type": "paragraph", "content": [{"type": "paragraph"}]}],
            [{"type": "bulletList", "content": []}],
            [{"type": "marquee"}],
            [{"type": "heading", "attrs": {"level": 9}}],
            [{"type": "codeBlock", "content": [{"type": "hardBreak"}]}],
            [{"type": "paragraph", "content": [{"type": "text", "text": "x", "marks": [{"type": "link"}]}]}],
        ],
    )
    def test_unsound_documents_are_refused(self, cloud_jira: RunningJira, content: list[Any]) -> None:
        """A document that real Jira would refuse is refused, so that we notice here."""
        with cloud_jira.api("3") as api:
            body = {"type": "doc", "version": 1, "content": content}
            answer = api.post("/issue/HARB-3/comment", json={"body": body})

            assert "comment" in problems(answer)

    def test_a_text_has_an_end(self, server_jira: RunningJira) -> None:
        """32,767 characters are a text, one more is not."""
        with server_jira.api("2") as api:
            assert api.post("/issue/HARB-3/comment", json={"body": "x" * 32_767}).status_code == 201
            long = api.post("/issue/HARB-3/comment", json={"body": "x" * 32_768})
            assert "32,767" in problems(long)["comment"]

    def test_comments_carry_properties(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """A property comes with the comment, is listed on request, and stands at its own address."""
        words: Any = "marked"
        if any_jira.cloud:
            paragraph = {"type": "paragraph", "content": [{"type": "text", "text": "marked"}]}
            words = {"type": "doc", "version": 1, "content": [paragraph]}
        mark = {"key": "triage", "value": {"case": "case-2"}}
        made = api.post("/issue/HARB-3/comment", json={"body": words, "properties": [mark]}).json()

        listed = api.get("/issue/HARB-3/comment", params={"expand": "properties", "orderBy": "-created"}).json()
        assert listed["comments"][0]["id"] == made["id"]
        assert listed["comments"][0]["properties"] == [mark]
        assert api.get(f"/comment/{made['id']}/properties/triage").json() == mark
        put = api.put(f"/comment/{made['id']}/properties/more", json=1)
        assert (put.status_code, put.content) == (201, b"")
        assert api.put(f"/comment/{made['id']}/properties/more", json=2).status_code == 200
        assert api.delete(f"/comment/{made['id']}/properties/more").status_code == 204
        assert api.get(f"/comment/{made['id']}/properties/more").status_code == 404
