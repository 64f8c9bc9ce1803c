"""`triage route`: says which routing rule takes a mail and why, and which rules no mail can take."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import print_json, screen, table
from cli.verb import AsJson, load

if TYPE_CHECKING:
    from triage.policy.routing.route import RuleReading
    from triage.services.routing.route_tester import RouteTest, RouteTester

NO_FILE = "name at least one file, or --check"

Files = Annotated[
    list[str] | None, typer.Argument(metavar="FILE…", help="Raw mails (.eml); - reads one from standard input.")
]
Explain = Annotated[bool, typer.Option("--explain", help="What each rule says of the mail.")]
Mailbox = Annotated[str, typer.Option(metavar="NAME", help="As if the mail came by this mailbox of triage.yaml.")]
Check = Annotated[bool, typer.Option("--check", help="Say which rules no mail reaches, or nobody can prove.")]


def route(
    files: Files = None, explain: Explain = False, mailbox: Mailbox = "", check: Check = False, as_json: AsJson = False
) -> None:
    """Say which routing rule takes a mail, and why.

    It goes by the mail alone: its thread, and what is known of its sender, are not looked up.


    Exit codes: 0 done; 1 with --check where a rule is doubtful; 2 wrong use or settings.
    """
    tester = _tester()
    if not files and not check:
        raise typer.BadParameter(NO_FILE)
    doubts = list(tester.warnings()) if check else []
    tests = {name: tester.test(_mail(name), f"imap:{mailbox}" if mailbox else "file") for name in files or ()}
    if as_json:
        print_json({"mails": [_line(name, test) for name, test in tests.items()], "warnings": doubts})
    else:
        _show(tests, doubts, explain=explain)
    raise typer.Exit(1 if doubts else 0)


def _tester() -> "RouteTester":
    from cli.wiring.agents.profiles import agents_of
    from cli.wiring.rules import rules_of
    from triage.config.triage_yaml import load_config
    from triage.services.routing.route_tester import RouteTester

    settings = load()
    config = load_config(settings.triage_config)
    agents_of(settings, config)
    return RouteTester(rules_of(settings, config))


def _mail(name: str) -> "Any":
    import sys

    from cli.wiring.mail import message_of

    try:
        return message_of(sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes())
    except OSError as e:
        raise typer.BadParameter(f"cannot read {name}: {e.strerror}") from None


def _show(tests: "dict[str, RouteTest]", doubts: list[str], *, explain: bool) -> None:
    out = screen()
    for name, test in tests.items():
        chosen = test.route
        what = f"{chosen.pipeline} {chosen.profile}" + (f" for {chosen.project}" if chosen.project else "")
        because = "; ".join(chosen.because) or "no rule holds"
        out.print(f"{name}: rule {chosen.rule}: {what} ({because})", soft_wrap=True)
        for reason in chosen.passed_over:
            out.print(f"  not rule {reason}", soft_wrap=True)
        if explain:
            rows = [(one.rule, _takes_text(one), why) for one in test.readings for why in _why(one)]
            out.print(table(("rule", "takes it", "why"), rows))
    for doubt in doubts:
        out.print(doubt, soft_wrap=True)
    if not (tests or doubts):
        out.print("every rule can be reached and proven")


def _takes_text(reading: "RuleReading") -> str:
    return "yes" if reading.takes else "an earlier one does" if reading.holds else "no"


def _why(reading: "RuleReading") -> "Iterator[str]":
    """Yield why a rule holds, or the conditions that fail, with the evidence that was rejected."""
    if not reading.findings:
        yield "it has no condition"
    for one in reading.findings:
        if one.holds == reading.holds:
            yield one.why if one.holds else f"{one.condition}: {one.why or 'does not hold'}"


def _line(name: str, test: "RouteTest") -> dict[str, Any]:
    facts, chosen = test.facts, test.route
    return {
        "mail": name,
        "rule": chosen.rule,
        "route": chosen.pipeline.value,
        "profile": chosen.profile,
        "project": chosen.project,
        "labels": list(chosen.labels),
        "because": list(chosen.because),
        "passed_over": list(chosen.passed_over),
        "trust": facts.proof.trust.value,
        "trust_because": list(test.trust_because),
        "kind": facts.kind.value,
        "languages": list(facts.languages),
        "disposition": facts.disposition.value if facts.disposition else None,
        "rules": [
            {
                "rule": one.rule,
                "takes": one.takes,
                "holds": one.holds,
                "conditions": [
                    {"condition": found.condition, "holds": found.holds, "why": found.why} for found in one.findings
                ],
            }
            for one in test.readings
        ],
    }
