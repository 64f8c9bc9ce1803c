"""What hangs on an issue: links, work, votes, watchers, notes and files."""

from typing import Any

import httpx2
import pytest

from sandbox.tests.jira.issue.asked import history, made, problems, shown
from tests.servers.sandbox import RunningJira

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
NO_CHECK = {"X-Atlassian-Token": "no-check"}


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
