"""The sandbox's comments: by the unmodified `jira` package, then the rules that it hides."""

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from jira import JIRA, JIRAError

from tests.servers.sandbox import RunningJira
from triage_sandbox.jira.ground.identity import Login, admit

INTERNAL = {"key": "sd.public.comment", "value": {"internal": True}}


@pytest.fixture
def api(any_jira: RunningJira) -> Iterator[httpx2.Client]:
    """Version 2: plain text on both deployments."""
    with any_jira.api("2") as client:
        yield client


def said(answer: httpx2.Response) -> list[str]:
    """The bodies on a page."""
    return [comment["body"] for comment in answer.json()["comments"]]


class TestPackage:
    """What the `jira` package does, call by call."""

    def test_pages_and_order(self, jira: Any) -> None:
        """A part of them, from either end."""
        for number in range(1, 11):
            jira.add_comment("HARB-70", f"Comment #{number}")

        assert [each.body for each in jira.comments("HARB-70", start_at=5)] == [f"Comment #{n}" for n in range(6, 11)]
        assert len(jira.comments("HARB-70", max_results=4)) == 4
        for order, first in (("created", 1), ("+created", 1), ("-created", 10)):
            assert jira.comments("HARB-70", order_by=order)[0].body == f"Comment #{first}"

    def test_rendered_only_when_asked(self, jira: Any) -> None:
        """HTML beside the text, in the list and alone."""
        made = jira.add_comment("HARB-70", "*First*")

        assert "<strong>First</strong>" in jira.comments("HARB-70", expand="renderedBody")[0].renderedBody
        assert not hasattr(jira.comment("HARB-70", made.id), "renderedBody")

    def test_kept_to_a_role(self, jira: Any) -> None:
        """Said with the role's name, which the bot has."""
        made = jira.add_comment("HARB-70", "ours", visibility={"type": "role", "value": "Administrators"})

        assert (made.visibility.type, made.visibility.value) == ("role", "Administrators")
        made.update(body="still ours", notify=False)
        assert jira.comment("HARB-70", made.id).visibility.value == "Administrators"

    def test_pinned_on_data_center(self, server_jira: RunningJira) -> None:
        """In the order of pinning, until they are let go."""
        jira: Any = JIRA(server_jira.url, basic_auth=server_jira.login, max_retries=0)
        first, second = (jira.add_comment("HARB-70", text) for text in ("one", "two"))
        for comment in (first, second):
            jira.pin_comment("HARB-70", comment.id, True)
        assert [each.comment.body for each in jira.pinned_comments("HARB-70")] == ["one", "two"]
        jira.pin_comment("HARB-70", first.id, False)

        assert [each.comment.body for each in jira.pinned_comments("HARB-70")] == ["two"]
        jira.close()

    def test_internal(self, jira: Any, any_jira: RunningJira) -> None:
        """The flag of the package becomes the property; Cloud tells it from a public one."""
        comments = [jira.add_comment("HELP-1", "x", is_internal=flag) for flag in (False, True)]

        if any_jira.cloud:
            assert [comment.jsdPublic for comment in comments] == [True, False]
        else:
            assert not hasattr(comments[0], "jsdPublic")


class TestRules:
    """What is refused, and what else is true of comments."""

    def test_born_and_changed(self, api: httpx2.Client) -> None:
        """Made and changed at the same moment; changed later by somebody who is named."""
        made = api.post("/issue/HARB-70/comment", json={"body": "first"}).json()
        changed = api.put(f"/issue/HARB-70/comment/{made['id']}", json={"body": "second"}).json()

        assert made["created"] == made["updated"] == changed["created"]
        assert changed["updated"] > changed["created"]
        assert changed["updateAuthor"]["displayName"] == "Triage Bot"

    @pytest.mark.parametrize(
        ("visibility", "words"),
        [
            ({"type": "role", "value": "Developers"}, "not a member of the project role: Developers"),
            ({"type": "role", "value": "Kings"}, "not a member of the project role: Kings"),
            ({"type": "group", "value": "secret-friends"}, "not a member of the group: secret-friends"),
            ({"type": "planet", "value": "x"}, "of the type role or group"),
            ("Administrators", "of the type role or group"),
        ],
    )
    def test_to_whom_it_cannot_be_kept(self, api: httpx2.Client, visibility: Any, words: str) -> None:
        """Who is not a member cannot say it; nothing is said."""
        answer = api.post("/issue/HARB-70/comment", json={"body": "x", "visibility": visibility})

        assert answer.status_code == 400
        assert words in answer.text
        assert said(api.get("/issue/HARB-70/comment")) == []

    def test_others_do_not_see_it(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """Neither in the list, nor inside the ticket, nor by its id."""
        kept = {"body": "ours", "visibility": {"type": "group", "value": "jira-administrators"}}
        number = api.post("/issue/HARB-70/comment", json=kept).json()["id"]
        admit(any_jira.app.site.db, Login(name="oskar.lindqvist", secret="o"))
        with any_jira.api("2", auth=("oskar.lindqvist", "o")) as oskar:
            assert said(oskar.get("/issue/HARB-70/comment")) == []
            assert oskar.get("/issue/HARB-70").json()["fields"]["comment"]["total"] == 0
            assert oskar.get(f"/issue/HARB-70/comment/{number}").status_code == 404
            assert oskar.put(f"/issue/HARB-70/comment/{number}", json={"body": "mine"}).status_code == 404
        assert said(api.get("/issue/HARB-70/comment")) == ["ours"]

    def test_nor_as_html(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """The rendered fields of a ticket hold what its fields hold."""
        kept = {"body": "ours", "visibility": {"type": "group", "value": "jira-administrators"}}
        api.post("/issue/HARB-70/comment", json=kept).raise_for_status()
        admit(any_jira.app.site.db, Login(name="oskar.lindqvist", secret="o"))
        asked = {"fields": "comment", "expand": "renderedFields"}
        with any_jira.api("2", auth=("oskar.lindqvist", "o")) as oskar:
            hidden = oskar.get("/issue/HARB-70", params=asked).json()["renderedFields"]["comment"]
        shown = api.get("/issue/HARB-70", params=asked).json()["renderedFields"]["comment"]

        assert (hidden["total"], hidden["comments"]) == (0, [])
        assert [comment["body"] for comment in shown["comments"]] == ["<p>ours</p>"]

    @pytest.mark.parametrize(
        ("kind", "name", "address"),
        [("role", "Administrators", "/role/10002"), ("group", "administrators", "/group?groupname=administrators")],
    )
    def test_whom_it_is_kept_to_stays(self, api: httpx2.Client, kind: str, name: str, address: str) -> None:
        """A role or a group is not removed while a comment is kept to it."""
        kept = {"body": "ours", "visibility": {"type": kind, "value": name}}
        api.post("/issue/HARB-70/comment", json=kept).raise_for_status()
        answer = api.delete(address)

        assert answer.status_code == {"role": 409, "group": 400}[kind]
        assert "in use" in answer.json()["errorMessages"][0]
        assert said(api.get("/issue/HARB-70/comment")) == ["ours"]

    def test_other_peoples_words(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """Members change and take back their own comments, not those of others."""
        number = api.post("/issue/HARB-70/comment", json={"body": "the bot's"}).json()["id"]
        admit(any_jira.app.site.db, Login(name="oskar.lindqvist", secret="o"))
        with any_jira.api("2", auth=("oskar.lindqvist", "o")) as oskar:
            assert oskar.put(f"/issue/HARB-70/comment/{number}", json={"body": "x"}).status_code == 400
            assert oskar.delete(f"/issue/HARB-70/comment/{number}").status_code == 400
            own = oskar.post("/issue/HARB-70/comment", json={"body": "Oskar's"}).json()["id"]
            assert oskar.delete(f"/issue/HARB-70/comment/{own}").status_code == 204
        assert said(api.get("/issue/HARB-70/comment")) == ["the bot's"]

    def test_the_right_ticket(self, api: httpx2.Client) -> None:
        """A comment is found on its own ticket only."""
        number = api.post("/issue/HARB-70/comment", json={"body": "x"}).json()["id"]

        assert api.get(f"/issue/HARB-3/comment/{number}").status_code == 404
        assert api.delete(f"/issue/HARB-3/comment/{number}").status_code == 404
        assert api.get("/issue/HARB-99999999/comment").status_code == 404

    @pytest.mark.parametrize("body", [{}, {"body": ""}, {"body": "  "}, {"body": 7}, {"body": "x", "properties": "y"}])
    def test_what_is_no_comment(self, api: httpx2.Client, body: dict[str, Any]) -> None:
        """Without words nothing is said."""
        assert api.post("/issue/HARB-70/comment", json=body).status_code == 400
        assert api.get("/issue/HARB-70/comment", params={"orderBy": "author"}).status_code == 400

    def test_a_ticket_is_full_some_day(self, api: httpx2.Client, any_jira: RunningJira) -> None:
        """413 from the configured number on, by every way to say something."""
        any_jira.app.site.comment_limit = 2
        try:
            answers = [api.post("/issue/HARB-70/comment", json={"body": "again"}).status_code for _ in range(3)]
            edit = {"update": {"comment": [{"add": {"body": "once more"}}]}}
            assert api.put("/issue/HARB-70", json=edit).status_code == 413
        finally:
            any_jira.app.site.comment_limit = 5000

        assert answers == [201, 201, 413]

    def test_properties_come_along(self, api: httpx2.Client) -> None:
        """With a new comment and with a changed one; shown when asked for."""
        number = api.post("/issue/HARB-70/comment", json={"body": "x", "properties": [INTERNAL]}).json()["id"]
        more = {"body": "x", "properties": [{"key": "triage", "value": 1}]}
        api.put(f"/issue/HARB-70/comment/{number}", json=more)

        shown = api.get(f"/issue/HARB-70/comment/{number}", params={"expand": "properties"}).json()["properties"]
        assert shown == [INTERNAL, {"key": "triage", "value": 1}]
        assert api.get(f"/comment/{number}/properties/triage").json()["value"] == 1

    def test_by_id_on_cloud(self, cloud_jira: RunningJira) -> None:
        """Across tickets in one call; those that are not there are left out."""
        with cloud_jira.api("2") as api:
            ids = [
                int(api.post(f"/issue/{key}/comment", json={"body": key}).json()["id"]) for key in ("HARB-3", "HELP-1")
            ]
            page = api.post("/comment/list", json={"ids": [*ids, 99]}).json()

            assert [each["body"] for each in page["values"]] == ["HARB-3", "HELP-1"]
            assert (page["total"], page["isLast"]) == (2, True)
            assert api.post("/comment/list", json={"ids": []}).status_code == 400

    def test_not_on_data_center(self, server_jira: RunningJira, cloud_jira: RunningJira) -> None:
        """Cloud knows no pins, Data Center no list by id."""
        with server_jira.api() as server, cloud_jira.api() as cloud:
            assert server.post("/comment/list", json={"ids": [1]}).status_code == 404
            assert cloud.get("/issue/HARB-3/pinned-comments").status_code == 404

    async def test_the_feed_tells_of_it(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """A comment counts as a change for the boards that are open."""
        before = any_jira.app.site.feed.changes
        await asyncio.to_thread(api.post, "/issue/HARB-70/comment", json={"body": "x"})

        assert any_jira.app.site.feed.changes == before + 1


def test_an_unknown_comment_is_told_so(any_jira: RunningJira) -> None:
    """The package raises with Jira's own words."""
    jira: Any = JIRA(any_jira.url, basic_auth=any_jira.login, max_retries=0)
    with pytest.raises(JIRAError, match="Can not find a comment for the id: 99999"):
        jira.comment("HARB-70", "99999")
    jira.close()
