"""What people and we say to each other on tickets: what every tracker must promise."""

from dataclasses import replace

from integrations.jira.tracker import JiraTracker
from tests.contract.tracker.tracker_case import MARK, TrackerCase
from tests.servers.sandbox import RunningJira


class Discussing(TrackerCase):
    """The port `Comments`, as people and we talk on tickets."""

    async def test_a_note_is_said_found_and_reworded(self, tracker: JiraTracker) -> None:
        """It is found by its mark, and says other words under the same id."""
        talk = tracker.discussion()
        assert await talk.commented("HARB-3", MARK) is None
        number = await talk.comment("HARB-3", "May **it**?", MARK)

        assert await talk.commented("HARB-3", MARK) == number
        assert await talk.edit_comment("HARB-3", number, "It **may**.")
        assert (await talk.latest("HARB-3", 1))[0].words == "It may."
        assert not await talk.edit_comment("HARB-3", "999999", "x")

    async def test_comments_are_read_with_their_authors(self, tracker: JiraTracker, server: RunningJira) -> None:
        """The oldest of the latest comes first; ours are known as ours, an anonymous one has no author."""
        talk = tracker.discussion()
        await talk.comment("HARB-3", "First.", MARK)
        number = await talk.comment("HARB-3", "Second.", replace(MARK, label="triage-00000000000000000002"))
        other = server.app.site.db.value("SELECT id FROM account WHERE name = ?", "nadia.ferreira")
        server.app.site.db.run("UPDATE comment SET author = ? WHERE id = ?", other, int(number))
        first, second = await talk.latest("HARB-3", 2)

        assert (first.words, first.ours, first.edited_by_other) == ("First.", True, False)
        assert (second.id, second.words, second.ours) == (number, "Second.", False)
        assert second.author is not None
        assert second.author.name == "Nadia Ferreira"

    async def test_a_comment_that_somebody_else_edited(self, tracker: JiraTracker, server: RunningJira) -> None:
        """It is no longer its author's word."""
        talk = tracker.discussion()
        number = await talk.comment("HARB-3", "Mine.", MARK)
        other = server.app.site.db.value("SELECT id FROM account WHERE name = ?", "nadia.ferreira")
        server.app.site.db.run("UPDATE comment SET editor = ? WHERE id = ?", other, int(number))

        assert (await talk.latest("HARB-3", 1))[0].edited_by_other

    async def test_who_may_read_a_comment(self, tracker: JiraTracker, server: RunningJira) -> None:
        """An internal one and one that is kept to a role are not public; each tells its time and all that it says, in Markdown."""
        internal = [{"key": "sd.public.comment", "value": {"internal": True}}]
        kept = {"type": "role", "value": "Administrators"}
        with server.api("2") as api:
            for more in ({}, {"properties": internal}, {"visibility": kept}):
                said = {"body": "{quote}\nold\n{quote}\nIt is *done*.", **more}
                api.post("/issue/HARB-3/comment", json=said).raise_for_status()
        read = await tracker.discussion().latest("HARB-3", 3)

        assert [one.public for one in read] == [True, False, False]
        assert {one.text.replace("*", "") for one in read} == {"It is done."}
        assert all(one.at is not None and one.by_colleague for one in read)

    async def test_in_service_projects_jira_must_say_that_a_comment_is_public(self, server: RunningJira) -> None:
        """On Cloud every comment says so; on Data Center one without the property counts as internal."""
        server.agent("HELP")
        tracker = self.make(server, project="HELP")
        with server.api("2") as api:
            for internal in (None, False, True):
                about = {"key": "sd.public.comment", "value": {"internal": internal}}
                more = {} if internal is None else {"properties": [about]}
                api.post("/issue/HELP-3/comment", json={"body": "Hello.", **more}).raise_for_status()
        read = await tracker.discussion().latest("HELP-3", 3)
        await tracker.close()

        assert [one.public for one in read] == [server.cloud, True, False]
