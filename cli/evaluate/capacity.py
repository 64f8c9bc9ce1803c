"""`triage eval capacity`: what a number of mails a day needs, by costs per mail."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_json, screen, table
from cli.verb import AsJson

if TYPE_CHECKING:
    from triage.policy.operations.capacity import CapacityNeeds


Mails = Annotated[list[int], typer.Argument(metavar="MAILS…", help="Mails a day, such as 1000 100000.", min=1)]
ProcessorMs = Annotated[float, typer.Option(help="Processor time of a mail in milliseconds.", min=0.1)]
JiraRequests = Annotated[float, typer.Option(help="Requests to Jira for a mail.", min=0)]
JiraMs = Annotated[float, typer.Option(help="Time of a request to Jira in milliseconds.", min=0)]
JiraPerSecond = Annotated[float, typer.Option(help="Requests of one kind that are sent in a second.", min=0.1)]
ModelCalls = Annotated[float, typer.Option(help="Calls of a model for a mail; 0: the playbook decides.", min=0)]
ModelMs = Annotated[float, typer.Option(help="Time of a call in milliseconds.", min=0)]
ModelPerMinute = Annotated[float, typer.Option(help="Calls that the provider allows in a minute.", min=1)]
Tokens = Annotated[float, typer.Option(help="Tokens of a mail, input and output of all calls.", min=0)]
StorageKb = Annotated[float, typer.Option(help="Database for a mail in kilobytes.", min=0)]
Peak = Annotated[float, typer.Option(help="Part of a day's mails in its busiest hour.", min=0.042, max=1)]
Workers = Annotated[int, typer.Option(help="WORKERS: mails that one process has in hand.", min=1)]
Cores = Annotated[float, typer.Option(help="Cores that workers may have.", min=0.1)]


def capacity(  # noqa: PLR0913, PLR0917 - one option for each cost
    mails: Mails,
    processor_ms: ProcessorMs = 80,
    jira_requests: JiraRequests = 4,
    jira_ms: JiraMs = 300,
    jira_per_second: JiraPerSecond = 50,
    model_calls: ModelCalls = 0,
    model_ms: ModelMs = 3000,
    model_per_minute: ModelPerMinute = 500,
    tokens: Tokens = 2800,
    storage_kb: StorageKb = 40,
    peak: Peak = 0.14,
    workers: Workers = 4,
    cores: Cores = 2,
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
