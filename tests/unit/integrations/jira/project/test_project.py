"""The live metadata as Data Center tells it, and when it is asked for again."""

import pytest

from integrations.jira.tracker import JiraTracker
from tests.servers.scripted_jira import Reply, ScriptedJira, form, on_form, page
from triage.domain.errors import (
    ProjectHidden,
    TrackerDown,
    TrackerRejected,
)
from triage.domain.tickets import Mark, TicketChange, TicketDraft

MARK = Mark(label="triage-0123456789abcdef0abc", case="case-7", message_hash="f00")
DRAFT = TicketDraft(summary="Export fails", description="It *fails*.", issue_type="Bug", assignee="5b10")
REFUSED = Reply(status=400, body={"errorMessages": ["No."], "errors": {}})
NONE = page()


def project_of_data_center(jira: ScriptedJira) -> None:
    """A project with two types, one of them behind a page boundary, and a sub-task."""
    jira.reset(cloud=False)
    jira.on("GET project/OPS", Reply(body={"key": "OPS", "name": "Operations"}))
    jira.on(
        "GET issue/createmeta/OPS/issuetypes",
        Reply(body={"values": [{"id": "1", "name": "Bug"}, {"id": "9", "name": "Part", "subtask": True}], "total": 3}),
        Reply(body={"values": [{"id": "2", "name": "Task"}], "total": 3}),
    )
    jira.on(
        "GET issue/createmeta/OPS/issuetypes/1",
        form(
            on_form("summary", required=True),
            on_form("priority", allowed=("High", "Low"), required=True, hasDefaultValue=True),
            on_form("customfield_1", required=True, label="Customer"),
            on_form("customfield_2", required=True, hasDefaultValue=True),
        ),
    )
    versions = on_form("versions", allowed=("1.0", "0.9"))
    versions["allowedValues"][1]["archived"] = True
    jira.on("GET issue/createmeta/OPS/issuetypes/2", form(on_form("components", allowed=("Web", "App")), versions))
    statuses = [
        {"name": "Open", "statusCategory": {"key": "new"}},
        {"name": "Closed", "statusCategory": {"key": "done"}},
    ]
    jira.on("GET project/OPS/statuses", Reply(body=[{"statuses": statuses}, {"statuses": statuses[:1]}]))
    people = [{"name": f"user{number}", "displayName": "x", "active": True} for number in range(120)]
    jira.on("GET user/assignable/search", Reply(body=people))


async def test_data_centers_project_is_read(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Its lists are called otherwise than Cloud's, and a list of people that is not cut is read once."""
    project_of_data_center(jira)
    project = await tracker.metadata.project()

    assert (project.name, project.issue_types) == ("Operations", ("Bug", "Task"))
    assert (project.priorities, project.components) == (("High", "Low"), ("Web", "App"))
    assert [(status.name, status.category) for status in project.statuses] == [("Open", "new"), ("Closed", "done")]
    assert project.versions == ("1.0",)
    assert project.required == {"Bug": ("Customer",), "Task": ()}
    assert len(project.people) == 120
    assert not project.people_cut
    assert jira.times("GET user/assignable/search") == 1


async def test_a_project_with_a_new_key_is_told(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """Jira still knows the old one, but no ticket has it."""
    project_of_data_center(jira)
    jira.on("GET project/OPS", Reply(body={"key": "NEW", "name": "Operations"}))
    with pytest.raises(ProjectHidden, match="called NEW now"):
        await tracker.metadata.project()


async def test_a_list_that_stays_full_is_told_as_cut(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """A server that gives the same hundred for every beginning is not asked for ever."""
    project_of_data_center(jira)
    jira.on("GET user/assignable/search", Reply(body=[{"name": f"user{number}"} for number in range(100)]))
    project = await tracker.metadata.project()

    assert (len(project.people), project.people_cut) == (100, True)
    assert jira.times("GET user/assignable/search") < 2_000


async def test_an_account_that_may_not_see_people_still_works(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """One missing right costs that one thing: the project is read, and nobody is known."""
    project_of_data_center(jira)
    told = {"errorMessages": ["You are not allowed to browse users."]}
    jira.on("GET user/assignable/search", Reply(status=403, body=told))
    project = await tracker.metadata.project()

    assert (project.people, project.people_cut, project.name) == ((), True, "Operations")
    assert tracker.metadata.trouble == ""


@pytest.mark.parametrize(
    ("kind", "customers"), [("software", False), ("business", False), ("service_desk", True), ("csm", True), ("", True)]
)
async def test_customers_may_read_along_where_the_type_is_not_known(
    jira: ScriptedJira, tracker: JiraTracker, kind: str, *, customers: bool
) -> None:
    """A comment is internal in every project that is not known to be without customers."""
    jira.on("GET project/OPS", Reply(body={"key": "OPS", "name": "Operations", "projectTypeKey": kind}))
    jira.on("POST issue/OPS-1/comment", Reply(status=201, body={"id": "7"}))
    await tracker.comments.comment("OPS-1", "Seen again.", MARK)
    keys = [each["key"] for each in jira.last("POST issue/OPS-1/comment").body["properties"]]

    assert ("sd.public.comment" in keys) is customers
    assert (await tracker.metadata.project()).service is customers


async def test_a_refusal_makes_us_look_again(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """The project has changed behind our back."""
    project_of_data_center(jira)
    await tracker.metadata.project()
    jira.on("PUT issue/OPS-1", REFUSED)
    with pytest.raises(TrackerRejected):
        await tracker.writer.change("OPS-1", TicketChange(assignee="gone"))
    await tracker.metadata.project()

    assert jira.times("GET project/OPS") == 2


async def test_a_project_that_could_not_be_read_is_not_kept(jira: ScriptedJira, tracker: JiraTracker) -> None:
    """The next question asks again."""
    project_of_data_center(jira)
    jira.on("GET project/OPS/statuses", Reply(body={"statuses": None}))
    with pytest.raises(TrackerDown):
        await tracker.metadata.project()
    project_of_data_center(jira)

    assert (await tracker.metadata.project()).name == "Operations"
