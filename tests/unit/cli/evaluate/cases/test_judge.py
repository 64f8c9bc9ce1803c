"""The judge: each field by itself, keys by name or by the mail that made them, costs in sum."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from cli.evaluate.cases.expected import EXPECTED, MailCase
from cli.evaluate.cases.judge import Got, JudgedCase, as_row, confusion, cost, judged
from triage.domain.cases import Case, Outcome
from triage.domain.reports import Report, TurnLine
from triage.services.written_tickets import TicketFacts

FACTS = TicketFacts(
    type="Bug",
    priority="High",
    components=("Billing",),
    labels=("from-mail", "java"),
    assignee=("Ada Byron", "ada@example.com", "id-1"),
    due_date=date(2026, 11, 27),
    text="## What happens\nIt burns.",
)


def mail(name: str = "01-fire", **expected: Any) -> MailCase:
    """A mail with this expectation."""
    return MailCase(name=name, raw=b"", expected=EXPECTED.validate_python({"action": "ticketed"} | expected))


def got(**told: Any) -> Got:
    """The end of a mail."""
    given: dict[str, Any] = {
        "case": "case-1",
        "action": "ticketed",
        "ticket": "OPS-7",
        "disposition": "work",
        "why": "",
    }
    return Got(**given | {"facts": FACTS} | told)


def wrong(end: Got | None = None, **expected: Any) -> tuple[str, ...]:
    """The fields in which one mail differs."""
    (line,) = judged([mail(**expected)], [end or got()])
    return line.wrong


@pytest.mark.parametrize(
    ("field", "right", "other"),
    [
        ("type", "bug", "Story"),
        ("type", ["Task", "Bug"], ["Task", "Story"]),
        ("priority", "High", "Low"),
        ("component", "Billing", "none"),
        ("labels", ["java"], ["java", "python"]),
        ("assignee", "ada@example.com", "Kim"),
        ("assignee", "Ada Byron", "none"),
        ("due_date", "2026-11-27", "none"),
        ("due_date", ["none", "2026-11-27"], ["none", "2026-11-26"]),
        ("structure", ["what happens"], ["what happens", "## Steps"]),
        ("absent", ["password"], ["password", "IT BURNS"]),
        ("disposition", ["work", "question"], "spam"),
        ("ticket", "new", "none"),
        ("ticket", "OPS-7", "OPS-8"),
        ("ticket", ["none", "OPS-7"], ["none", "mail:02"]),
        ("ticket", "mail:01", "mail:02"),
    ],
)
def test_each_field_is_judged_by_itself(field: str, right: Any, other: Any) -> None:
    """A field that differs is named alone; a value or one of a list is right; absent ones are not judged."""
    assert (wrong(**{field: right}), wrong(**{field: other}), wrong()) == ((), (field,), ())


def test_an_address_that_jira_hides() -> None:
    """Whoever is expected by address is right by the id that has it."""
    hidden = got(facts=TicketFacts(type="Bug", assignee=("Ada Byron", "712020:ada")))
    wanted = [mail(assignee="ada@example.com")]

    assert judged(wanted, [hidden])[0].wrong == ("assignee",)
    assert judged(wanted, [hidden], addresses={"712020:ada": "ada@example.com", "1": "kim@example.com"})[0].right


def test_nothing_is_something_that_can_be_expected() -> None:
    """A ticket of nobody, without component and date, is right where `none` is expected."""
    bare = got(facts=TicketFacts(type="Bug"))

    assert wrong(bare, component="none", assignee="none", due_date="none") == ()
    assert wrong(got(action="ignored", ticket="", facts=None), action="ignored", ticket="none") == ()


def test_a_ticket_is_new_once() -> None:
    """The second mail that ends in the same ticket has made no new one, nor does a mail that ends in a named one."""
    lines = judged([mail("01-a", ticket="new"), mail("02-b", ticket="new"), mail("03-c", ticket="OPS-1")], [got()] * 3)
    named = judged([mail("01-a", ticket="new"), mail("02-b", ticket="OPS-7")], [got(), got()])

    assert [line.wrong for line in lines] == [(), ("ticket",), ("ticket",)]
    assert named[0].wrong == ("ticket",)


def test_a_dry_run_has_no_tickets_to_name() -> None:
    """Every draft is new, and the ticket of another mail is not judged."""
    drafts = [got(ticket="new"), got(ticket="new")]
    lines = judged([mail("01-a", ticket="new"), mail("02-b", ticket="mail:01")], drafts, dry_run=True)

    assert [line.right for line in lines] == [True, True]


def test_sums() -> None:
    """Dispositions that were expected against those that came, and all that was spent."""
    lines = judged(
        [mail("01-a", disposition="work"), mail("02-b", disposition="spam"), mail("03-c")],
        [got(usd=0.5, model_calls=2), got(input_tokens=7), got(usd=0.25, output_tokens=3, jira_calls=4)],
    )

    assert confusion(lines) == {"spam": {"work": 1}, "work": {"work": 1}}
    assert cost(lines, 1.23) == {
        "usd": 0.75,
        "model_calls": 2,
        "input_tokens": 7,
        "output_tokens": 3,
        "jira_calls": 4,
        "seconds": 1.2,
    }
    assert cost(lines[1:2], 0)["usd"] is None


def test_a_report_becomes_an_end() -> None:
    """Outcome, ticket, reason and costs; a case that has not ended shows its state and trouble."""
    turn = TurnLine(
        run=1, number=1, model="m", text="", calls=(), input_tokens=9, output_tokens=2, cost_usd=0.1, ms=1.0
    )
    case = Case(id="case-3", source="eval", received_at=datetime(2026, 11, 22, tzinfo=UTC))
    waiting = Got.of(Report(case=case, state="retrying", attempts=1, trouble="503", turns=(turn,)), None)
    done = case.closed(Outcome.IGNORED, "A newsletter.")
    ended = Got.of(Report(case=done, state="done", attempts=1, trouble="", jira_calls=3), None)

    assert (waiting.action, waiting.why, waiting.usd, waiting.input_tokens) == ("retrying", "503", 0.1, 9)
    assert (ended.action, ended.why, ended.usd, ended.jira_calls) == ("ignored", "A newsletter.", None, 3)


def test_a_row_tells_what_was_judged() -> None:
    """What was expected, what came, and no text of the ticket."""
    line: JudgedCase = judged([mail(priority="Low", about="a fire")], [got()])[0]
    row = as_row(line)

    assert (row["case"], row["right"], row["wrong"]) == ("01-fire", False, ["priority"])
    assert row["expected"] == {"action": ("ticketed",), "priority": ("Low",)}
    assert (row["got"]["priority"], "text" in row["got"]) == ("High", False)
