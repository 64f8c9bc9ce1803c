"""Compares what became of the demo's mails with what was expected, and prints it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

from cli.console import screen, table

if TYPE_CHECKING:
    from cli.evaluate.cases.expected import Expected, MailCase
    from cli.evaluate.cases.judge import Got, JudgedCase
    from triage.domain.reports import Report
    from triage.services.written_tickets import TicketFacts
    from triage_sandbox.company import DemoMail


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoLine:
    """The outcome of one mail, and whether it is the expected one."""

    mail: str
    action: str
    ticket: str
    why: str
    expected: str
    """Empty if the outcome is the expected one."""


def judged(
    letters: "tuple[DemoMail, ...]", reports: list["Report"], facts: "Sequence[TicketFacts | None] | None" = None
) -> list[DemoLine]:
    """Compare the end of each mail with the expected one; without `facts` outcome and ticket alone."""
    from cli.evaluate.cases.expected import MailCase
    from cli.evaluate.cases.judge import Got
    from cli.evaluate.cases.judge import judged as compared

    mails = [MailCase(name=letter.name, raw=letter.raw, expected=_expected(letter, facts)) for letter in letters]
    ends = [Got.of(report, fact) for report, fact in zip(reports, facts or [None] * len(reports), strict=True)]
    asked = [_without_sprint(*each) for each in zip(ends, mails, reports, strict=True)]
    return [_line(*each) for each in zip(compared(mails, asked), ends, strict=True)]


def _line(line: "JudgedCase", end: "Got") -> DemoLine:
    wrong = "" if line.right else _expected_text(line)
    return DemoLine(mail=line.name, action=end.action, ticket=end.ticket, why=end.why, expected=wrong)


def _expected(letter: "DemoMail", facts: object) -> "Expected":
    """Return what is judged of a mail."""
    from cli.evaluate.cases.expected import EXPECTED

    given = {name: value for name, value in asdict(letter.expected).items() if value}
    return EXPECTED.validate_python(given if facts else {name: given[name] for name in ("action", "ticket")})


def _without_sprint(end: "Got", mail: "MailCase", report: "Report") -> "Got":
    """Return the end without a wait for sprints alone: of a full one, or of a ticket of an unknown sender."""
    sprints = bool(report.approvals) and all(parked.field == "sprint" for parked in report.approvals)
    return replace(end, action=mail.expected.action[0]) if sprints else end


def _expected_text(line: "JudgedCase") -> str:
    """Say what was expected: outcome and ticket, then the other fields that differ."""
    other = [f"{name} {getattr(line.expected, name)}" for name in line.wrong if name not in {"action", "ticket"}]
    return ", ".join([f"{line.expected.action[0]} {' or '.join(line.expected.ticket)}", *other])


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoCost:
    """Cost of the run: medians per mail that a model worked on."""

    seconds: float
    model_calls: float
    input_tokens: float
    jira_calls: float
    model: str

    @classmethod
    def of(cls, reports: list["Report"], seconds: float, asked: str) -> "DemoCost":
        """Compute the medians from the reports."""
        worked = [report for report in reports if report.turns]
        return cls(
            seconds=seconds,
            model_calls=median(len(r.turns) for r in worked),
            input_tokens=median(sum(t.input_tokens for t in r.turns) for r in worked),
            jira_calls=median(r.jira_calls for r in worked),
            model=f"{worked[0].turns[0].model}{asked}",
        )


def print_table(lines: list[DemoLine], spent: DemoCost) -> None:
    """Print what became of each mail, what was expected where that is something else, and the cost."""
    from triage.policy.case_lists.beside import beside

    out = screen()
    whys = [f"EXPECTED {x.expected}: {x.why}" if x.expected else beside(x.why, x.action, x.ticket) for x in lines]
    rows = [(x.mail, x.action, x.ticket, why) for x, why in zip(lines, whys, strict=True)]
    out.print(table(("mail", "action", "ticket", "why"), rows, "What became of the mails"))
    wrong = sum(bool(x.expected) for x in lines)
    out.print(
        f"\n{len(lines)} mails in {spent.seconds:.1f} s, {len(lines) - wrong} as expected. Median per mail ({spent.model}):"
    )
    out.print(
        f"{spent.model_calls:.0f} rounds, {spent.input_tokens:.0f} input tokens (estimated at 4 bytes each), "
        f"{spent.jira_calls:.0f} Jira calls."
    )
