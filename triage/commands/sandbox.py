"""`triage sandbox`: servers that stand in for the world, on this machine."""

import time
from typing import Annotated, Literal

import typer

sandbox = typer.Typer(help="Run a stand-in for Jira or for a model on this machine.", no_args_is_help=True)


@sandbox.command()
def jira(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8090,
    deployment: Annotated[Literal["cloud", "server"], typer.Option(help="Which Jira to be.")] = "cloud",
    database: Annotated[str, typer.Option(help="A SQLite file to keep the tickets in.")] = ":memory:",
    seed: Annotated[bool, typer.Option("--seed/--no-seed", help="Begin with the demo company's tickets.")] = True,
) -> None:
    """A Jira with a project, people, tickets and a live board; ends with Ctrl-C."""
    from integrations.sandbox.jira.app import TOKEN, jira_app
    from integrations.sandbox.server import Served
    from triage.commands.tell import screen

    with Served(jira_app(deployment=deployment, database=database, seed=seed), port=port) as served:
        out = screen()
        out.print(f"Board: {served.url}\n\nTo use it in another shell:")
        out.print(f"export JIRA_BASE_URL={served.url} JIRA_PROJECT_KEY=HARB", soft_wrap=True)
        out.print(f"export JIRA_EMAIL=bot@harbourline.example JIRA_API_TOKEN={TOKEN}", soft_wrap=True)
        _until_interrupted()


@sandbox.command()
def model(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8091,
) -> None:
    """An OpenAI-shaped server that answers by the playbook; ends with Ctrl-C."""
    from integrations.sandbox.openai_app import openai_app
    from integrations.sandbox.server import Served
    from triage.agent.playbook import Playbook
    from triage.commands.tell import screen
    from triage.settings import load

    with Served(openai_app(Playbook(load().duplicate_threshold)), port=port) as served:
        screen().print(f"export OPENAI_BASE_URL={served.url}/v1 OPENAI_API_KEY=sandbox", soft_wrap=True)
        _until_interrupted()


def _until_interrupted() -> None:
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        return
