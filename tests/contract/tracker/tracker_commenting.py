"""Comments that are written once and found again: what every tracker must promise."""

import json
from dataclasses import replace

import pytest

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import MARK, TrackerCase
from tests.servers.sandbox import RunningJira
from triage.domain.errors import (
    TicketGone,
    TrackerRejected,
    WriteUnconfirmed,
)
from triage.domain.tickets import PANEL, Panel
from triage_sandbox.jira import Fault


class Commenting(TrackerCase):
    """Comments, said once."""

    async def test_a_comment_is_found_by_its_mark(self, tracker: JiraTracker) -> None:
        """Before it is written there is none; others of ours do not count."""
        assert await tracker.comments.commented("HARB-3", MARK) is None

        number = await tracker.comments.comment("HARB-3", "Seen **again**.", MARK)
        await tracker.comments.comment("HARB-3", "Another.", replace(MARK, label="triage-00000000000000000002"))

        assert await tracker.comments.commented("HARB-3", MARK) == number
        assert await tracker.comments.commented("HARB-1", MARK) is None

    async def test_a_panel_stands_below_a_comment(self, tracker: JiraTracker, server: RunningJira) -> None:
        """It is shown with its title; where Jira refuses it, the comment is written without."""
        panel = Panel(lines=("**Here** because of a test",))
        first = await tracker.comments.comment("HARB-3", "Seen.", MARK, panel)
        server.fault(
            Fault(do="answer", status=400, method="POST", path="/comment$", body={"errors": {"comment": "bad"}})
        )
        other = replace(MARK, label="triage-00000000000000000003")
        second = await tracker.comments.comment("HARB-3", "Seen.", other, panel)
        with server.api() as api:
            bodies = [json.dumps(api.get(f"/issue/HARB-3/comment/{each}").json()["body"]) for each in (first, second)]

        assert [PANEL in body for body in bodies] == [True, False]
        assert [comment.text for comment in (await tracker.tickets.details("HARB-3", 2)).comments] == ["Seen.", "Seen."]
        assert await tracker.comments.commented("HARB-3", MARK) == first

    async def test_a_comment_whose_answer_is_lost_is_found(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Unsure, then found, and never posted twice."""
        server.fault(Fault(do="reset_after", method="POST", path="/comment$"))
        with pytest.raises(WriteUnconfirmed):
            await tracker.comments.comment("HARB-3", "Seen again.", MARK)

        assert await tracker.comments.commented("HARB-3", MARK)
        assert len(server.requests("POST", "/comment$")) == 1

    @pytest.mark.parametrize("status", [413, 400])
    async def test_a_ticket_that_is_full_takes_no_more(
        self, tracker: JiraTracker, server: RunningJira, status: int
    ) -> None:
        """Said once, in words, and not tried again with a shorter one."""
        words = "The issue has reached the limit of 5000 comments."
        refusal = Fault(do="answer", status=status, method="POST", path="/comment$", body={"errorMessages": [words]})
        server.fault(refusal)
        with pytest.raises(TrackerRejected, match=r"HARB-3 takes no more of them: .*5000 comments"):
            await tracker.comments.comment("HARB-3", "long " * 5000, MARK)

        assert len(server.requests("POST", "/comment$")) == 1

    async def test_a_comment_on_nothing_is_told(self, tracker: JiraTracker) -> None:
        """The ticket is gone."""
        with pytest.raises(TicketGone):
            await tracker.comments.comment("HARB-999999", "x", MARK)
        with pytest.raises(TicketGone):
            await tracker.comments.commented("HARB-999999", MARK)

    async def test_a_comment_is_edited_in_place(self, tracker: JiraTracker, server: RunningJira) -> None:
        """It says the new words under the same id and is found by its mark; the same words again send nothing."""
        number = await tracker.comments.comment("HARB-3", "One **mail**.", MARK)
        before = await tracker.tickets.get("HARB-3")

        for words in ("Two **mails**.", "Three **mails**.", "Three **mails**."):
            assert await tracker.comments.edit_comment("HARB-3", number, words)

        [comment] = [one for one in said(server) if one["id"] == number]
        assert "Three" in str(comment["body"])
        assert "One" not in str(comment["body"])
        assert await tracker.comments.commented("HARB-3", MARK) == number
        assert len(server.requests("PUT", "/comment/")) == 2
        assert (await tracker.tickets.get("HARB-3")).summary == before.summary

    async def test_an_edit_whose_answer_is_lost_is_read_back(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Unsure; asked again, the comment says so already, and nothing is sent."""
        number = await tracker.comments.comment("HARB-3", "One mail.", MARK)
        server.fault(Fault(do="reset_after", method="PUT", path="/comment/"))
        with pytest.raises(WriteUnconfirmed):
            await tracker.comments.edit_comment("HARB-3", number, "Two mails.")

        assert await tracker.comments.edit_comment("HARB-3", number, "Two mails.")
        assert len(server.requests("PUT", "/comment/")) == 1

    async def test_only_our_own_comment_is_edited(self, tracker: JiraTracker, server: RunningJira) -> None:
        """One that is gone, or that somebody else has written, is not ours to change, and we are told so."""
        number = await tracker.comments.comment("HARB-3", "One mail.", MARK)
        theirs = server.app.site.db.value(
            "SELECT id FROM account WHERE id <> (SELECT author FROM comment WHERE id = ?)", number
        )
        server.app.site.db.run("UPDATE comment SET author = ? WHERE id = ?", theirs, number)
        assert not await tracker.comments.edit_comment("HARB-3", number, "Two mails.")

        server.app.site.db.run("DELETE FROM comment WHERE id = ?", number)
        assert not await tracker.comments.edit_comment("HARB-3", number, "Two mails.")
        assert server.requests("PUT", "/comment/") == []

    async def test_an_edit_that_jira_refuses_is_told(self, tracker: JiraTracker, server: RunningJira) -> None:
        """Without the right to edit one's own comments it stays; a mail to watchers and a shorter text are tried before."""
        number = await tracker.comments.comment("HARB-3", "One mail.", MARK)
        refusal = Fault(
            do="answer", status=400, method="PUT", path="/comment/", body={"errorMessages": ["No."]}, count=0
        )
        server.fault(refusal)

        assert not await tracker.comments.edit_comment("HARB-3", number, "long " * 5000)
        assert len(server.requests("PUT", "/comment/")) == (3 if server.cloud else 2)


def said(server: RunningJira) -> list[dict[str, object]]:
    """The comments of HARB-3, as Jira has them."""
    with server.api() as api:
        found: list[dict[str, object]] = api.get("/issue/HARB-3/comment").raise_for_status().json()["comments"]
    return found
