"""The sandbox Jira, driven by the unmodified `jira` package: tickets, call by call."""

from collections.abc import Iterator
from typing import Any

import pytest
from jira import JIRA, JIRAError

from tests.servers.sandbox import RunningJira

OSKAR = {"cloud": "712020:60d17be2-f95a-4c33-88ae-2f7d0c915be4", "server": "oskar.lindqvist"}
BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}


@pytest.fixture
def jira(any_jira: RunningJira) -> Iterator[Any]:
    """The package as people use it, apart from its retries."""
    client: Any = JIRA(any_jira.url, basic_auth=any_jira.login, max_retries=0, validate=True)
    yield client
    client.close()


def kind(running: RunningJira) -> str:
    """Cloud or server."""
    return "cloud" if running.cloud else "server"


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
