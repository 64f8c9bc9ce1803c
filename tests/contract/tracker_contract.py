"""What every tracker must do, against a running server of its kind; each adapter runs all of it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest

from integrations.sandbox.jira import Fault
from tests.servers.sandbox import RunningJira
from triage.domain.errors import (
    TicketGone,
    TrackerBusy,
    TrackerDenied,
    TrackerDown,
    TrackerRejected,
    TrackerUnsure,
    Trouble,
)
from triage.domain.ports import Tracker
from triage.domain.tickets import Mark, Status, TicketChange, TicketDraft, TicketQuery

MARK = Mark(label="triage-0123456789abcdef", case="case-7", message_hash="f00d")
DRAFT = TicketDraft(
    summary="Zeppelin export fails",
    description="The export of **zeppelin** runs stops at 99 %.\n\n```\nORA-00942 in line 7\n```",
    issue_type="Bug",
    priority="High",
    labels=("mail",),
    components=("Invoicing",),
)
HOSTILE = (
    "[~triage.bot] {code}x{code} {panel}y{panel} !http://evil.example/p.png! ||a||b|| h1. Big\n"
    "h1. Big\n# one\n* two\n\\[~accountid:1] {noformat} ^up^ ~down~ ??said?? -gone- +new+ C:\\temp\\{x} &#123;x&#125;"
)
HOSTILE_WORDS = [
    '"',
    "\\",
    '\\"',
    '") OR project = OTHER OR (text ~ "x',
    "AND",
    "OR NOT",
    "*",
    "?x",
    "x*",
    "~",
    "a:b",
    "[1 TO 2]",
    "\x00",
    "\u2028",
    "😀",
    "l'été",
    "ORA-00942",
    "x" * 5000,
    "EMPTY",
    "currentUser()",
]


class TrackerContract:
    """A subclass gives `server` and `make`; tickets of the server are those of the demo's company."""

    @pytest.fixture
    def server(self) -> RunningJira:
        """The server behind the adapter, as seeded."""
        pytest.fail("the subclass names its server")

    def make(self, server: RunningJira, **options: object) -> Tracker:
        """The adapter, connected to it."""
        raise AssertionError("the subclass makes its adapter")

    @pytest.fixture
    async def tracker(self, server: RunningJira) -> AsyncIterator[Tracker]:
        """The adapter under test."""
        tracker = self.make(server)
        yield tracker
        await tracker.close()

    # --- reading --------------------------------------------------------------------------

    async def test_search_finds_any_of_the_words(self, tracker: Tracker) -> None:
        """In any case of letters; tickets with more and rarer of them come first."""
        found = await tracker.search(TicketQuery(words=("WEIGHT", "rounds", "zeppelin")))

        assert found[0].key == "HARB-3"
        assert found[0].summary == "Price quote rounds the weight down to whole kilos"

    async def test_search_finds_words_of_comments(self, tracker: Tracker) -> None:
        """What was said later about a ticket counts as well."""
        await tracker.comment("HARB-3", "It is the quetzalcoatl host.", MARK)
        found = await tracker.search(TicketQuery(words=("quetzalcoatl",)))

        assert [ticket.key for ticket in found] == ["HARB-3"]

    # --- people ---------------------------------------------------------------------------

    async def test_everybodys_open_tickets_are_counted(self, tracker: Tracker) -> None:
        """By person id, what waits apart from what is in progress; done tickets and those of nobody are in no count."""
        tickets = await tracker.search(TicketQuery(limit=1000))
        held = [(t.assignee.id, t.category == "indeterminate") for t in tickets if t.open and t.assignee]
        workloads = await tracker.workloads()

        assert len(workloads) > 5
        assert sum(workload.open for workload in workloads.values()) == len(held)
        assert {
            (person, doing): count
            for person, load in workloads.items()
            for doing, count in ((False, load.waiting), (True, load.in_progress))
            if count
        } == Counter(held)

    async def test_workloads_are_one_search(self, server: RunningJira, tracker: Tracker) -> None:
        """Whatever the number of people, and for all who ask within five minutes, at once or one after the other."""
        await tracker.workloads()
        asked = len(server.requests("POST", "/search"))
        first, view = self.make(server), tracker.view()
        together = await asyncio.gather(*(first.view().workloads() for _ in range(10)))
        again = await view.workloads()
        await first.close()

        assert (asked, len(server.requests("POST", "/search"))) == (1, 2)
        assert view.calls == 0
        assert all(workloads == again for workloads in together)

    async def test_a_new_ticket_counts_at_once(self, server: RunningJira, tracker: Tracker) -> None:
        """Whoever gets one has one more, before the next look."""
        person = self.person(server)
        before = (await tracker.workloads())[person].open
        await tracker.view().create(replace(DRAFT, assignee=person), MARK)
        await tracker.create(replace(DRAFT, assignee="nobody.knows"), MARK)
        after = await tracker.workloads()

        assert after[person].open == before + 1
        assert "nobody.knows" not in after

    async def test_recent_work_is_told(self, server: RunningJira, tracker: Tracker) -> None:
        """The latest tickets that belong to somebody, done ones too, from one search, kept for all who ask."""
        await tracker.search(TicketQuery(limit=1))
        asked = len(server.requests("POST", "/search"))
        tickets = await tracker.view().assigned()
        again = await tracker.assigned()
        times = [ticket.updated for ticket in tickets if ticket.updated]

        assert tickets is again
        assert len(server.requests("POST", "/search")) == asked + 1
        assert all(ticket.assignee and ticket.summary for ticket in tickets)
        assert {ticket.open for ticket in tickets} == {True, False}
        assert any(ticket.components for ticket in tickets)
        assert len(times) == len(tickets) > 40
        assert times == sorted(times, reverse=True)

    async def test_our_own_account_is_known(self, server: RunningJira, tracker: Tracker) -> None:
        """By the id that tickets would be given to; asked once."""
        ids = {await tracker.me(), await tracker.view().me()}

        assert ids == {"acc-64d9037cb1e5a82f4609" if server.cloud else "triage.bot"}
        assert len(server.requests("GET", "/myself$")) == 1

    async def test_people_are_not_counted_by_a_dead_token(self, server: RunningJira) -> None:
        """An empty answer is no proof that nobody has anything to do."""
        tracker = self.make(server)
        server.fault(Fault(do="anonymous", path="search", count=0))
        with pytest.raises(TrackerDenied):
            await tracker.workloads()
        with pytest.raises(TrackerDenied):
            await tracker.assigned()
        await tracker.close()

    async def test_search_without_words_gives_the_latest(self, tracker: Tracker) -> None:
        """The latest updated first, as many as wanted."""
        found = await tracker.search(TicketQuery(limit=5))
        times = [ticket.updated for ticket in found if ticket.updated]

        assert len(times) == 5
        assert times == sorted(times, reverse=True)

    async def test_search_goes_beyond_one_page(self, tracker: Tracker) -> None:
        """A limit above the page size is served by several pages, each ticket once."""
        found = await tracker.search(TicketQuery(limit=1000))

        assert len({ticket.key for ticket in found}) == len(found) == await tracker.newest()

    async def test_parts_of_a_query_all_hold(self, tracker: Tracker) -> None:
        """Status, person and days narrow what the words find."""
        one = (await tracker.search(TicketQuery(status="In Progress", limit=200)))[-1]
        person = one.assignee.id if one.assignee else ""
        found = await tracker.search(TicketQuery(status="In Progress", assignee=person, days=3650))

        assert one in found
        assert {(ticket.status, ticket.assignee and ticket.assignee.id) for ticket in found} == {
            ("In Progress", person)
        }

    async def test_nothing_found_is_nothing(self, tracker: Tracker) -> None:
        """A word that no ticket holds."""
        assert await tracker.search(TicketQuery(words=("quetzalcoatl",))) == ()

    async def test_hostile_words_are_words(self, tracker: Tracker) -> None:
        """No text breaks the query or leaves the project."""
        for words in HOSTILE_WORDS:
            found = await tracker.search(TicketQuery(words=(words, "zeppelin")))

            assert {ticket.key.partition("-")[0] for ticket in found} <= {"HARB"}

    async def test_hostile_values_find_nothing_foreign(self, tracker: Tracker) -> None:
        """A status or a person that does not exist is refused or finds nothing."""
        for query in (TicketQuery(status='x" OR key != "'), TicketQuery(assignee='x" OR key != "')):
            try:
                found = await tracker.search(query)
            except TrackerRejected:
                continue

            assert found == ()

    async def test_a_ticket_is_read(self, tracker: Tracker) -> None:
        """With everything that a decision needs, in plain words."""
        ticket = await tracker.get("HARB-3")

        assert (ticket.key, ticket.status, ticket.category, ticket.issue_type) == ("HARB-3", "Done", "done", "Bug")
        assert (ticket.priority, ticket.components) == ("High", ("Booking",))
        assert "`quote_weight()`" in ticket.description or "quote_weight()" in ticket.description
        assert ticket.assignee
        assert ticket.assignee.name == "Priya Raman"
        assert ticket.created
        assert ticket.created.tzinfo
        assert not ticket.open
        assert ticket.url.endswith("/browse/HARB-3")

    @pytest.mark.parametrize("key", ["HARB-999999", "OTHER-1", "HARB", "HARB-1/comment"])
    async def test_a_ticket_that_is_not_ours_is_gone(self, tracker: Tracker, key: str) -> None:
        """Unknown numbers, other projects, no keys at all."""
        with pytest.raises(TicketGone) as told:
            await tracker.get(key)

        assert told.value.key == key

    async def test_the_project_is_told_as_it_is(self, tracker: Tracker, server: RunningJira) -> None:
        """Types without sub-tasks, priorities from the highest, people who can be given work."""
        project = await tracker.project()
        names = {person.name for person in project.people}

        assert (project.key, project.name) == ("HARB", "Harbourline Platform")
        assert set(project.issue_types) == {"Epic", "Story", "Task", "Bug"}
        assert project.priorities == ("Highest", "High", "Medium", "Low", "Lowest")
        assert "Driver App" in project.components
        assert len(project.components) == 8
        assert Status(name="In Review", category="indeterminate") in project.statuses
        assert {"Oskar Lindqvist", "Carla Jiménez"} <= names
        assert not names & {"Milan Petrović", "Release Notes Connector"}
        assert {person.id for person in project.people} >= {self.person(server)}

    async def test_the_project_is_asked_for_once(self, tracker: Tracker) -> None:
        """Whoever asks meanwhile waits for that one answer; afterwards it is kept."""
        first, second = await asyncio.gather(tracker.project(), tracker.view().project())
        calls = tracker.calls
        third = await tracker.project()

        assert first == second == third
        assert tracker.calls == calls

    async def test_the_newest_number_is_known(self, tracker: Tracker) -> None:
        """It is that of the ticket created last."""
        before = await tracker.newest()
        created = await tracker.create(DRAFT, MARK)

        assert created.key == f"HARB-{before + 1}"
        assert await tracker.newest() == before + 1

    async def test_questions_and_writes_take_one_request(self, tracker: Tracker) -> None:
        """After the first, which finds out where we are; the form of a ticket is kept as well."""
        await tracker.project()
        works: tuple[Callable[[Tracker], Awaitable[object]], ...] = (
            lambda at: at.search(TicketQuery(words=("export",))),
            lambda at: at.get("HARB-3"),
            lambda at: at.create(DRAFT, MARK),
            lambda at: at.comment("HARB-3", "Seen again.", MARK),
            lambda at: at.change("HARB-3", TicketChange(summary="Rounded")),
        )
        for work in works:
            view = tracker.view()
            await work(view)

            assert view.calls == 1

    # --- creating -------------------------------------------------------------------------

    async def test_a_created_ticket_reads_as_drafted(self, tracker: Tracker, server: RunningJira) -> None:
        """Every field, and the mark among the labels."""
        created = await tracker.create(replace(DRAFT, assignee=self.person(server)), MARK)
        ticket = await tracker.get(created.key)

        assert created.dropped == ()
        assert created.url == ticket.url
        assert (ticket.summary, ticket.issue_type, ticket.priority) == ("Zeppelin export fails", "Bug", "High")
        assert ticket.description == "The export of zeppelin runs stops at 99 %.\n\nORA-00942 in line 7"
        assert ticket.components == ("Invoicing",)
        assert set(ticket.labels) == {"mail", MARK.label}
        assert ticket.assignee
        assert ticket.assignee.id == self.person(server)

    async def test_a_created_ticket_is_found_again(self, tracker: Tracker) -> None:
        """By its mark, from where the search for it starts; and by its words."""
        above = await tracker.newest()
        created = await tracker.create(DRAFT, MARK)
        adopted = await tracker.adopt(MARK, above)

        assert adopted == created
        assert [ticket.key for ticket in await tracker.search(TicketQuery(words=("zeppelin",)))] == [created.key]

    async def test_a_ticket_far_below_is_found_by_its_label(self, tracker: Tracker) -> None:
        """Where the known number is too high."""
        created = await tracker.create(DRAFT, MARK)

        assert await tracker.adopt(MARK, await tracker.newest() + 500) == created

    async def test_another_mark_finds_nothing(self, tracker: Tracker) -> None:
        """Nothing is adopted that is not ours."""
        above = await tracker.newest()
        await tracker.create(DRAFT, MARK)

        assert await tracker.adopt(replace(MARK, label="triage-fedcba9876543210"), above) is None

    async def test_a_lost_answer_leaves_one_ticket(self, tracker: Tracker, server: RunningJira) -> None:
        """The server has created it and died: unsure, then found, and never posted twice."""
        above = await tracker.newest()
        server.fault(Fault(do="reset_after", method="POST", path="/issue$"))
        with pytest.raises(TrackerUnsure):
            await tracker.create(DRAFT, MARK)
        adopted = await tracker.adopt(MARK, above)

        assert adopted
        assert adopted.key == f"HARB-{above + 1}"
        assert len(server.requests("POST", "/issue$")) == 1
        assert await tracker.newest() == above + 1

    @pytest.mark.parametrize(
        "fault",
        [Fault(do="reset"), Fault(do="answer", status=503), Fault(do="answer", status=500), Fault(do="login_page")],
        ids=["reset", "503", "500", "login page"],
    )
    async def test_a_ticket_that_never_came_to_be_is_not_found(
        self, tracker: Tracker, server: RunningJira, fault: Fault
    ) -> None:
        """Unsure as well, and then nothing is adopted."""
        above = await tracker.newest()
        server.fault(replace(fault, method="POST", path="/issue$"))
        with pytest.raises(TrackerUnsure):
            await tracker.create(DRAFT, MARK)

        assert await tracker.adopt(MARK, above) is None

    async def test_half_an_answer_is_unsure(self, tracker: Tracker, server: RunningJira) -> None:
        """A success that cannot be read to its end names no key."""
        above = await tracker.newest()
        server.fault(Fault(do="truncate", method="POST", path="/issue$"))
        with pytest.raises(TrackerUnsure):
            await tracker.create(DRAFT, MARK)

        assert await tracker.adopt(MARK, above) is not None

    @pytest.mark.parametrize(
        ("given", "dropped"),
        [
            ({"assignee": "nobody-of-this-name"}, ("assignee",)),
            ({"priority": "Extreme"}, ("priority",)),
            ({"components": ("Invoicing", "Nonsense")}, ("components",)),
            (
                {"assignee": "nobody", "priority": "Extreme", "components": ("No",)},
                ("assignee", "components", "priority"),
            ),
        ],
    )
    async def test_what_is_refused_is_left_out(
        self, tracker: Tracker, given: dict[str, object], dropped: tuple[str, ...]
    ) -> None:
        """A plainer ticket is better than none, and what it lacks is told."""
        created = await tracker.create(replace(DRAFT, **given), MARK)  # type: ignore[arg-type] # fields by name

        assert tuple(sorted(created.dropped)) == dropped
        assert (await tracker.get(created.key)).summary == DRAFT.summary

    @pytest.mark.parametrize("field", ["labels", "priority", "components"])
    async def test_a_field_off_the_screen_is_left_out(self, tracker: Tracker, server: RunningJira, field: str) -> None:
        """Screens differ from project to project; without labels the property still marks the ticket."""
        above = await tracker.newest()
        server.app.site.off_screen.add(field)
        try:
            created = await tracker.create(DRAFT, MARK)
        finally:
            server.app.site.off_screen.discard(field)

        assert created.dropped == (("labels", "marker") if field == "labels" else (field,))
        assert await tracker.adopt(MARK, above) == replace(created, dropped=())

    @pytest.mark.parametrize("given", [{"issue_type": "Nonsense"}, {"summary": " \n "}])
    async def test_what_nobody_can_leave_out_is_rejected(
        self, tracker: Tracker, server: RunningJira, given: dict[str, str]
    ) -> None:
        """With the field that Jira names, and nothing is created."""
        above = await tracker.newest()
        with pytest.raises(TrackerRejected) as told:
            await tracker.create(replace(DRAFT, **given), MARK)  # type: ignore[arg-type] # fields by name

        assert set(told.value.problems) & {"issuetype", "summary"}
        assert await tracker.newest() == above

    async def test_hostile_text_stays_text(self, tracker: Tracker) -> None:
        """It reads in the ticket as it was written, in a quote and in code."""
        created = await tracker.create(replace(DRAFT, summary=HOSTILE, description=f"```\n{HOSTILE}\n```"), MARK)
        ticket = await tracker.get(created.key)

        assert ticket.summary == " ".join(HOSTILE.split())
        assert ticket.description.replace("{ noformat", "{noformat") == HOSTILE

    async def test_hostile_words_in_a_sentence_stay_words(self, tracker: Tracker) -> None:
        """Escaped Markdown, as we write what somebody else has said, reads back as it was said."""
        escaped = "".join(f"\\{char}" if char in r"""\`*_{}[]()<>#+-.!|~^&?:""" else char for char in HOSTILE)
        created = await tracker.create(replace(DRAFT, description="  \n".join(escaped.split("\n"))), MARK)

        assert (await tracker.get(created.key)).description == HOSTILE

    async def test_what_is_too_long_is_cut(self, tracker: Tracker) -> None:
        """A ticket comes of it all the same."""
        created = await tracker.create(replace(DRAFT, summary="😀" * 400, description="{*word* " * 20_000), MARK)
        ticket = await tracker.get(created.key)

        assert created.dropped == ()
        assert len(ticket.summary) <= 255
        assert len(ticket.description) <= 32_767

    # --- commenting -----------------------------------------------------------------------

    async def test_a_comment_is_found_by_its_mark(self, tracker: Tracker) -> None:
        """Before it is written there is none; others of ours do not count."""
        assert await tracker.commented("HARB-3", MARK) is None

        number = await tracker.comment("HARB-3", "Seen **again**.", MARK)
        await tracker.comment("HARB-3", "Another.", replace(MARK, label="triage-other"))

        assert await tracker.commented("HARB-3", MARK) == number
        assert await tracker.commented("HARB-1", MARK) is None

    async def test_a_comment_whose_answer_is_lost_is_found(self, tracker: Tracker, server: RunningJira) -> None:
        """Unsure, then found, and never posted twice."""
        server.fault(Fault(do="reset_after", method="POST", path="/comment$"))
        with pytest.raises(TrackerUnsure):
            await tracker.comment("HARB-3", "Seen again.", MARK)

        assert await tracker.commented("HARB-3", MARK)
        assert len(server.requests("POST", "/comment$")) == 1

    async def test_a_comment_on_nothing_is_told(self, tracker: Tracker) -> None:
        """The ticket is gone."""
        with pytest.raises(TicketGone):
            await tracker.comment("HARB-999999", "x", MARK)
        with pytest.raises(TicketGone):
            await tracker.commented("HARB-999999", MARK)

    # --- changing -------------------------------------------------------------------------

    async def test_a_change_sets_what_it_names(self, tracker: Tracker, server: RunningJira) -> None:
        """And leaves the rest; again is harmless."""
        before = await tracker.get("HARB-3")
        for _ in range(2):
            await tracker.change("HARB-3", TicketChange(summary="Rounded\ndown", assignee=self.person(server)))
        after = await tracker.get("HARB-3")

        assert after.summary == "Rounded down"
        assert after.assignee
        assert after.assignee.id == self.person(server)
        assert (after.description, after.priority, after.labels) == (before.description, before.priority, before.labels)

    async def test_a_change_to_nobody_is_rejected(self, tracker: Tracker) -> None:
        """With the field that Jira names."""
        with pytest.raises(TrackerRejected) as told:
            await tracker.change("HARB-3", TicketChange(assignee="nobody-of-this-name"))

        assert "assignee" in told.value.problems

    async def test_a_change_to_nothing_is_told(self, tracker: Tracker) -> None:
        """The ticket is gone."""
        with pytest.raises(TicketGone):
            await tracker.change("HARB-999999", TicketChange(summary="x"))

    async def test_a_ticket_moves_to_a_status(self, tracker: Tracker) -> None:
        """By the name of the status, in any case of letters; again is harmless."""
        created = await tracker.create(DRAFT, MARK)
        await tracker.transition(created.key, "in progress")
        await tracker.transition(created.key, "In Progress")
        moved = await tracker.get(created.key)

        assert (moved.status, moved.category) == ("In Progress", "indeterminate")

    async def test_a_ticket_can_be_done(self, tracker: Tracker) -> None:
        """With the resolution that the workflow wants."""
        created = await tracker.create(DRAFT, MARK)
        await tracker.transition(created.key, "In Progress")
        await tracker.transition(created.key, "Done")

        assert not (await tracker.get(created.key)).open

    async def test_a_status_that_is_none_is_rejected(self, tracker: Tracker) -> None:
        """With those that can be reached."""
        created = await tracker.create(DRAFT, MARK)
        with pytest.raises(TrackerRejected, match="In Progress"):
            await tracker.transition(created.key, "Nirvana")

    async def test_a_move_of_nothing_is_told(self, tracker: Tracker) -> None:
        """The ticket is gone."""
        with pytest.raises(TicketGone):
            await tracker.transition("HARB-999999", "Done")

    # --- trouble --------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("fault", "trouble"),
        [
            (Fault(do="answer", status=401, count=0), TrackerDenied),
            (Fault(do="answer", status=403, count=0), TrackerDenied),
            (Fault(do="answer", status=429, headers={"Retry-After": "1"}, count=0), TrackerBusy),
            (Fault(do="answer", status=500, count=0), TrackerDown),
            (Fault(do="answer", status=503, count=0), TrackerDown),
            (Fault(do="reset", count=0), TrackerDown),
            (Fault(do="truncate", count=0), TrackerDown),
            (Fault(do="login_page", count=0), TrackerDenied),
            (Fault(do="anonymous", count=0), TrackerDenied),
        ],
        ids=["401", "403", "429", "500", "503", "reset", "truncated", "login page", "anonymous"],
    )
    async def test_trouble_is_never_no_ticket(
        self, tracker: Tracker, server: RunningJira, fault: Fault, trouble: type[Trouble]
    ) -> None:
        """Searching, reading and looking for marks say what is wrong."""
        await tracker.get("HARB-1")
        server.fault(fault)
        for work in (
            tracker.search(TicketQuery(words=("zeppelin",))),
            tracker.get("HARB-3"),
            tracker.project(),
            tracker.newest(),
            tracker.adopt(MARK, 10),
            tracker.commented("HARB-3", MARK),
        ):
            with pytest.raises(trouble):
                await work

    async def test_passing_trouble_is_sat_out(self, tracker: Tracker, server: RunningJira) -> None:
        """Twice in a row, for reads."""
        server.fault(Fault(do="reset", method="*", path="/issue/HARB-3$"))
        server.fault(Fault(do="answer", status=502, path="/issue/HARB-3$"))

        assert (await tracker.get("HARB-3")).key == "HARB-3"

    async def test_a_wrong_secret_is_told(self, server: RunningJira) -> None:
        """Never as an empty project."""
        tracker = self.make(server, token="wrong")
        with pytest.raises(TrackerDenied):
            await tracker.search(TicketQuery(words=("export",)))
        with pytest.raises(TrackerDenied):
            await tracker.create(DRAFT, MARK)
        await tracker.close()

        assert {entry.status for entry in server.requests("POST", "/issue$")} <= {401, 403}

    async def test_another_project_is_told(self, server: RunningJira) -> None:
        """A project that does not exist, or that is hidden from us."""
        tracker = self.make(server, project="NOPE")
        with pytest.raises(TicketGone):
            await tracker.project()
        with pytest.raises(TrackerRejected):
            await tracker.search(TicketQuery(words=("export",)))
        await tracker.close()

    async def test_many_at_once_do_not_mix(self, tracker: Tracker) -> None:
        """Each gets its own answer over the shared connections."""
        keys = [f"HARB-{number}" for number in range(1, 41)]
        tickets = await asyncio.gather(*(tracker.get(key) for key in keys))

        assert [ticket.key for ticket in tickets] == keys

    def person(self, server: RunningJira) -> str:
        """Somebody who can be given work, as this server names people."""
        return "acc-60d17be2f95a4c3308ae" if server.cloud else "oskar.lindqvist"
