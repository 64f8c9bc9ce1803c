"""`triage eval capacity`: what a number of mails a day needs, by costs per mail."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_json, screen, table
from cli.verb import AsJson

if TYPE_CHECKING:
    from triage.policy.operations.capacity import CapacityNeeds


def capacity(  # noqa: PLR0913, PLR0917 - one option for each cost
    mails: Annotated[list[int], typer.Argument(metavar="MAILS…", help="Mails a day, such as 1000 100000.", min=1)],
    processor_ms: Annotated[float, typer.Option(help="Processor time of a mail in milliseconds.", min=0.1)] = 80,
    jira_requests: Annotated[float, typer.Option(help="Requests to Jira for a mail.", min=0)] = 4,
    jira_ms: Annotated[float, typer.Option(help="Time of a request to Jira in milliseconds.", min=0)] = 300,
    jira_per_second: Annotated[
        float, typer.Option(help="Requests of one kind that are sent in a second.", min=0.1)
    ] = 50,
    model_calls: Annotated[
        float, typer.Option(help="Calls of a model for a mail; 0: the playbook decides.", min=0)
    ] = 0,
    model_ms: Annotated[float, typer.Option(help="Time of a call in milliseconds.", min=0)] = 3000,
    model_per_minute: Annotated[float, typer.Option(help="Calls that the provider allows in a minute.", min=1)] = 500,
    tokens: Annotated[float, typer.Option(help="Tokens of a mail, input and output of all calls.", min=0)] = 2800,
    storage_kb: Annotated[float, typer.Option(help="Database for a mail in kilobytes.", min=0)] = 40,
    peak: Annotated[float, typer.Option(help="Part of a day's mails in its busiest hour.", min=0.042, max=1)] = 0.14,
    workers: Annotated[int, typer.Option(help="WORKERS: mails that one process has in hand.", min=1)] = 4,
    cores: Annotated[float, typer.Option(help="Cores that workers may have.", min=0.1)] = 2,
    as_json: AsJson = False,
) -> None:
    """Say what so many mails a day need in their busiest hour, and which limit comes first. Measure your own costs: `triage status`."""
    from triage.policy.operations.capacity import Ceilings, Costs, most_mails, needs_of

    costs = Costs(
        processor=processor_ms / 1000,
        jira=jira_requests,
        jira_seconds=jira_ms / 1000,
        calls=model_calls,
        call_seconds=model_ms / 1000,
        tokens=tokens if model_calls else 0,
        storage=storage_kb * 1000,
    )
    ceilings = Ceilings(jira=jira_per_second, calls=model_per_minute, peak=peak, hands=workers)
    found = [needs_of(number, costs, ceilings, cores) for number in mails]
    most = most_mails(costs, ceilings)
    if as_json:
        print_json({"needs": [asdict(each) for each in found], "most_mails": most})
        return
    heads = ("mails/day", "peak/s", "cores", "workers", "Jira/s", "calls/min", "GB/year", "first limit")
    screen().print(table(heads, [_row(each) for each in found]))
    screen().print(f"Jira and the model allow {most:,.0f} mails a day with this peak, whatever is bought.")


def _row(needs: "CapacityNeeds") -> tuple[str, ...]:
    return (
        f"{needs.mails:,.0f}",
        f"{needs.peak:,.2f}",
        f"{needs.cores:,.1f}",
        f"{needs.workers:,}",
        f"{needs.jira:,.1f}",
        f"{needs.calls:,.0f}",
        f"{needs.storage / 1e9:,.1f}",
        f"{needs.first} ({needs.reached:,.0%})",
    )
