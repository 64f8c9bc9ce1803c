"""The console as a route meets it: the request, the services that pages ask, and the templates that answer."""

from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse

from web.console.inbox.live import LiveInbox
from web.console.render import Render
from web.console.way_in import WayIn
from web.context import MemoryServices, SupportServices, WebContext
from web.live.stream import Streams


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleRequest:
    """One request, with what its answer is made of; all but `http` is the same for every request."""

    http: Request
    services: WebContext
    way_in: WayIn
    render: Render
    live: LiveInbox
    streams: Streams
    """Of the live inbox."""

    @property
    def memory(self) -> MemoryServices:
        """Raises `HTTPException` 404 while the team's memory is off."""
        return _on(self.services.memory)

    @property
    def support(self) -> SupportServices:
        """Raises `HTTPException` 404 while the support hub is off."""
        return _on(self.services.support)

    def page(self, template: str, status: int = 200, /, **facts: Any) -> HTMLResponse:
        """Return a page, or with `fragment` in the template's name a part of one."""
        return self.render.page(self.http, template, status, **facts)


async def _asked(http: Request) -> ConsoleRequest:
    made: ConsoleRequest = http.app.state.console(http=http)
    return made


Console = Annotated[ConsoleRequest, Depends(_asked)]
"""The parameter of a route."""
T = TypeVar("T")


def _on(services: T | None) -> T:
    if services is None:
        raise HTTPException(404)
    return services
