"""Forms, required fields, steps with a screen, levels, and fields that a site makes for itself."""

from typing import Any

import httpx2
import pytest
from jira import JIRAError

from sandbox.tests.jira.issue.asked import BUG, field, history, made, problems, shown
from tests.servers.sandbox import RunningJira
from triage_sandbox.jira.ground.identity import Login, admit
from triage_sandbox.jira.issue.fields.custom import define
from triage_sandbox.jira.seed.projects import CLASSES, REQUIRED_FIELD, STRICT, TEAM

OSKAR = {"cloud": "712020:60d17be2-f95a-4c33-88ae-2f7d0c915be4", "server": "oskar.lindqvist"}


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
