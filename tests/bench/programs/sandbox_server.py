"""The servers of the bench: `python -m tests.bench.programs.sandbox_server nothing|cloud|server FILE [TICKETS]`; it says its port first."""

import sys
from typing import Any

from fastapi import FastAPI, Request

from triage_sandbox.company import load_project
from triage_sandbox.company.past import past
from triage_sandbox.jira import Story, jira_app
from triage_sandbox.server import Served

TICKETS = 20_000


def nothing() -> Any:
    """Endpoints that read the body and do nothing."""
    app = FastAPI()

    @app.api_route("/{path:path}", methods=["GET", "POST"])
    async def endpoint(http: Request) -> dict[str, int]:
        return {"bytes": len(await http.body())}

    return app


def main(which: str, file: str, tickets: str = str(TICKETS)) -> None:
    """Serve until nobody listens any more."""
    project = load_project()
    if which == "nothing":
        app = nothing()
    else:
        story = Story(project=project, tickets=past(5, project, count=int(tickets)).tickets)
        app = jira_app(deployment="cloud" if which == "cloud" else "server", database=file, seed=story)
    with Served(app) as served:
        print(served.port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
