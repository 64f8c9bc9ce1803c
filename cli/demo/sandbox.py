"""`triage sandbox`: starts a sandbox Jira or model server on this machine."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.console import screen
from triage.domain.errors import Refused

if TYPE_CHECKING:
    from triage_sandbox.server import Served

sandbox = typer.Typer(
    add_completion=False, help="Run a stand-in for Jira or for a model on this machine.", no_args_is_help=True
)


class SandboxMissing(Refused):
    """The sandbox is not installed: run `make setup` in a checkout, elsewhere install the package `triage-sandbox`."""


@sandbox.command()
def jira(  # noqa: PLR0913, PLR0917 - each parameter is an option
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8090,
    deployment: Annotated[Literal["cloud", "server"], typer.Option(help="Which Jira to be.")] = "cloud",
    version: Annotated[str, typer.Option(help="Of that Jira: 8.22.0, 10.3.24; the newest unless told.")] = "",
    database: Annotated[str, typer.Option(help="A SQLite file to keep everything in.")] = ":memory:",
    seed: Annotated[
        str, typer.Option(help="0: the company's tickets; any other number: a larger past, too; none: no tickets.")
    ] = "0",
    project: Annotated[
        list[str] | None, typer.Option(metavar="KEY:TEMPLATE", help="One more project, empty. Repeatable.")
    ] = None,
    user: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:PASSWORD[:admin]", help="Who may come in, by user name or address. Repeatable."),
    ] = None,
    fault: Annotated[
        list[str] | None,
        typer.Option(metavar="JSON", help="What goes wrong, as POST /__sandbox__/faults takes it. Repeatable."),
    ] = None,
    auth: Annotated[
        Literal["strict", "open"], typer.Option(help="open: anybody comes in, with any password.")
    ] = "strict",
    tls_cert: Annotated[Path | None, typer.Option(help="A certificate in PEM: answer over HTTPS.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Its key, unless it stands in the same file.")] = None,
    context_path: Annotated[str, typer.Option(help="Before every path: /jira.")] = "",
    base_url: Annotated[str, typer.Option(help="Where people find it, behind a proxy.")] = "",
) -> None:
    """A Jira with a project, people, tickets and a live board; ends with Ctrl-C."""
    from triage_sandbox.jira.app import jira_app
    from triage_sandbox.options import Options, OptionsInvalid
    from triage_sandbox.server import Served

    options = Options(seed, project or [], user or [], fault or [], version, context_path, base_url, tls_cert, tls_key)
    try:
        wanted = options.read()
    except OptionsInvalid as e:
        raise typer.BadParameter(str(e)) from e
    app = jira_app(
        deployment=deployment,
        database=database,
        strict=auth == "strict",
        seed=wanted.story,
        logins=wanted.logins,
        version=version,
        context_path=wanted.context_path,
        base_url=base_url,
    )
    for each in wanted.faults:
        app.faults.add(each)
    with bound(lambda: Served(app, port=port, **wanted.tls), port) as served:
        out = screen()
        url = base_url or served.url + wanted.context_path
        out.print(f"Board: {served.url}{wanted.context_path}\n\nTo use it in another shell:")
        out.print(f"export JIRA_BASE_URL={url} JIRA_PROJECT_KEY={wanted.story.project.key}", soft_wrap=True)
        out.print(wanted.login_of(deployment), soft_wrap=True)
        until_interrupted()


@sandbox.command()
def model(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8091,
) -> None:
    """An OpenAI-shaped server that answers by the playbook; ends with Ctrl-C."""
    from cli.demo.prompt_reader import PromptReader
    from triage_sandbox.openai_app import openai_app
    from triage_sandbox.server import Served

    with bound(lambda: Served(openai_app(PromptReader()), port=port), port) as served:
        screen().print(f"export OPENAI_BASE_URL={served.url}/v1 OPENAI_API_KEY=sandbox", soft_wrap=True)
        until_interrupted()


def bound(serve: "Callable[[], Served]", port: int) -> "Served":
    """Start a server. Raises `BadParameter` if the port is in use."""
    try:
        return serve()
    except OSError as e:
        raise typer.BadParameter(
            f"{port} cannot be had ({e.strerror}): choose another one, or 0", param_hint="--port"
        ) from e


def until_interrupted() -> None:
    """Wait for Ctrl-C."""
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        return
