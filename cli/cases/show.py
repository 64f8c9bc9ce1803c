"""`triage show`: prints the report of one case: steps, model answers, writes, reasons."""

from io import StringIO
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from cli.console import SafeConsole, print_json, print_raw, screen, table
from cli.verb import AsJson, CaseName, Service
from triage.domain.text.counts import many
from triage.domain.text.escapes import unescaped

if TYPE_CHECKING:
    from triage.domain.cases import Case
    from triage.domain.findings import Cues
    from triage.domain.reports import Report, RunLine, TurnLine


SHOWN = 0.01
"""Score below which a candidate is not listed."""


def show(
    case: CaseName,
    as_json: AsJson = False,
    raw: Annotated[bool, typer.Option("--raw", help="The mail as it came, nothing else.")] = False,
    prompt: Annotated[bool, typer.Option("--prompt", help="With the prompts, word for word.")] = False,
) -> None:
    """Show all about a case: mail, findings, tool calls, writes, cost."""
    from cli.wiring.store import open_reports

    if raw:
        print_raw(Service(open_reports).ask(lambda reports: reports.raw(case)))
        return
    report = Service(open_reports).ask(lambda reports: reports.report(case))
    if as_json:
        print_json(report)
    else:
        print_report(report, screen(), prompt=prompt)


def text_of(report: "Report", width: int = 160) -> str:
    """Return the report as plain text, `width` columns wide."""
    out = SafeConsole(file=StringIO(), width=width, markup=False, highlight=False, emoji=False, color_system=None)
    with out.capture() as captured:
        print_report(report, out, prompt=False)
    return captured.get()


def print_report(report: "Report", out: "Console", *, prompt: bool) -> None:
    """Print everything about a case in chronological order."""
    from cli.cases.letters import LETTER_COLUMNS, letter_row
    from cli.cases.reply import print_reply
    from triage.policy.decision.proposals import asker_of, change_of, deciders_of, state_of, why_of

    _mail(report, out)
    steps = [(f"{s.at:%H:%M:%S}", s.name, f"{s.ms:.0f}", s.note) for s in report.steps]
    out.print(table(("at (UTC)", "step", "ms", "found"), steps, "\nSteps"))
    _found(report.case, out)
    for run in report.runs:
        _run(run, report, out, prompt=prompt)
    print_reply(report, out)
    if report.effects:
        effects = [(e.kind, e.target or e.result, e.state, e.note) for e in report.effects]
        out.print(table(("effect", "ticket", "state", "note"), effects, "\nWritten"))
    if report.letters:
        out.print(table(LETTER_COLUMNS, (letter_row(one) for one in report.letters), "\nLetters"))
    if report.case.message and report.case.message.left_out:
        out.print("\nLeft out of the words for Jira: history, signature, what programs append", style="bold")
        out.print(report.case.message.left_out, style="dim", soft_wrap=True)
    if report.approvals:
        parked = [
            (str(one.id), asker_of(one), change_of(one), why_of(one), state_of(one), deciders_of(one))
            for one in report.approvals
        ]
        out.print(table(("no.", "from", "change", "why", "state", "decided by"), parked, "\nApprovals"))
    _cost(report, out)


def _mail(report: "Report", out: "Console") -> None:
    from triage.policy.case_lists.beside import beside
    from triage.policy.thread.throttle import counted

    case, mail = report.case, report.case.message
    out.print(f"{case.id}  {case.outcome or report.state}  {case.ticket or ''}", style="bold")
    out.print(beside(case.reason, report.state, case.ticket or "") or report.trouble)
    if mail:
        out.print(f"\nFrom     {mail.sender or 'nobody'} ({_trusted(case)})\nSubject  {mail.subject}")
    out.print(f"Received {case.received_at:%Y-%m-%d %H:%M:%S} UTC by {case.source}, attempt {report.attempts}")
    for number, hop in enumerate(mail.hops if mail else ()):
        out.print(f"{'' if number else 'Way':<9}{hop}", soft_wrap=True)
    if case.identity.kind:
        out.print(
            f"Kind     {case.identity.kind.kind} ({', '.join(case.identity.kind.evidence) or 'nothing says otherwise'})"
        )
    if report.rival:
        out.print(f"Copy     {report.rival} has the same mail, and its sender is not equally proven", soft_wrap=True)
    if report.flood:
        out.print(f"Limit    {counted(report.flood)}", soft_wrap=True)
    for one in report.corrections:
        about = f" of {one.ticket}" if one.ticket else ""
        out.print(f"Said     {one.by}: {one.disposition}{about}; it was {one.was}", soft_wrap=True)
    if case.flags:
        out.print(f"Flags    {', '.join(case.flags)}")


def _trusted(case: "Case") -> str:
    return ": ".join(filter(None, (str(case.identity.trust), ", ".join(case.identity.trust_because))))


def _cue_rows(cues: "Cues") -> list[tuple[str, str, str]]:
    single = (("priority", cues.priority), ("type", cues.type), ("fixed", cues.fixed))
    named = (*single, *(("technology", cue) for cue in cues.technologies))
    rows = [(name, cue.value, ", ".join(cue.evidence)) for name, cue in named]
    return rows + [("mentioned", person, "") for person in cues.people]


def _found(case: "Case", out: "Console") -> None:
    if case.route is None:  # it ended before routing
        return
    if found := case.classification.disposition:
        because = "; ".join(found.evidence)
        out.print(f"\nDisposition  {found.disposition} ({100 * found.confidence:.0f} %): {because}", soft_wrap=True)
    out.print(table(("cue", "value", "because of"), _cue_rows(case.cues), "\nCues"))
    near = [
        (c.ticket.key, c.percent, c.ticket.status, c.ticket.summary, "; ".join(c.evidence))
        for c in case.retrieval.candidates
        if c.probability >= SHOWN
    ]
    if near:
        out.print(table(("ticket", "probability", "status", "summary", "evidence"), near, "\nCandidates"))
    _people(case, out)


def _people(case: "Case", out: "Console") -> None:
    if case.retrieval.proposals:
        rows = [
            (str(p.person.name), f"{p.score:g}", "; ".join(f"{point.why} {point.value:+g}" for point in p.points))
            for p in case.retrieval.proposals
        ]
        out.print(table(("person", "score", "points"), rows, "\nProposed for a new ticket"))
    for out_of_it in case.retrieval.left_out:
        out.print(f"Not {out_of_it.name}: {out_of_it.why}")


def _turn_row(t: "TurnLine") -> tuple[str, ...]:
    tokens = f"{t.input_tokens}/{t.output_tokens}"
    return str(t.number), t.model, ", ".join(t.calls) or "-", t.text, tokens, f"{t.ms:.0f}"


def _run(run: "RunLine", report: "Report", out: "Console", *, prompt: bool) -> None:
    out.print(f"\nRun {run.run}: profile {run.profile}, {run.status}", style="bold")
    if prompt:
        out.print(f"--- system\n{run.system}\n--- user\n{run.user}\n---")
    turns = [_turn_row(turn) for turn in report.turns if turn.run == run.run]
    out.print(table(("round", "model", "calls", "said", "tokens in/out", "ms"), turns))
    for call in run.result.tool_calls if run.result else ():
        wish = unescaped(str(call.arguments).replace(r"\\", "\\"))  # for people: --json has it exactly
        out.print(f"  {call.iteration}. {call.tool} {wish}\n     -> {call.result}", style="dim")


def _cost(report: "Report", out: "Console") -> None:
    asked = [turn for turn in report.turns if turn.model != "playbook"]
    if not asked:
        out.print(f"\nno model was asked; {many(report.jira_calls, 'Jira call')}")
        return
    spent = [t.cost_usd for t in asked if t.cost_usd is not None]
    tokens = sum(t.input_tokens for t in asked), sum(t.output_tokens for t in asked)
    cost = f"{sum(spent):.4f} USD" if spent else "cost unknown (set OPENAI_PRICE_INPUT and OPENAI_PRICE_OUTPUT)"
    out.print(
        f"\n{many(len(asked), 'model call')}, {tokens[0]} tokens in, {tokens[1]} out, {cost}; {many(report.jira_calls, 'Jira call')}"
    )
