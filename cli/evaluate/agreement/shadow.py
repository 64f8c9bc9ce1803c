"""`triage agreement --shadow`: compares what the shadow decided with the tickets that people made for the same mails."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cli.console import percent, print_json, progress, screen, table
from cli.wiring.jira import open_shadow_agreement
from triage.config.settings import Settings
from triage.domain.text.counts import many
from triage.policy.decision.agreement.changelog import Share, total
from triage.policy.decision.agreement.shadow import ShadowComparison, TrackerAction, actions, fields

LISTED: Final = 30
"""Mails that the table lists, the newest."""
WITHOUT: Final = "no ticket"


def print_shadow_agreement(settings: Settings, days: int, *, as_json: bool) -> None:
    """Print the shares, then each mail for which people did something else, newest last."""
    compared = asyncio.run(_compared(settings, days))
    figures = shadow_figures(compared, days)
    if as_json:
        print_json(figures)
        return
    if not compared:
        screen().print(f"No mail of the last {days} days was decided in the shadow; SHADOW=true begins one.")
        return
    _print_shares(figures, f"{many(len(compared), 'mail')} in {many(days, 'day')}")


def _print_shares(figures: Mapping[str, Any], mails: str) -> None:
    rows = [(name, *_row(share)) for name, share in {**figures["actions"], **figures["fields"]}.items()]
    young = f"; {figures['early']} came in today and may still get one of people" if figures["early"] else ""
    title = f"{mails}, {figures['asked']} of them for a person{young}"
    screen().print(table(("we would have", "made", "people, too", "agreement"), rows, title))
    if differing := [tuple(one.values()) for one in figures["differing"][-LISTED:]]:
        head = ("case", "subject", "what", "ours", "people's", "ticket")
        screen().print(table(head, differing, "\nWhere people differ"))


def shadow_figures(compared: Sequence[ShadowComparison], days: int) -> dict[str, Any]:
    """Return what `--json` prints: shares by action and by field, and each difference."""
    by_action = actions(compared)
    return {
        "days": days,
        "mails": len(compared),
        "early": sum(one.early and one.ours.action is not TrackerAction.PERSON for one in compared),
        "asked": sum(one.ours.action is TrackerAction.PERSON for one in compared),
        "agreement": total(by_action.values()).agreement,
        "actions": {str(action): _share(share) for action, share in by_action.items()},
        "fields": {str(kind): _share(share) for kind, share in fields(compared).items()},
        "differing": [line for one in compared for line in _differing(one)],
    }


def _differing(one: ShadowComparison) -> list[dict[str, str]]:
    theirs = one.theirs.key if one.theirs else ""
    about = {"case": one.case, "subject": one.subject}
    if one.agrees is False:
        ours = " ".join(filter(None, (str(one.ours.action), one.ours.ticket)))
        people = str(TrackerAction.TICKET) if theirs else WITHOUT
        return [{**about, "what": "action", "ours": ours, "people": people, "ticket": theirs}]
    return [
        {**about, "what": str(kind), "ours": ours, "people": people, "ticket": theirs}
        for kind, (ours, people) in one.differing.items()
    ]


def _share(share: Share) -> dict[str, float | None]:
    return {"decided": share.decided, "kept": share.kept, "agreement": share.agreement}


def _row(share: Mapping[str, float | None]) -> tuple[str, str, str]:
    return str(share["decided"]), str(share["kept"]), percent(share["agreement"])


async def _compared(settings: Settings, days: int) -> tuple[ShadowComparison, ...]:
    async with open_shadow_agreement(settings) as service:
        with progress() as bar:
            task = bar.add_task("reading mails", total=None)
            return await service.comparisons(days, lambda done: bar.update(task, completed=done))
