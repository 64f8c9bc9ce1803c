"""`triage agreement`: how often people left our decisions alone, by Jira's own changelog."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.console import percent, print_json, progress, screen, table
from cli.evaluate.report import ReportPage, bars, curve
from cli.verb import AsJson, load

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage.policy.decision.agreement.changelog import Share, TicketAgreement

DECISIONS: Final = ("decision", "made", "kept", "agreement")
CHANGES: Final = ("ticket", "field", "ours", "became", "by", "at")

Days = Annotated[int, typer.Option(min=1, max=3650, help="Tickets that we created in so many days.")]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with tables and plots.")]
Shadow = Annotated[
    bool, typer.Option("--shadow", help="Compare what SHADOW would have written with the tickets that people made.")
]


def agreement(days: Days = 90, as_json: AsJson = False, html: Html = None, shadow: Shadow = False) -> None:
    """Say how often people kept what Triage decided.

    Type, priority, component, assignee and links of its tickets, week by week, from Jira's changelog.
    """
    if shadow:
        from cli.evaluate.agreement.shadow import print_shadow_agreement

        if html:
            raise typer.BadParameter("the comparison with the shadow has no page; use --json", param_hint="--html")
        print_shadow_agreement(load(), days, as_json=as_json)
        return
    tickets = asyncio.run(_tickets(load(), days))
    figures = figures_of(tickets, days)
    if html:
        _write(html, figures)
    if as_json:
        print_json(figures)
        return
    if not tickets:
        screen().print(f"No ticket of the last {days} days is ours.")
        return
    rows = [_share_row(name, share) for name, share in figures["fields"].items()]
    screen().print(table(DECISIONS, rows, f"{len(tickets)} tickets in {days} days"))
    rows = [tuple(change.values()) for change in figures["changed"][-20:]]
    screen().print(table(CHANGES, rows, "\nWhat people changed last"))


def figures_of(tickets: "Sequence[TicketAgreement]", days: int) -> dict[str, Any]:
    """Return what `--json` prints: shares by field, by week, and each change of a person."""
    from triage.policy.decision.agreement.changelog import shares, total

    counted = shares(tickets)
    weeks = sorted({ticket.week for ticket in tickets})
    return {
        "days": days,
        "tickets": len(tickets),
        "agreement": total(counted.values()).agreement,
        "fields": {str(kind): _share(share) for kind, share in counted.items()},
        "weeks": [_week(week, [ticket for ticket in tickets if ticket.week == week]) for week in weeks],
        "changed": _changes(tickets),
    }


def _changes(tickets: "Sequence[TicketAgreement]") -> list[dict[str, Any]]:
    return [
        {
            "ticket": ticket.key,
            "field": str(kind),
            "was": change.was,
            "becomes": change.becomes,
            "by": str(change.author_name),
            "at": change.at.isoformat(timespec="minutes"),
        }
        for ticket in tickets
        for kind, change in ticket.decided.items()
        if change is not None
    ]


def _week(week: "date", tickets: "Sequence[TicketAgreement]") -> dict[str, Any]:
    from triage.policy.decision.agreement.changelog import shares, total

    counted = shares(tickets)
    return {
        "week": week.isoformat(),
        "tickets": len(tickets),
        "agreement": total(counted.values()).agreement,
        "fields": {str(kind): share.agreement for kind, share in counted.items()},
    }


def _share(share: "Share") -> "dict[str, float | None]":
    return {"decided": share.decided, "kept": share.kept, "agreement": share.agreement}


def _share_row(name: str, share: "Mapping[str, Any]") -> tuple[str, str, str, str]:
    return name.replace("_", " "), str(share["decided"]), str(share["kept"]), percent(share["agreement"])


async def _tickets(settings: "Settings", days: int) -> "tuple[TicketAgreement, ...]":
    from cli.wiring.jira import open_agreement

    async with open_agreement(settings) as service:
        with progress() as bar:
            task = bar.add_task("reading changelogs", total=None)
            return await service.tickets(days, lambda done, of: bar.update(task, completed=done, total=of))


def _write(path: Path, figures: dict[str, Any]) -> None:
    page = ReportPage(
        "triage agreement", f"{figures['tickets']} tickets of {figures['days']} days: how much people left as it was."
    )
    fields = {name: share for name, share in figures["fields"].items() if share["decided"]}
    page.plot("Agreement by decision", bars({name: share["agreement"] for name, share in fields.items()}, top=1.0))
    page.plot("Agreement by week", curve(_curves(figures["weeks"], fields), "week", "agreement"))
    page.table("Decisions", DECISIONS, [_share_row(*share) for share in fields.items()])
    weeks = [(week["week"], week["tickets"], percent(week["agreement"])) for week in figures["weeks"]]
    page.table("Weeks", ("week from", "tickets", "agreement"), weeks)
    page.table("What people changed", CHANGES, [tuple(change.values()) for change in figures["changed"]])
    page.write(path)


def _curves(weeks: "Sequence[Mapping[str, Any]]", fields: "Iterable[str]") -> dict[str, list[tuple[float, float]]]:
    """Return the agreement by week: of all, and of each field in the weeks that have it."""
    curves = {"all": [(float(number), week["agreement"]) for number, week in enumerate(weeks, 1)]}
    for name in fields:
        shares = [(float(number), week["fields"][name]) for number, week in enumerate(weeks, 1)]
        curves[name] = [(number, share) for number, share in shares if share is not None]
    return {name: points for name, points in curves.items() if points or name == "all"}
