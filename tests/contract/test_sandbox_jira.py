"""The sandbox Jira, driven by the unmodified `jira` package, then asked by hand for what that package hides."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from jira import JIRA, JIRAError

from integrations.sandbox.jira import Login, jira_app
from integrations.sandbox.server import Served
from tests.servers.sandbox import RunningJira

OSKAR = {"cloud": "acc-60d17be2f95a4c3308ae", "server": "oskar.lindqvist"}
BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}


@pytest.fixture
def jira(any_jira: RunningJira) -> Iterator[Any]:
    """The package as people use it, apart from its retries."""
    client: Any = JIRA(any_jira.url, basic_auth=any_jira.login, max_retries=0, validate=True)
    yield client
    client.close()


@pytest.fixture
def api(any_jira: RunningJira) -> Iterator[httpx2.Client]:
    """The API in the version that our product speaks to this deployment."""
    with any_jira.api() as client:
        yield client


def kind(running: RunningJira) -> str:
    """Cloud or server."""
    return "cloud" if running.cloud else "server"


def problems(answer: httpx2.Response) -> dict[str, str]:
    """The fields that a 400 complains about."""
    assert answer.status_code == 400
    errors: dict[str, str] = answer.json()["errors"]
    return errors


class TestPackage:
    """What the `jira` package does, call by call."""

    def test_it_knows_the_deployment(self, jira: Any, any_jira: RunningJira) -> None:
        """The package decides by serverInfo how to speak, and gets a session and a self."""
        assert jira._is_cloud is any_jira.cloud
        assert jira.myself()["displayName"] == "Triage Bot"
        assert jira.session().name in any_jira.login

    def test_create_and_read(self, jira: Any) -> None:
        """What is created can be read back, with the defaults that Jira fills in."""
        made = jira.create_issue(
            project="HARB",
            issuetype="Bug",
            summary="Labels are cut",
            description="*bold* words",
            labels=["from-mail"],
            components=[{"name": "Booking"}],
            duedate="2026-12-24",
        )

        assert made.key == "HARB-71"
        assert made.fields.description == "*bold* words"
        assert (made.fields.status.name, made.fields.priority.name) == ("To Do", "Medium")
        assert made.fields.status.statusCategory.key == "new"
        assert [part.name for part in made.fields.components] == ["Booking"]
        assert made.fields.reporter.displayName == "Triage Bot"
        assert made.fields.duedate == "2026-12-24"
        assert made.fields.resolution is None
        assert made.permalink().endswith("/browse/HARB-71")

    def test_search(self, jira: Any, any_jira: RunningJira) -> None:
        """Each deployment's own search finds the same tickets, over several pages."""
        jql = 'project = HARB AND statusCategory = "Done" ORDER BY key ASC'
        if any_jira.cloud:
            found = jira.enhanced_search_issues(jql, maxResults=0, fields="summary,status")
            assert len(found) == jira.approximate_issue_count(jql)
        else:
            found = jira.search_issues(jql, maxResults=0, fields="summary,status")
            assert len(found) == found.total

        assert [issue.key for issue in found][:2] == ["HARB-3", "HARB-4"]
        assert {issue.fields.status.name for issue in found} == {"Done"}

    def test_pages_follow_each_other(self, jira: Any, any_jira: RunningJira) -> None:
        """Small pages give every ticket once."""
        client = any_jira.client("/rest/api")
        keys: list[str] = []
        where: dict[str, Any] = {}
        path = "3/search/jql" if any_jira.cloud else "2/search"
        for _ in range(20):
            body = {"jql": "project = HARB", "fields": ["summary"], "maxResults": 9, **where}
            page = client.post(f"/{path}", json=body).json()
            keys += [issue["key"] for issue in page["issues"]]
            if page.get("isLast") or len(keys) == page.get("total"):
                break
            where = {"nextPageToken": page["nextPageToken"]} if any_jira.cloud else {"startAt": len(keys)}
        client.close()

        assert len(keys) == len(set(keys)) == 70

    def test_comment(self, jira: Any) -> None:
        """A comment is the last one, made and changed at the same moment."""
        made = jira.add_comment("HARB-3", "Seen *again*.")

        assert [made.id, "Seen *again*."] == [jira.comments("HARB-3")[-1].id, jira.comment("HARB-3", made.id).body]
        assert made.created == made.updated
        made.update(body="Not seen.")
        assert jira.comment("HARB-3", made.id).body == "Not seen."
        made.delete()
        with pytest.raises(JIRAError, match="Can not find a comment"):
            jira.comment("HARB-3", made.id)

    def test_transition(self, jira: Any, any_jira: RunningJira) -> None:
        """A ticket walks the workflow by its buttons; done means resolved, reopened means not."""
        issue = jira.create_issue(**BUG, summary="walks")
        assert [step["name"] for step in jira.transitions(issue)] == ["Start work", "Close without work"]
        jira.transition_issue(issue, "Start work", comment="on it")
        resolved = {} if any_jira.cloud else {"fields": {"resolution": {"name": "Fixed"}}}
        jira.transition_issue(issue, "Done", **resolved)

        done = jira.issue(issue.key, expand="changelog")
        assert done.fields.status.statusCategory.key == "done"
        assert done.fields.resolution.name == ("Done" if any_jira.cloud else "Fixed")
        assert done.fields.resolutiondate is not None
        assert [comment.body for comment in done.fields.comment.comments] == ["on it"]
        moves = {item.toString for history in done.changelog.histories for item in history.items}
        assert {"In Progress", "Done"} <= moves
        jira.transition_issue(issue, "Reopen")
        assert jira.issue(issue.key).fields.resolution is None
        with pytest.raises(JIRAError, match="not valid for this issue"):
            jira.transition_issue(issue, "51")

    def test_assign(self, jira: Any, any_jira: RunningJira) -> None:
        """By the id of the deployment, and to nobody again."""
        jira.assign_issue("HARB-70", OSKAR[kind(any_jira)])
        assert jira.issue("HARB-70").fields.assignee.displayName == "Oskar Lindqvist"

        jira.assign_issue("HARB-70", None)
        assert jira.issue("HARB-70").fields.assignee is None

    def test_update(self, jira: Any) -> None:
        """Fields are set, lists are added to and taken from."""
        issue = jira.create_issue(**BUG, summary="old", labels=["a", "b"])
        issue.update(
            fields={"summary": "new", "priority": {"name": "Highest"}},
            update={"labels": [{"add": "c"}, {"remove": "a"}], "components": [{"add": {"name": "Customs"}}]},
        )

        assert issue.fields.summary == "new"
        assert issue.fields.labels == ["b", "c"]
        assert issue.fields.priority.name == "Highest"
        assert [part.name for part in issue.fields.components] == ["Customs"]

    def test_properties(self, jira: Any) -> None:
        """A property is set, listed, read and forgotten."""
        jira.add_issue_property("HARB-3", "triage", {"case": "case-1"})

        assert jira.issue_property("HARB-3", "triage").value.case == "case-1"
        assert [item.key for item in jira.issue_properties("HARB-3")] == ["triage"]
        jira.issue_property("HARB-3", "triage").delete()
        with pytest.raises(JIRAError, match="does not exist"):
            jira.issue_property("HARB-3", "triage")

    def test_link(self, jira: Any) -> None:
        """`HARB-70 duplicates HARB-3` is seen from both ends, and gone from both."""
        jira.create_issue_link("Duplicate", "HARB-70", "HARB-3")
        one = next(link for link in jira.issue("HARB-70").fields.issuelinks if hasattr(link, "outwardIssue"))
        other = next(link for link in jira.issue("HARB-3").fields.issuelinks if hasattr(link, "inwardIssue"))

        assert (one.type.outward, one.outwardIssue.key) == ("duplicates", "HARB-3")
        assert (other.type.inward, other.inwardIssue.key) == ("is duplicated by", "HARB-70")
        jira.issue_link(one.id).delete()
        assert other.id not in [link.id for link in jira.issue("HARB-3").fields.issuelinks]

    def test_attachment(self, jira: Any, tmp_path: Any) -> None:
        """A file comes back byte by byte."""
        path = tmp_path / "trace \u00fc.bin"
        path.write_bytes(b"\r\n--x\r\n\x00\xff" * 500)
        made = jira.add_attachment("HARB-3", str(path))

        assert (made.filename, made.size) == (path.name, 4500)
        assert made.get() == path.read_bytes()
        assert jira.attachment_meta()["enabled"]
        made.delete()
        assert jira.issue("HARB-3").fields.attachment == []

    def test_watchers(self, jira: Any, any_jira: RunningJira) -> None:
        """Somebody starts to watch and stops."""
        jira.add_watcher("HARB-3", OSKAR[kind(any_jira)])
        assert "Oskar Lindqvist" in [who.displayName for who in jira.watchers("HARB-3").watchers]

        jira.remove_watcher("HARB-3", OSKAR[kind(any_jira)])
        assert jira.watchers("HARB-3").watchCount == 0

    def test_what_can_be_created(self, jira: Any, any_jira: RunningJira) -> None:
        """Types and their fields, by the endpoint that the deployment has."""
        if any_jira.cloud:
            meta = jira.createmeta("HARB", issuetypeNames="Bug", expand="projects.issuetypes.fields")
            fields = meta["projects"][0]["issuetypes"][0]["fields"]
            assert fields["priority"]["allowedValues"][0]["name"] == "Highest"
            assert fields["summary"]["required"]
        else:
            types = {item.name: item.id for item in jira.project_issue_types("HARB")}
            fields = {item.fieldId: item for item in jira.project_issue_fields("HARB", types["Bug"])}
            assert fields["priority"].allowedValues[0].name == "Highest"
            assert fields["summary"].required
        assert jira.editmeta("HARB-3")["fields"]["labels"]["operations"] == ["add", "set", "remove"]

    def test_catalogues(self, jira: Any) -> None:
        """Small lists come whole and in order."""
        assert [item.name for item in jira.priorities()] == ["Highest", "High", "Medium", "Low", "Lowest"]
        assert [item.name for item in jira.statuses()][:4] == ["To Do", "In Progress", "In Review", "Done"]
        assert {item.name for item in jira.resolutions()} >= {"Done", "Duplicate"}
        assert {item.name for item in jira.issue_types()} >= {"Bug", "Story", "Task"}
        assert {item.name for item in jira.issue_link_types()} >= {"Duplicate", "Relates"}
        assert {"summary", "labels", "assignee"} <= {item["id"] for item in jira.fields()}
        assert jira.project("HARB").lead.displayName == "Nadia Ferreira"
        assert [item.key for item in jira.projects()] == ["HARB", "HELP"]
        assert len(jira.project_components("HARB")) == 8
        assert jira.my_permissions("HARB", permissions="CREATE_ISSUES")["permissions"]["CREATE_ISSUES"][
            "havePermission"
        ]

    def test_people(self, jira: Any, any_jira: RunningJira) -> None:
        """People are found by how their names begin; apps and those who left cannot be assigned."""
        asked = {"query": "os"} if any_jira.cloud else {"username": "os"}
        found = jira.search_users(**asked) if any_jira.cloud else jira.search_users(user="os")
        assignable = jira.search_assignable_users_for_issues(project="HARB", **asked)

        assert [who.displayName for who in found] == ["Oskar Lindqvist"]
        assert [who.displayName for who in assignable] == ["Oskar Lindqvist"]
        assert jira.user(OSKAR[kind(any_jira)]).displayName == "Oskar Lindqvist"

    def test_delete(self, jira: Any) -> None:
        """A deleted ticket is gone, and its number is not used again."""
        first = jira.create_issue(**BUG, summary="one")
        first.delete()

        with pytest.raises(JIRAError) as gone:
            jira.issue(first.key)
        assert gone.value.status_code == 404
        assert jira.create_issue(**BUG, summary="two").key == "HARB-72"


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
            ("issuetype", {"name": "Wish"}, "valid issue type"),
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
            ("acc-5d7b3ea0c8f6412905be", "milan.petrovic"),
            ("acc-557058f1d2c94ab0873e", "release.notes"),
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


class TestDeployments:
    """Where Cloud and Server part ways."""

    def test_the_classic_search_is_gone_from_cloud(self, cloud_jira: RunningJira) -> None:
        """410 in words that name the way out, on both versions and methods."""
        with cloud_jira.client("/rest/api") as api:
            for answer in (api.get("/2/search?jql=project=HARB"), api.post("/3/search", json={"jql": "project=HARB"})):
                assert answer.status_code == 410
                assert "/rest/api/3/search/jql" in answer.json()["errorMessages"][0]

    def test_server_has_no_v3_and_no_enhanced_search(self, server_jira: RunningJira) -> None:
        """What it never had is 404."""
        with server_jira.client("/rest/api") as api:
            for path in ("/3/myself", "/2/search/jql?jql=project=HARB", "/2/nothing", "/4/serverInfo"):
                assert api.get(path).status_code == 404
            assert api.post("/2/issue/bulkfetch", json={"issueIdsOrKeys": ["HARB-1"]}).status_code == 404

    def test_enhanced_search_gives_ids_only(self, cloud_jira: RunningJira) -> None:
        """Without `fields` there is nothing but the id, and never a total."""
        with cloud_jira.api("3") as api:
            page = api.get("/search/jql", params={"jql": "key = HARB-3"}).json()

            assert set(page) == {"issues", "isLast"}
            assert [set(issue) for issue in page["issues"]] == [{"id"}]

    def test_enhanced_search_has_limits(self, cloud_jira: RunningJira) -> None:
        """Unbounded queries, foreign tokens and too many ids to reconcile are refused."""
        with cloud_jira.api("3") as api:
            for jql in ("", "ORDER BY created"):
                answer = api.post("/search/jql", json={"jql": jql})
                assert "Unbounded JQL" in answer.json()["errorMessages"][0]
            assert api.post("/search/approximate-count", json={"jql": ""}).status_code == 400
            first = api.post("/search/jql", json={"jql": "project = HARB", "maxResults": 1}).json()
            token = {"nextPageToken": first["nextPageToken"]}
            assert api.post("/search/jql", json={"jql": "project = HARB", **token}).status_code == 200
            assert api.post("/search/jql", json={"jql": "key = HARB-1", **token}).status_code == 400
            many = {"jql": "project = HARB", "reconcileIssues": list(range(51))}
            assert api.post("/search/jql", json=many).status_code == 400

    def test_cloud_hides_names_and_most_addresses(self, cloud_jira: RunningJira) -> None:
        """AccountId for everybody, an address for those who show it, a user name for nobody."""
        with cloud_jira.api("3") as api:
            people = api.get("/user/assignable/search", params={"project": "HARB"}).json()

            assert len(people) == 14
            assert all(who["accountId"] for who in people)
            assert not any("name" in who or "key" in who for who in people)
            assert sum("emailAddress" in who for who in people) == 3
            answer = api.get("/user/assignable/search", params={"project": "HARB", "username": "os"})
            assert answer.status_code == 400
            assert "GDPR" in answer.json()["errorMessages"][0]
            assert api.get("/user/assignable/search").status_code == 400

    def test_bulk_fetch_reads_what_is_there(self, cloud_jira: RunningJira) -> None:
        """Up to a hundred keys; those without a ticket are left out."""
        with cloud_jira.api("3") as api:
            keys = [f"HARB-{number}" for number in range(69, 75)]
            page = api.post("/issue/bulkfetch", json={"issueIdsOrKeys": keys, "fields": ["labels", "creator"]}).json()

            assert [issue["key"] for issue in page["issues"]] == ["HARB-69", "HARB-70"]
            assert set(page["issues"][0]["fields"]) == {"labels", "creator"}
            many = {"issueIdsOrKeys": [str(number) for number in range(101)]}
            assert api.post("/issue/bulkfetch", json=many).status_code == 400

    def test_resolution_is_asked_for_where_the_workflow_does(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Server's done button has a screen that demands it; Cloud's refuses it."""
        steps = api.get("/issue/HARB-70/transitions", params={"expand": "transitions.fields"}).json()["transitions"]
        close = next(step for step in steps if step["to"]["statusCategory"]["key"] == "done")

        assert ("resolution" in close["fields"]) is not any_jira.cloud
        plain = {"transition": {"id": close["id"]}}
        resolved = {**plain, "fields": {"resolution": {"name": "Duplicate"}}}
        wrong, right = (resolved, plain) if any_jira.cloud else (plain, resolved)
        assert "resolution" in problems(api.post("/issue/HARB-70/transitions", json=wrong))
        assert api.post("/issue/HARB-70/transitions", json=right).status_code == 204


class TestStrangers:
    """Whoever cannot prove who they are."""

    @pytest.mark.parametrize("auth", [("bot@harbourline.example", "wrong"), ("nobody@example.com", "sandbox-token")])
    def test_a_dead_token_looks_like_an_empty_cloud(self, cloud_jira: RunningJira, auth: tuple[str, str]) -> None:
        """Search answers 200 with nothing in it, and only a header tells; most else is 401 or 404."""
        with cloud_jira.api("3", auth=auth) as api:
            search = api.get("/search/jql", params={"jql": "project = HARB", "fields": "summary"})

            assert (search.status_code, search.json()["issues"]) == (200, [])
            assert search.headers["x-seraph-loginreason"] == "AUTHENTICATED_FAILED"
            assert api.get("/myself").status_code == 401
            assert api.get("/issue/HARB-3").status_code == 404
            assert api.get("/project/HARB").status_code == 404
            assert api.get("/serverInfo").status_code == 200
            assert api.post("/issue", json={"fields": {**BUG, "summary": "x"}}).status_code == 401

    def test_data_center_answers_wrong_passwords_with_a_page(self, server_jira: RunningJira) -> None:
        """401 and HTML, for search too."""
        with server_jira.api(auth=("triage.bot", "wrong")) as api:
            answer = api.get("/search", params={"jql": "project = HARB"})

        assert answer.status_code == 401
        assert "text/html" in answer.headers["content-type"]

    def test_a_personal_token_opens(self, server_jira: RunningJira) -> None:
        """Bearer with the token alone says who comes."""
        with server_jira.api(auth=None) as api:
            right = api.get("/myself", headers={"Authorization": f"Bearer {server_jira.token}"})

            assert right.json()["name"] == "triage.bot"
            assert api.get("/myself", headers={"Authorization": "Bearer wrong"}).status_code == 401

    @pytest.mark.parametrize("header", ["", "Basic", "Basic ///", "Basic gA==", "Digest x", "Bearer"])
    def test_broken_credentials_are_no_credentials(self, cloud_jira: RunningJira, header: str) -> None:
        """Nothing that can stand in the header breaks the door."""
        with cloud_jira.api(auth=None) as api:
            assert api.get("/myself", headers={"Authorization": header}).status_code == 401

    def test_a_file_needs_the_header_against_forged_forms(self, api: httpx2.Client) -> None:
        """403 without X-Atlassian-Token, 413 over the limit."""
        assert api.post("/issue/HARB-3/attachments", files={"file": ("x", b"x")}).status_code == 403
        limit = api.get("/attachment/meta").json()["uploadLimit"]
        headers = {"X-Atlassian-Token": "no-check"}
        large = api.post("/issue/HARB-3/attachments", files={"file": ("x", b"x" * (limit + 1))}, headers=headers)
        assert large.status_code == 413


@contextmanager
def running(**traits: Any) -> Iterator[RunningJira]:
    """A sandbox of our own for one test."""
    app = jira_app(**traits)
    with Served(app) as served:
        yield RunningJira(served, app)


class TestSite:
    """What can be chosen when a sandbox is made."""

    def test_a_file_survives(self, tmp_path: Path) -> None:
        """A second sandbox over the same file goes on where the first one stopped."""
        file = tmp_path / "jira.db"
        ticket = {"fields": {**BUG, "summary": "kept"}}
        keys = []
        for _ in range(2):
            with running(database=file) as jira, jira.api() as api:
                keys.append(api.post("/issue", json=ticket).json()["key"])

        assert keys == ["HARB-71", "HARB-72"]

    def test_open_doors(self) -> None:
        """Without strictness anybody comes in, as the bot or as whom they name."""
        with running(strict=False, seed=False) as jira:
            names = []
            for auth in (None, ("a@example.com", "x"), ("oskar.lindqvist", "y")):
                with jira.api(auth=auth) as api:
                    names.append(api.get("/myself").json()["displayName"])
                    assert api.get("/issue/HARB-1").status_code == 404

        assert names == ["Triage Bot", "Triage Bot", "Oskar Lindqvist"]

    def test_an_address_of_its_own(self) -> None:
        """Behind a proxy the addresses in answers are those that people use; secrets can be given."""
        traits = {"version": "8.22.0", "base_url": "https://jira.example/", "logins": [Login(name="ben.adeyemi", secret="s")]}
        with running(deployment="server", **traits) as jira, jira.api(auth=("ben.adeyemi", "s")) as api:
            info = api.get("/serverInfo").json()

            assert (info["baseUrl"], info["versionNumbers"]) == ("https://jira.example", [8, 22, 0])
            assert api.get("/issue/HARB-1").json()["self"] == "https://jira.example/rest/api/2/issue/10000"
            assert api.get("/issue/createmeta", params={"projectKeys": "HARB"}).status_code == 200
            assert api.get("/myself", auth=jira.login).status_code == 401
