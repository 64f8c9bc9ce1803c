"""What the page of a case shows, as values made from its report."""

from datetime import timedelta

import pytest

from tests.unit.triage.services.casework.mail_cases import NOW, case_with
from tests.unit.triage.services.casework.test_eval_cases import created, report
from triage.domain.approvals import Approval, ApprovalState
from triage.domain.cases import Outcome
from triage.domain.conversation import AgentResult, RunStatus, ToolRun
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import Disposition
from triage.domain.mail import Message, RichLine, TextMark
from triage.domain.reports import Report, RunLine, StepLine, TurnLine
from triage.domain.untrusted import Untrusted
from web.console.pages.case.compare import compared
from web.console.pages.case.correct import correction_text, meant
from web.console.pages.case.deeds import LONG, changes_of, cost_of, pretty, sums_of, talks_of, writes_of
from web.console.pages.case.view import FRAME_LEAST, FRAME_MOST, bars_of, has_links, height_of, saw_of, size_of


def with_steps(*steps: tuple[str, float]) -> Report:
    """A report with these steps."""
    lines = tuple(
        StepLine(at=NOW + timedelta(seconds=n), name=name, ms=ms, note="") for n, (name, ms) in enumerate(steps)
    )
    return Report(case=case_with(0.9), state="ticketed", attempts=1, trouble="", steps=lines)


def test_tickets_like_it_are_few_and_say_which_was_taken() -> None:
    """Those that are hardly alike are counted alone."""
    assert [(one.key, one.percent, one.taken) for one in saw_of(case_with(0.9)).near] == [("HARB-3", 90, False)]
    assert (saw_of(case_with(0.001)).near, saw_of(case_with(0.001)).more) == ((), 1)


def test_bars_stand_one_after_the_other() -> None:
    """They fill the chart; a case that was decided again shows its last run."""
    bars = bars_of(with_steps(("read", 900), ("read", 25), ("act", 75)))

    assert [(bar.name, bar.start, bar.width) for bar in bars] == [("read", 0.0, 25.0), ("act", 25.0, 75.0)]
    assert bars_of(with_steps()) == ()


def test_a_frame_is_as_tall_as_its_mail() -> None:
    """A short mail leaves no empty half of a screen, a wrapped line counts as its lines, and a long mail is scrolled."""
    lines = "Hello,\n\nthe printer jams.\n\nAda"

    assert height_of("") == FRAME_LEAST
    assert 5 * 20 < height_of(lines) < 8 * 22
    assert height_of("word " * 150) == height_of("\n".join(["word"] * 11))
    assert height_of("line\n" * 500) == FRAME_MOST
    assert height_of(f"{lines}\n" + "> older\n" * 40) == height_of(f"{lines}\n\n\n")
    assert height_of(f"{lines}\n" + "> older\n" * 4) > height_of(f"{lines}\n\n\n")


@pytest.mark.parametrize(
    ("mail", "links"),
    [
        (Message(text=Untrusted("See https://example.com/x.")), True),
        (Message(rich=(RichLine(Untrusted("here"), marks=(TextMark(0, 4, "https://example.com"),)),)), True),
        (Message(flags=("alternatives-differ",)), True),
        (
            Message(text=Untrusted("here"), rich=(RichLine(Untrusted("here"), marks=(TextMark(0, 4, "strong"),)),)),
            False,
        ),
    ],
)
def test_links_are_offered_where_there_are_some(mail: Message, *, links: bool) -> None:
    """By the text, by the HTML, and where the HTML says something else; a mail without any offers none."""
    assert links == has_links(mail)


def test_writes_are_sentences() -> None:
    """A created ticket is named by its result, everything else by its target, a link by both its ends."""
    effects = (
        Effect(key="a", kind="create", state=EffectState.DONE, result="HARB-1"),
        Effect(key="b", kind="comment", target="HARB-2", state=EffectState.UNKNOWN),
        Effect(key="c", kind="withdraw-ticket", target="HARB-3", state=EffectState.DONE),
        Effect(key="case-1:link:HARB-1:Relates:HARB-2", kind="link", target="HARB-1", state=EffectState.DONE),
    )
    wrote = writes_of(Report(case=case_with(0), state="", attempts=1, trouble="", effects=effects))

    assert [(one.words, one.ticket, one.note, one.state) for one in wrote] == [
        ("Created", "HARB-1", "", "done"),
        ("Commented on", "HARB-2", "", "unknown"),
        ("Withdrew", "HARB-3", "", "done"),
        ("Linked", "HARB-1", "to HARB-2", "done"),
    ]


def test_many_files_are_one_line() -> None:
    """A mail with twenty attachments says so once, and a file that failed between them stands by itself."""
    states = [EffectState.DONE] * 3 + [EffectState.REFUSED] + [EffectState.DONE] * 2
    effects = tuple(Effect(key=f"{n}", kind="attach", target="HARB-1", state=state) for n, state in enumerate(states))
    wrote = writes_of(Report(case=case_with(0), state="", attempts=1, trouble="", effects=effects))

    assert [(one.state, one.times) for one in wrote] == [("done", 3), ("refused", 1), ("done", 2)]


def test_changes_say_from_and_to() -> None:
    """An approval of an older version shows its whole arguments."""
    new = Approval(
        id=4, case="case-1", tool="t", arguments="{}", reason="r", ticket="HARB-1", field="status", was="a", becomes="b"
    )
    old = Approval(case="case-1", tool="t", arguments='{"x":1}', reason="r", state=ApprovalState.ACCEPTED, by="ada")

    assert [(one.field, one.was, one.becomes, one.open, one.by) for one in changes_of((new, old))] == [
        ("status", "a", "b", True, ""),
        ("t", "", '{"x":1}', False, "ada"),
    ]


def test_the_talk_with_a_model_has_its_calls() -> None:
    """Each round has the calls that it led to; what was refused says so."""
    bad = ToolRun(tool="t", arguments="no json", result={"error": "refused"}, iteration=1)
    result = AgentResult(status=RunStatus.COMPLETED, tool_calls=(*created().tool_calls, bad))
    run = RunLine(run=1, profile="jira", status="completed", system="s", user="u", result=result)
    turn = TurnLine(
        run=1, number=1, model="m", text="x", calls=("t",), input_tokens=1000, output_tokens=2, cost_usd=0.5, ms=3
    )
    whole = Report(case=case_with(0), state="", attempts=1, trouble="", runs=(run,), turns=(turn,))
    (talk,) = talks_of(whole)

    assert [(use.tool, use.good) for use in talk.rounds[0].uses] == [
        ("search", True),
        ("create_jira_ticket", True),
        ("t", False),
    ]
    assert (sums_of(whole).rounds, sums_of(whole).cost, sums_of(whole).seconds) == (1, "0.5000 USD", "under 0.1")


def test_figures_for_people() -> None:
    """Sizes, prices and long results."""
    assert [size_of(size) for size in (12, 4200, 4_200_000)] == ["12 bytes", "4 kB", "4.2 MB"]
    assert [cost_of(usd) for usd in (None, 0.0, 0.01)] == ["price not known", "free", "0.0100 USD"]
    assert pretty("x" * (LONG + 5)).endswith("… 5 more characters")


def test_both_sides_of_a_replay() -> None:
    """Equal reports are the same; of another one the differing rows and what it would write."""
    done = report(1, Outcome.TICKETED, "OPS-7", result=created())
    would = {
        "tool": "create_jira_ticket",
        "summary": "It fails\\.",
        "labels": ["a", "b"],
        "assignee": {"name": "Ada"},
        "due": None,
    }
    run = ToolRun(
        tool="create_jira_ticket", arguments={}, result={"status": "dry_run", "key": "new", "would": would}, iteration=1
    )
    dry = report(1, Outcome.TICKETED, "new", result=AgentResult(status=RunStatus.COMPLETED, tool_calls=(run,)))
    both = compared(done, dry)

    assert compared(done, done).same
    assert not both.same
    assert [row.name for row in both.rows if row.differs] == ["Ticket"]
    assert [(one.head, one.ticket, one.fields, one.texts) for one in both.after] == [
        ("New ticket", "", (("Assignee", "Ada"), ("Labels", "a, b")), (("Summary", "It fails."),))
    ]


@pytest.mark.parametrize(
    ("becomes", "ticket", "wanted"),
    [
        ("is:HARB-3", "", (Disposition.ADDITION, "HARB-3", "")),
        ("belongs", " harb-4 ", (Disposition.ADDITION, "HARB-4", "")),
        ("new", "HARB-4", (Disposition.WORK, "", "OPS-7")),
        ("ignore", "", (None, "", "")),
        ("spam", "", (Disposition.SPAM, "", "")),
    ],
)
def test_what_a_person_means(becomes: str, ticket: str, wanted: tuple[Disposition | None, str, str]) -> None:
    """A mail that was put to a ticket and is a matter of its own does not belong to that ticket."""
    found = meant(report(2, Outcome.COMMENTED, "OPS-7"), becomes, ticket)

    assert found == wanted
    assert correction_text(*found).endswith(".")
