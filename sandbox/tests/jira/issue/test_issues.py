"""Issues of the sandbox beyond making one: many at once, families, forms that demand, verbs, moves, what hangs on them."""

from typing import Any

import httpx2

from sandbox.tests.jira.issue.asked import BUG, field, history, made, problems, shown
from tests.servers.sandbox import RunningJira
from triage_sandbox.jira.seed.projects import TEAM


class TestMany:
    """POST /issue/bulk."""

    def test_each_for_itself(self, jira: Any) -> None:
        """Sound ones are made in their order, the others come back with what is wrong."""
        told = jira.create_issues(
            [{**BUG, "summary": "first"}, {**BUG, "labels": ["a b"]}, {**BUG, "summary": "third"}], prefetch=False
        )

        assert [each["status"] for each in told] == ["Success", "Error", "Success"]
        assert [each["issue"].key for each in told if each["issue"]] == ["HARB-71", "HARB-72"]

    def test_what_is_wrong_is_told_by_place(self, api: httpx2.Client) -> None:
        """201 while one is sound, 400 when none is, both in one shape; what is wrong makes nothing."""
        wrong = {"fields": {**BUG, "summary": ""}}
        sound = {"fields": {**BUG, "summary": "x"}, "properties": [{"key": "triage", "value": 1}]}
        mixed = api.post("/issue/bulk", json={"issueUpdates": [wrong, sound, "nonsense"]})
        none = api.post("/issue/bulk", json={"issueUpdates": [wrong]})

        assert (mixed.status_code, none.status_code) == (201, 400)
        assert [(each["failedElementNumber"], each["status"]) for each in mixed.json()["errors"]] == [
            (0, 400),
            (2, 400),
        ]
        assert mixed.json()["errors"][0]["elementErrors"]["errors"]["summary"].startswith("You must specify a summary")
        assert api.get("/issue/HARB-71/properties/triage").json()["value"] == 1
        assert none.json()["issues"] == []
        assert api.get("/issue/HARB-72").status_code == 404

    def test_half_a_change_is_none(self, api: httpx2.Client) -> None:
        """Where what comes along cannot be taken, nothing is: not of one of many, not of a link."""
        silent = {"body": " "}
        half = {"fields": {**BUG, "summary": "half"}, "update": {"comment": [{"add": silent}]}}
        told = api.post("/issue/bulk", json={"issueUpdates": [half, {"fields": {**BUG, "summary": "whole"}}]}).json()
        before = shown(api, "HARB-12", "issuelinks")
        ends = {"inwardIssue": {"key": "HARB-12"}, "outwardIssue": {"key": "HARB-15"}}
        link = api.post("/issueLink", json={"type": {"name": "Blocks"}, **ends, "comment": silent})

        assert [each["failedElementNumber"] for each in told["errors"]] == [0]
        assert [shown(api, issue["key"], "summary") for issue in told["issues"]] == ["whole"]
        assert api.get("/issue/HARB-72").status_code == 404
        assert link.status_code == 400
        assert shown(api, "HARB-12", "issuelinks") == before

    def test_not_too_many(self, api: httpx2.Client) -> None:
        """Fifty at most, and at least one."""
        for count in (0, 51):
            updates = [{"fields": {**BUG, "summary": "x"}}] * count
            assert api.post("/issue/bulk", json={"issueUpdates": updates}).status_code == 400


class TestFamilies:
    """Parents, sub-tasks and epics."""

    def test_an_epic_as_each_deployment_has_it(self, jira: Any, api: httpx2.Client, any_jira: RunningJira) -> None:
        """Cloud says `parent`; Server a link by key, and its epics must have a name. Queries find both ways."""
        if any_jira.cloud:
            epic = jira.create_issue(project="HARB", issuetype="Epic", summary="big").key
            child = made(api, parent={"key": epic})
            assert shown(api, child, "parent")["key"] == epic
        else:
            name, link = field(api, "Epic Name"), field(api, "Epic Link")
            nameless = api.post("/issue", json={"fields": {**BUG, "issuetype": {"name": "Epic"}, "summary": "big"}})
            assert problems(nameless) == {name: "Epic Name is required."}
            epic = made(api, issuetype={"name": "Epic"}, **{name: "Big"})
            child = made(api, **{link: epic})
            assert shown(api, child, link) == epic
            assert shown(api, child, "parent") is None
            api.put(f"/issue/{child}", json={"fields": {link: None}}).raise_for_status()
            assert history(any_jira, child)[-1]["field"] == "Epic Link"
            api.put(f"/issue/{child}", json={"fields": {link: epic}}).raise_for_status()
            assert link in problems(api.put(f"/issue/{child}", json={"fields": {link: "HARB-3"}}))
        assert [issue.key for issue in jira.search_issues(f'"Epic Link" = {epic}')] == [child]
        assert [issue.key for issue in jira.search_issues(f"parent = {epic}")] == [child]

    def test_who_cannot_be_whose_parent(self, api: httpx2.Client) -> None:
        """A sub-task has a parent, no sub-task is one, and a bug is no part of a bug."""
        bug = made(api)
        part = made(api, issuetype={"name": "Sub-task"}, parent={"key": bug})
        for kind, parent in (("Sub-task", None), ("Sub-task", part), ("Bug", bug), ("Sub-task", "HARB-1")):
            fields: dict[str, Any] = {**BUG, "issuetype": {"name": kind}, "summary": "x"}
            answer = api.post("/issue", json={"fields": fields | ({"parent": {"key": parent}} if parent else {})})
            assert set(problems(answer)) <= {"parent", "parentId"}, (kind, parent)
        assert "issuetype" in problems(api.put(f"/issue/{part}", json={"fields": {"issuetype": {"name": "Bug"}}}))
        assert "parent" in problems(api.put(f"/issue/{part}", json={"fields": {"parent": None}}))

    def test_subtasks_are_told_and_go_with_their_parent(self, api: httpx2.Client) -> None:
        """Deleting needs the word; then both are gone, and no number is used again."""
        bug = made(api)
        part = made(api, issuetype={"name": "Sub-task"}, parent={"key": bug})

        assert [each["key"] for each in shown(api, bug, "subtasks")] == [part]
        assert [each["key"] for each in api.get(f"/issue/{bug}/subtask").json()] == [part]
        assert api.delete(f"/issue/{bug}").status_code == 400
        assert api.delete(f"/issue/{bug}", params={"deleteSubtasks": "true"}).status_code == 204
        assert api.get(f"/issue/{part}").status_code == 404
        assert made(api) == "HARB-73"


class TestVerbs:
    """`update` with add, remove, set and edit."""

    def test_lists_grow_and_shrink(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """Of labels, components and releases, in one call, step by step."""
        key = made(api, labels=["a", "b"], components=[{"name": "Booking"}])
        update = {
            "labels": [{"add": "c"}, {"remove": "a"}],
            "components": [{"set": [{"name": "Customs"}]}, {"add": {"name": "Tracking"}}],
            "fixVersions": [{"add": {"name": "2026.12"}}],
            "versions": [{"set": [{"name": "2026.9"}]}],
            "summary": [{"set": "two"}],
            "timetracking": [{"edit": {"originalEstimate": "1d 2h"}}],
        }
        assert api.put(f"/issue/{key}", json={"update": update}).status_code == 204
        fields = api.get(f"/issue/{key}").json()["fields"]

        assert fields["labels"] == ["b", "c"]
        assert [part["name"] for part in fields["components"]] == ["Customs", "Tracking"]
        assert ([each["name"] for each in fields["fixVersions"]], fields["summary"]) == (["2026.12"], "two")
        assert [each["name"] for each in fields["versions"]] == ["2026.9"]
        assert fields["timetracking"]["originalEstimateSeconds"] == 10 * 3600
        assert "Version" in [line["field"] for line in history(any_jira, key)]

    def test_what_comes_along(self, server_jira: RunningJira) -> None:
        """A link, a comment and work in the same call as a new issue, a change or a step; broken ones stop all of it."""
        update = {
            "issuelinks": [{"add": {"type": {"name": "Blocks"}, "inwardIssue": {"key": "HARB-8"}}}],
            "comment": [{"add": {"body": "along"}}],
            "worklog": [{"add": {"timeSpent": "1h"}}],
        }
        with server_jira.api() as api:
            new = api.post("/issue", json={"fields": {**BUG, "summary": "x"}, "update": update}).json()["key"]
            out = {"issuelinks": [{"add": {"type": {"name": "Blocks"}, "outwardIssue": {"key": "HARB-3"}}}]}
            api.put(f"/issue/{new}", json={"update": out}).raise_for_status()
            fields = api.get(f"/issue/{new}").json()["fields"]
            wrong: tuple[dict[str, Any], ...] = (
                {"comment": [{"add": ""}]},
                {"issuelinks": [{"set": []}]},
                {"worklog": [7]},
            )
            for broken in wrong:
                answer = api.post("/issue", json={"fields": {**BUG, "summary": "x"}, "update": broken})
                assert set(problems(answer)) == set(broken)
            assert made(api) == "HARB-72"

        ends = [(link.get("inwardIssue") or link.get("outwardIssue"))["key"] for link in fields["issuelinks"]]
        assert ends == ["HARB-8", "HARB-3"]
        assert fields["comment"]["total"] == 1
        assert fields["timespent"] == 3600

    def test_comments_by_verbs(self, server_jira: RunningJira) -> None:
        """Said differently and taken back in a change of the issue; only those that are its own."""
        with server_jira.api() as api:
            number = api.post("/issue/HARB-3/comment", json={"body": "first"}).json()["id"]
            edit = {"comment": [{"edit": {"id": number, "body": "second"}}, {"add": {"body": "third"}}]}
            api.put("/issue/HARB-3", json={"update": edit}).raise_for_status()
            said = [each["body"] for each in shown(api, "HARB-3", "comment")["comments"]][-2:]
            remove = {"comment": [{"remove": {"id": number}}]}
            elsewhere = api.put("/issue/HARB-4", json={"update": remove}).status_code
            api.put("/issue/HARB-3", json={"update": remove}).raise_for_status()

            assert (said, elsewhere) == (["second", "third"], 400)
            assert shown(api, "HARB-3", "comment")["comments"][-2]["body"] != "second"

    def test_verbs_that_a_field_does_not_have(self, api: httpx2.Client) -> None:
        """A summary cannot be added to, a list of steps must be one."""
        for update in (
            {"summary": [{"add": "x"}]},
            {"labels": {"add": "x"}},
            {"labels": [{"add": "x", "remove": "y"}]},
        ):
            assert set(problems(api.put("/issue/HARB-3", json={"update": update}))) == set(update)

    def test_cloud_gives_the_issue_back_on_request(self, cloud_jira: RunningJira) -> None:
        """`returnIssue` saves a request."""
        with cloud_jira.api() as api:
            answer = api.put("/issue/HARB-3", params={"returnIssue": "true"}, json={"fields": {"labels": ["new"]}})

        assert (answer.status_code, answer.json()["fields"]["labels"]) == (200, ["new"])


class TestMoves:
    """An issue in another project."""

    def test_the_old_key_leads_on(self, large: httpx2.Client, large_jira: RunningJira) -> None:
        """By both keys, in links and queries; what the new project lacks is left behind; the history tells."""
        before = large.get("/issue/HARB-12").json()
        with large_jira.client() as door:
            new = door.post("/__sandbox__/move", json={"issue": "HARB-12", "project": TEAM}).json()["key"]
            assert door.post("/__sandbox__/move", json={"issue": "HARB-999", "project": TEAM}).status_code == 404
        after = large.get("/issue/HARB-12").json()

        assert (after["id"], after["key"]) == (before["id"], new)
        assert large.get(f"/issue/{new}").json()["fields"]["components"] == []
        lines = history(large_jira, new)[-2:]
        assert [(line["field"], line["fromString"]) for line in lines] == [
            ("project", "Harbourline Platform"),
            ("Key", "HARB-12"),
        ]
        way = "/search/jql" if large_jira.cloud else "/search"
        found = large.post(way, json={"jql": "key = HARB-12", "fields": ["key"]}).json()["issues"]
        assert [each["key"] for each in found] == [new]
        assert large.put("/issue/HARB-12", json={"fields": {"summary": "still here"}}).status_code == 204


class TestTold:
    """What can be asked to come along, and histories."""

    def test_everything_that_can_be_expanded(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """Names, types, HTML, what can be edited, where it can go."""
        wanted = "names,schema,renderedFields,editmeta,transitions,operations,changelog"
        issue = api.get("/issue/HARB-8", params={"expand": wanted}).json()

        assert issue["names"]["summary"] == "Summary"
        assert issue["schema"]["labels"] == {"type": "array", "items": "string", "system": "labels"}
        assert issue["renderedFields"]["description"].startswith("<p>")
        assert len(issue["renderedFields"]["comment"]["comments"]) == 2
        assert issue["renderedFields"]["created"].endswith((" AM", " PM"))
        assert issue["editmeta"]["fields"]["labels"]["operations"] == ["add", "set", "remove"]
        assert issue["transitions"]
        assert issue["operations"] == {"linkGroups": []}
        assert any_jira.cloud is ("fieldId" in issue["changelog"]["histories"][0]["items"][0])

    def test_histories_page_by_page(self, cloud_jira: RunningJira) -> None:
        """The oldest first; by number; of many issues, of some fields, with times as numbers."""
        with cloud_jira.api() as api:
            for number in range(3):
                api.put("/issue/HARB-3", json={"fields": {"summary": f"s{number}", "labels": [f"l{number}"]}})
            api.put("/issue/HARB-4", json={"fields": {"labels": ["other"]}})
            page = api.get("/issue/HARB-3/changelog", params={"maxResults": 2, "startAt": 1}).json()
            numbers = [int(page["values"][0]["id"])]
            some = api.post("/issue/HARB-3/changelog/list", json={"changelogIds": numbers}).json()
            asked = {"issueIdsOrKeys": ["HARB-3", "HARB-4"], "fieldIds": ["labels"], "maxResults": 3}
            many = api.post("/changelog/bulkfetch", json=asked).json()
            rest = api.post("/changelog/bulkfetch", json={**asked, "nextPageToken": many["nextPageToken"]}).json()

        assert (page["total"], len(page["values"]), page["isLast"]) == (4, 2, False)
        assert [entry["id"] for entry in some["histories"]] == [str(numbers[0])]
        assert [len(log["changeHistories"]) for log in (*many["issueChangeLogs"], *rest["issueChangeLogs"])] == [3, 1]
        assert isinstance(many["issueChangeLogs"][0]["changeHistories"][0]["created"], int)

    def test_data_center_has_no_such_pages(self, server_jira: RunningJira) -> None:
        """Only `expand`."""
        with server_jira.api() as api:
            assert api.get("/issue/HARB-3/changelog").status_code == 404

    def test_the_picker(self, api: httpx2.Client) -> None:
        """What was touched last and holds the words, marked; of the current search beside it."""
        asked = {
            "query": "label",
            "currentJQL": "project = HARB AND statusCategory = Done",
            "currentIssueKey": "HARB-10",
        }
        recent, current = api.get("/issue/picker", params=asked).json()["sections"]
        nothing = api.get("/issue/picker", params={"query": "<script>nothing"}).json()["sections"][0]

        assert (recent["id"], current["id"]) == ("hs", "cs")
        assert {each["key"] for each in current["issues"]} < {each["key"] for each in recent["issues"]}
        assert all("<b>label</b>" in each["summary"].casefold() for each in recent["issues"])
        assert "HARB-10" not in {each["key"] for each in recent["issues"]}
        assert nothing["issues"] == []
