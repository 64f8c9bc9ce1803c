"""Issues of the sandbox beyond making one: many at once, families, forms that demand, verbs, moves, what hangs on them."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from jira import JIRA, JIRAError

from tests.servers.sandbox import RunningJira
from triage_sandbox.jira.ground.identity import Login, admit
from triage_sandbox.jira.issue.fields.custom import define
from triage_sandbox.jira.seed.projects import CLASSES, REQUIRED_FIELD, STRICT, TEAM

BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}
OSKAR = {"cloud": "712020:60d17be2-f95a-4c33-88ae-2f7d0c915be4", "server": "oskar.lindqvist"}
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
NO_CHECK = {"X-Atlassian-Token": "no-check"}


@pytest.fixture
def jira(any_jira: RunningJira) -> Iterator[Any]:
    """The package as people use it, apart from its retries."""
    client: Any = JIRA(any_jira.url, basic_auth=any_jira.login, max_retries=0)
    yield client
    client.close()


@pytest.fixture
def large(large_jira: RunningJira) -> Iterator[httpx2.Client]:
    """The API of the site with the larger past."""
    with large_jira.api() as client:
        yield client


def problems(answer: httpx2.Response) -> dict[str, str]:
    """The fields that a 400 complains about."""
    assert answer.status_code == 400
    errors: dict[str, str] = answer.json()["errors"]
    return errors


def made(api: httpx2.Client, **fields: Any) -> str:
    """The key of a new bug, or of what the fields say."""
    answer = api.post("/issue", json={"fields": {**BUG, "summary": "one", **fields}})
    assert answer.status_code == 201, answer.text
    key: str = answer.json()["key"]
    return key


def field(api: httpx2.Client, name: str) -> str:
    """The id of a field by what people call it."""
    return next(str(each["id"]) for each in api.get("/field").json() if each["name"] == name)


def shown(api: httpx2.Client, key: str, name: str) -> Any:
    """What an issue has in a field."""
    return api.get(f"/issue/{key}", params={"fields": name}).json()["fields"][name]


def history(running: RunningJira, key: str) -> list[dict[str, Any]]:
    """All lines of an issue's history, the oldest first."""
    with running.api("2") as api:
        entries = api.get(f"/issue/{key}", params={"expand": "changelog", "fields": "id"}).json()["changelog"][
            "histories"
        ]
    ordered = sorted(entries, key=lambda entry: int(entry["id"]))
    return [item for entry in ordered for item in entry["items"]]


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


class TestForms:
    """What forms show, demand and hide, by project and kind."""

    def test_a_required_field_is_announced_and_demanded(self, large: httpx2.Client, large_jira: RunningJira) -> None:
        """It stands in the form's description with its values; without it there is no ticket."""
        number = field(large, REQUIRED_FIELD)
        page = large.get(f"/issue/createmeta/{STRICT}/issuetypes/10003").json()
        meta = next(each for each in page["fields" if large_jira.cloud else "values"] if each["fieldId"] == number)
        task = {"project": {"key": STRICT}, "issuetype": {"name": "Task"}, "summary": "x"}
        without = large.post("/issue", json={"fields": task})
        wrong = large.post("/issue", json={"fields": {**task, number: {"value": "Z"}}})
        key = made(large, **task, **{number: {"value": CLASSES[1]}})

        assert (meta["required"], [each["value"] for each in meta["allowedValues"]]) == (True, list(CLASSES))
        assert problems(without) == {number: f"{REQUIRED_FIELD} is required."}
        assert problems(wrong) == {number: "Option value 'Z' is not valid"}
        assert shown(large, key, number)["value"] == CLASSES[1]
        elsewhere = {"fields": {**BUG, "summary": "x", number: {"value": CLASSES[1]}}}
        assert (
            "It is not on the appropriate screen, or unknown." in problems(large.post("/issue", json=elsewhere))[number]
        )

    def test_a_change_of_a_custom_field_is_remembered(self, large: httpx2.Client, large_jira: RunningJira) -> None:
        """In words, as a custom field; by any form of the option."""
        number = field(large, REQUIRED_FIELD)
        option = shown(large, f"{STRICT}-1", number)["id"]
        large.put(f"/issue/{STRICT}-2", json={"fields": {number: {"value": CLASSES[2]}}}).raise_for_status()
        large.put(f"/issue/{STRICT}-2", json={"update": {number: [{"set": {"id": option}}]}}).raise_for_status()
        last = history(large_jira, f"{STRICT}-2")[-1]

        assert (last["field"], last["fieldtype"]) == (REQUIRED_FIELD, "custom")
        assert (last["fromString"], last["toString"]) == (CLASSES[2], CLASSES[0])

    def test_a_team_project_has_no_priority(self, large: httpx2.Client, large_jira: RunningJira) -> None:
        """Its issues have none, its forms do not offer it, and setting it is refused as off the screen."""
        key = made(large, project={"key": TEAM})
        page = large.get(f"/issue/createmeta/{TEAM}/issuetypes/10004").json()
        ids = [each["fieldId"] for each in page["fields" if large_jira.cloud else "values"]]
        refused = large.put(f"/issue/{key}", json={"fields": {"priority": {"name": "High"}}})

        assert shown(large, key, "priority") is None
        assert "priority" not in ids
        assert "It is not on the appropriate screen, or unknown." in problems(refused)["priority"]
        if large_jira.cloud:
            project = large.get(f"/project/{TEAM}").json()
            assert (project["style"], project["simplified"]) == ("next-gen", True)

    def test_a_step_demands_a_resolution(self, large: httpx2.Client) -> None:
        """The strict project's way to done does not go without one, on Cloud too; it says so beforehand."""
        steps = large.get(f"/issue/{STRICT}-3/transitions", params={"expand": "transitions.fields"}).json()[
            "transitions"
        ]
        done = next(step for step in steps if step["to"]["name"] == "Done")
        without = large.post(f"/issue/{STRICT}-3/transitions", json={"transition": {"id": done["id"]}})
        fixed = {"transition": {"id": done["id"]}, "fields": {"resolution": {"name": "Won't Do"}}}

        assert done["fields"]["resolution"]["required"] is True
        assert problems(without) == {"resolution": "Field Resolution is required."}
        assert large.post(f"/issue/{STRICT}-3/transitions", json=fixed).status_code == 204
        assert shown(large, f"{STRICT}-3", "resolution")["name"] == "Won't Do"
        assert shown(large, f"{STRICT}-3", "resolutiondate")

    def test_a_level_hides_an_issue(self, large: httpx2.Client, large_jira: RunningJira) -> None:
        """Who may not set levels cannot, and does not even see what carries one, unless it is theirs."""
        level = {"security": {"name": "Legal only"}}
        admit(large_jira.app.site.db, Login(name="oskar.lindqvist", secret="his"))
        large.put(f"/issue/{STRICT}-1", json={"fields": level}).raise_for_status()
        with large_jira.api(auth=("oskar.lindqvist", "his")) as his:
            refused = his.put(f"/issue/{STRICT}-2", json={"fields": level})
            before = his.get(f"/issue/{STRICT}-1").status_code
            found = large_jira.app.site.cloud and his.post("/search/jql", json={"jql": f"project = {STRICT}"}).json()
            key = "accountId" if large_jira.cloud else "name"
            mine = {"assignee": {key: OSKAR["cloud" if large_jira.cloud else "server"]}}
            large.put(f"/issue/{STRICT}-1", json={"fields": mine}).raise_for_status()
            after = his.get(f"/issue/{STRICT}-1").status_code

        assert "security" in problems(refused)
        assert (before, after) == (404, 200)
        assert not found or len(found["issues"]) == 3
        assert shown(large, f"{STRICT}-1", "security")["name"] == "Legal only"

    def test_kinds_of_custom_fields(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Each takes what is its own, shows it, refuses other things, and is found by queries."""
        door = any_jira.app.site.db
        person = OSKAR["cloud" if any_jira.cloud else "server"]
        who = {"accountId" if any_jira.cloud else "name": person}
        text = {
            "type": "doc",
            "version": 1,
            "content": [{"type": "paragraph", "content": [{"type": "text", "text": "by van"}]}],
        }
        cases: list[tuple[str, Any, Any, str]] = [
            ("text", "Blue van", 7, '~ "vans"'),
            ("textarea", text if any_jira.cloud else "by van", 7, '~ "van"'),
            ("number", 12.5, "12", "> 12"),
            ("date", "2026-12-01", "soon", '>= "2026-12-01"'),
            ("url", "https://van.example/7", "van", "~ van"),
            ("user", who, {"name": "nobody-at-all", "accountId": "nobody-at-all"}, f'= "{person}"'),
            ("labels", ["fragile"], ["two words"], "= fragile"),
            ("select", {"value": "Red"}, {"value": "Grey"}, "= red"),
            ("multiselect", [{"value": "Red"}, {"value": "Blue"}], {"value": "Red"}, "in (Blue, Green)"),
            ("checkboxes", [{"value": "Green"}], [{"value": "Grey"}], "!= Red"),
        ]
        for kind, value, wrong, clause in cases:
            number = define(door, f"Of kind {kind}", kind, options=("Red", "Green", "Blue"))
            name = f"customfield_{number}"
            key = made(api, **{name: value})
            refused = api.post("/issue", json={"fields": {**BUG, "summary": "x", name: wrong}})
            assert name in problems(refused), kind
            assert shown(api, key, name), kind
            for jql in (f'"Of kind {kind}" {clause}', f"cf[{number}] {clause}", f"cf[{number}] is not EMPTY"):
                jqls = {"jql": jql, "fields": ["key"]}
                found = api.post("/search/jql" if any_jira.cloud else "/search", json=jqls).json()
                assert [each["key"] for each in found["issues"]] == [key], jql
            api.put(f"/issue/{key}", json={"fields": {name: None}}).raise_for_status()
            assert shown(api, key, name) is None, kind


class TestOwnFields:
    """Custom fields made from outside."""

    def test_a_field_is_made_used_and_removed(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """By its type; with options where it offers some; gone with everything it held."""
        type_of = "com.atlassian.jira.plugin.system.customfieldtypes:{}".format
        made_field = api.post(
            "/field", json={"name": "Depot", "type": type_of("select"), "description": "Where"}
        ).json()
        name = made_field["id"]
        if any_jira.cloud:
            context = api.get(f"/field/{name}/context").json()["values"][0]["id"]
            path = f"/field/{name}/context/{context}/option"
            option = api.post(path, json={"options": [{"value": "North"}]}).json()["options"][0]
            assert api.post(path, json={"options": [{"value": "north"}]}).status_code == 400
            assert [each["value"] for each in api.get(path).json()["values"]] == ["North"]
            assert api.get(f"/customFieldOption/{option['id']}").json()["value"] == "North"
            key = made(api, **{name: {"value": "North"}})
            assert shown(api, key, name)["value"] == "North"
            assert [each["id"] for each in api.get("/field/search", params={"query": "depot"}).json()["values"]] == [
                name
            ]
        assert made_field["schema"]["custom"] == type_of("select")
        assert api.delete(f"/field/{name}").status_code == 204
        assert name not in {each["id"] for each in api.get("/field").json()}
        assert "type" in problems(api.post("/field", json={"name": "x", "type": "nothing"}))
        assert "name" in problems(api.post("/field", json={"type": type_of("float")}))

    def test_a_new_site_has_the_states_of_epics(self, jira: Any) -> None:
        """The first option of all, which clients look for."""
        assert jira.custom_field_option("10000").value == "To Do"
        with pytest.raises(JIRAError):
            jira.custom_field_option("9999")


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


class TestBeside:
    """What hangs on an issue."""

    def test_remote_links(self, jira: Any, api: httpx2.Client) -> None:
        """One `globalId` is one link: made with 201, changed with 200; queries find its issue."""
        link = {"globalId": "mail=42", "object": {"url": "https://mail.example/42", "title": "The mail"}}
        first = api.post("/issue/HARB-3/remotelink", json=link)
        again = api.post("/issue/HARB-3/remotelink", json={**link, "object": {**link["object"], "title": "It"}})  # type: ignore[dict-item]  # a dict, as written above
        simple = jira.add_simple_link("HARB-3", {"url": "https://x.example", "title": "x"})
        links = jira.remote_links("HARB-3")

        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json()["id"] == again.json()["id"]
        assert [(each.object.title, getattr(each, "globalId", None)) for each in links] == [
            ("It", "mail=42"),
            ("x", None),
        ]
        found = jira.search_issues('issue in issuesWithRemoteLinksByGlobalId("mail=42", "other")')
        assert [issue.key for issue in found] == ["HARB-3"]
        assert api.put(f"/issue/HARB-3/remotelink/{simple.id}", json=link | {"globalId": "n"}).status_code == 204
        assert api.get("/issue/HARB-3/remotelink", params={"globalId": "n"}).json()["object"]["title"] == "The mail"

    def test_deleting_a_remote_link_needs_a_type(self, api: httpx2.Client) -> None:
        """415 without a Content-Type although there is no body; 404 where there is none any more."""
        link = {"globalId": "g", "object": {"url": "https://x.example", "title": "x"}}
        number = api.post("/issue/HARB-3/remotelink", json=link).json()["id"]
        typed = {"content-type": "application/json"}

        assert api.delete(f"/issue/HARB-3/remotelink/{number}").status_code == 415
        assert api.delete("/issue/HARB-3/remotelink", params={"globalId": "g"}, headers=typed).status_code == 204
        assert api.delete(f"/issue/HARB-3/remotelink/{number}", headers=typed).status_code == 404
        assert problems(api.post("/issue/HARB-3/remotelink", json={"object": {"title": "x"}})) == {
            "url": "'url' is required."
        }

    def test_work(self, jira: Any, api: httpx2.Client) -> None:
        """Written down, summed up, taken off what is left, corrected and taken back."""
        key = made(api, timetracking={"originalEstimate": "1d"})
        entry = jira.add_worklog(key, timeSpent="2h 30m", comment="read the log")
        tracked = jira.issue(key).fields.timetracking

        assert (tracked.timeSpent, tracked.remainingEstimate) == ("2h 30m", "5h 30m")
        assert [each.timeSpentSeconds for each in jira.worklogs(key)] == [9000]
        assert [issue.key for issue in jira.search_issues("worklogAuthor = currentUser() AND timespent > 2h")] == [key]
        entry.update(timeSpent="1h")
        assert jira.worklog(key, entry.id).timeSpentSeconds == 3600
        entry.delete()
        assert jira.worklogs(key) == []
        for wrong in ({"timeSpent": "soon"}, {}, {"timeSpentSeconds": 5}):
            assert "timeLogged" in problems(api.post(f"/issue/{key}/worklog", json=wrong))
        assert "started" in problems(api.post(f"/issue/{key}/worklog", json={"timeSpent": "1h", "started": "today"}))

    def test_work_that_was_written_lately(self, jira: Any, api: httpx2.Client) -> None:
        """By the time of the last change, then by number, of whatever issues."""
        first, second = (jira.add_worklog(key, timeSpent="1h") for key in ("HARB-3", "HARB-4"))
        page = api.get("/worklog/updated", params={"since": 0}).json()
        numbers = [each["worklogId"] for each in page["values"]]

        assert numbers == [int(first.id), int(second.id)]
        assert api.get("/worklog/updated", params={"since": page["until"] + 1}).json()["values"] == []
        assert [each["id"] for each in api.post("/worklog/list", json={"ids": [*numbers, 1]}).json()] == [
            first.id,
            second.id,
        ]
        assert api.get("/worklog/updated", params={"since": "today"}).status_code == 400

    def test_work_without_an_estimate(self, jira: Any, api: httpx2.Client) -> None:
        """Nothing is left to do then, and what is taken back is left to do again; sums hold the parts' work, too."""
        key = made(api)
        part = made(api, issuetype={"name": "Sub-task"}, parent={"key": key})
        entry = jira.add_worklog(key, timeSpent="3h")
        jira.add_worklog(part, timeSpent="1h")
        left = []
        for step in (lambda: entry.update(timeSpent="2h"), entry.delete):
            step()
            left.append(jira.issue(key).fields.timetracking.remainingEstimate)
        fields = jira.issue(key).fields

        assert left == ["1h", "3h"]
        assert (fields.timespent, fields.aggregatetimespent) == (None, 3600)
        assert (fields.progress.total, fields.aggregateprogress.total) == (3 * 3600, 4 * 3600)

    def test_votes(self, jira: Any, api: httpx2.Client) -> None:
        """For others' open issues only, once each, and found by queries."""
        jira.add_vote("HARB-14")
        jira.add_vote("HARB-14")

        assert (jira.votes("HARB-14").votes, jira.votes("HARB-14").hasVoted) == (1, True)
        assert [issue.key for issue in jira.search_issues("voter = currentUser() AND votes = 1")] == ["HARB-14"]
        jira.remove_vote("HARB-14")
        assert api.get("/issue/HARB-14/votes").json()["voters"] == []
        assert api.delete("/issue/HARB-14/votes").status_code == 204
        for key in (made(api), "HARB-3"):
            assert api.post(f"/issue/{key}/votes").status_code == 404

    def test_links_are_one_for_both_ends(self, jira: Any, api: httpx2.Client, any_jira: RunningJira) -> None:
        """201 with nothing in it; each end tells of it, also in its history; gone on both at once."""
        link = {"type": {"name": "Duplicate"}, "inwardIssue": {"key": "HARB-12"}, "outwardIssue": {"key": "HARB-14"}}
        answer = api.post("/issueLink", json=link)
        known = [each for each in jira.issue("HARB-14").fields.issuelinks if getattr(each, "inwardIssue", None)]

        assert (answer.status_code, answer.content) == (201, b"")
        assert known[-1].inwardIssue.key == "HARB-12"
        assert history(any_jira, "HARB-12")[-1]["toString"] == "This issue duplicates HARB-14"
        assert history(any_jira, "HARB-14")[-1]["toString"] == "This issue is duplicated by HARB-12"
        assert [issue.key for issue in jira.search_issues('key in linkedIssues(HARB-14, "is duplicated by")')] == [
            "HARB-12"
        ]
        assert api.delete(f"/issueLink/{known[-1].id}").status_code == 204
        assert not [each for each in shown(api, "HARB-12", "issuelinks") if each["id"] == known[-1].id]
        assert history(any_jira, "HARB-14")[-1]["fromString"] == "This issue is duplicated by HARB-12"
        assert api.get(f"/issueLink/{known[-1].id}").status_code == 404

    def test_what_is_watched(self, cloud_jira: RunningJira) -> None:
        """Of many issues at once: whoever makes an issue watches it."""
        with cloud_jira.api() as api:
            number = api.get(f"/issue/{made(api)}").json()["id"]
            watched = api.post("/issue/watching", json={"issueIds": [number, "10002"]}).json()["issuesIsWatching"]
            wrong = api.post(f"/issue/{number}/changelog", json={})

        assert watched == {number: True, "10002": False}
        assert (wrong.status_code, wrong.json()["status-code"]) == (405, 405)

    def test_a_note_to_people(self, api: httpx2.Client) -> None:
        """Taken when it is for somebody."""
        assert api.post("/issue/HARB-3/notify", json={"subject": "s", "to": {"reporter": True}}).status_code == 204
        assert api.post("/issue/HARB-3/notify", json={"subject": "s"}).status_code == 400


class TestFiles:
    """Attachments on the way out."""

    def test_ids_as_real_jira_mixes_them(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """Text in lists, a number where a file is read alone on Cloud; the history names the file."""
        files = {"file": ("a b.png", PNG, "image/png")}
        stored = api.post("/issue/HARB-3/attachments", files=files, headers=NO_CHECK).json()
        alone = api.get(f"/attachment/{stored[0]['id']}").json()
        line = history(any_jira, "HARB-3")[-1]

        assert isinstance(stored[0]["id"], str)
        assert isinstance(alone["id"], int) is any_jira.cloud
        assert (line["field"], line["toString"], line["to"]) == ("Attachment", "a b.png", stored[0]["id"])
        with any_jira.client() as web:
            small = web.get(alone["thumbnail"])
        assert (small.status_code, small.content) == (200, PNG)

    def test_cloud_sends_clients_on(self, cloud_jira: RunningJira, jira: Any) -> None:
        """303 to a place that asks for no name; whoever does not follow says so; the package follows."""
        with cloud_jira.api() as api:
            number = api.post("/issue/HARB-3/attachments", files={"file": ("x.png", PNG)}, headers=NO_CHECK).json()[0][
                "id"
            ]
            away = api.get(f"/attachment/content/{number}")
            here = api.get(f"/attachment/content/{number}", params={"redirect": "false"})
            with cloud_jira.client(auth=None) as stranger:
                there = stranger.get(away.headers["location"])
                guessed = stranger.get(f"/secure/media/{number}/guessed/x.png")

        assert (away.status_code, here.content, there.content, guessed.status_code) == (303, PNG, PNG, 404)
        if jira._is_cloud:
            assert jira.attachment(number).get() == PNG

    @pytest.mark.parametrize(
        ("asked", "status", "part"),
        [
            ("bytes=0-9", 206, PNG[:10]),
            ("bytes=200-", 206, PNG[200:]),
            ("bytes=-5", 206, PNG[-5:]),
            ("bytes=5000-", 416, b""),
            ("pages=1", 200, PNG),
        ],
    )
    def test_parts(self, any_jira: RunningJira, api: httpx2.Client, asked: str, status: int, part: bytes) -> None:
        """A range is answered with that range, one that is not there with how much is."""
        file = api.post("/issue/HARB-3/attachments", files={"file": ("x.png", PNG)}, headers=NO_CHECK).json()[0]
        with any_jira.client(follow_redirects=True) as web:
            answer = web.get(file["content"], headers={"Range": asked})

        assert (answer.status_code, answer.content) == (status, part)
        if status != 200:
            assert answer.headers["content-range"].endswith(f"/{len(PNG)}")


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
