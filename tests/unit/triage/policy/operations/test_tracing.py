"""Spans made of a case's journal."""

from datetime import UTC, datetime, timedelta

from triage.domain.cases import Case, Outcome
from triage.domain.findings import Route
from triage.domain.operations.audit import CallAudit
from triage.domain.operations.traces import SpanKind, Worked
from triage.domain.reports import Report, StepLine
from triage.policy.operations.tracing import spans_of

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
SECRET = b"s" * 32


def after(seconds: float) -> datetime:
    """So many seconds after the mail came in."""
    return NOW + timedelta(seconds=seconds)


def step(name: str, at: float, ms: float = 500.0) -> StepLine:
    """A step that ended then."""
    return StepLine(at=after(at), name=name, ms=ms, note="words of the mail")


def call(at: float, model: str = "gpt-5.4-mini", cost: float | None = 0.01) -> CallAudit:
    """An answer that came then."""
    return CallAudit(
        run="case-7/1",
        case="case-7",
        number=int(at),
        at=after(at),
        call_type="agent",
        model=model,
        input_tokens=900,
        output_tokens=40,
        cost_usd=cost,
        ms=800.0,
    )


CASE = Case(
    id="case-7",
    source="imap:ada@example.com",
    received_at=NOW,
    ticket="OPS-1",
    outcome=Outcome.TICKETED,
    route=Route(rule="default", profile="jira"),
)
REPORT = Report(
    case=CASE, state="ticketed", attempts=1, trouble="", steps=(step("read", 2), step("act", 6, 3_000), step("old", -9))
)
WORKED = Worked(case="case-7", begin=after(1), end=after(7), attempt=1)


def test_a_mail_is_one_trace() -> None:
    """The mail from its arrival, the work below it, the steps below that, answers of models below the step that asked."""
    mail, work, read, act, asked, elsewhere = spans_of(
        REPORT, (call(5), call(6.5, "gemini/flash", None)), WORKED, SECRET
    )

    assert {one.trace for one in (mail, work, read, act, asked, elsewhere)} == {mail.trace}
    assert (len(mail.trace), len(mail.id)) == (32, 16)
    assert (mail.name, mail.parent, mail.kind, mail.begin, mail.end) == ("mail", "", SpanKind.CONSUMER, NOW, after(7))
    assert (work.name, work.parent, work.error) == ("work", mail.id, "")
    assert [(one.name, one.parent) for one in (read, act)] == [("step read", work.id), ("step act", work.id)]
    assert (act.begin, act.end) == (after(3), after(6))
    assert (asked.name, asked.parent, asked.kind) == ("chat gpt-5.4-mini", act.id, SpanKind.CLIENT)
    assert asked.begin == after(4.2)
    assert asked.attributes == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-5.4-mini",
        "gen_ai.response.model": "gpt-5.4-mini",
        "gen_ai.usage.input_tokens": 900,
        "gen_ai.usage.output_tokens": 40,
        "gen_ai.conversation.id": "case-7/1",
        "triage.cost_usd": 0.01,
    }
    assert elsewhere.parent == work.id
    assert elsewhere.attributes["gen_ai.provider.name"] == "gemini"
    assert "triage.cost_usd" not in elsewhere.attributes


def test_no_words_leave() -> None:
    """Outcome, ticket and route are told; the mailbox's name, which may be an address, and notes of steps are not."""
    told = [value for one in spans_of(REPORT, (), WORKED, SECRET) for value in one.attributes.values()]

    assert {"imap", "ticketed", "OPS-1", "default", "jira"} <= set(told)
    assert not any("@" in str(value) or "words" in str(value) for value in told)


def test_a_second_try() -> None:
    """Work on a mail that was read before adds to the same trace, and tells the mail itself no second time."""
    first = spans_of(REPORT, (), WORKED, SECRET)
    again = Worked(case="case-7", begin=after(20), end=after(30), attempt=2, trouble="Jira is down")
    (work,) = spans_of(
        Report(case=Case(id="case-7", source="file", received_at=NOW), state="retrying", attempts=2, trouble=""),
        (),
        again,
        SECRET,
    )

    assert (work.trace, work.parent) == (first[0].trace, first[0].id)
    assert work.id != first[1].id
    assert work.error == "Jira is down"
    assert work.attributes == {"triage.case": "case-7", "triage.attempt": 2}


def test_ids_cannot_be_guessed() -> None:
    """Another installation's case of the same number is another trace."""
    assert spans_of(REPORT, (), WORKED, b"other")[0].trace != spans_of(REPORT, (), WORKED, SECRET)[0].trace
