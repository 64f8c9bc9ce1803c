"""Finds the endpoint of a request by walking down its path: to try hundreds of patterns one by one took a fifth of each answer."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from starlette._utils import get_route_path
from starlette.routing import BaseRoute, Match, NoMatchFound, Route
from starlette.types import Receive, Scope, Send

_ANY: Final = object()
"""The branch of a part of the path that may be anything."""
_HERE: Final = object()
"""The branch at which endpoints of this very path stand."""
_FOUND: Final = "sandbox.route"


class Endpoints(BaseRoute):
    """Many routes as one. Where several fit, the one that is literal further to the left answers: `/user/search` before `/user/{id}`."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.routes: Sequence[Route] = tuple(routes)
        self._tree: dict[Any, Any] = {}
        for route in self.routes:
            branch = self._tree
            for part in route.path.split("/"):
                branch = branch.setdefault(_ANY if part.startswith("{") else part, {})
            branch.setdefault(_HERE, []).append(route)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether one of them fits, by its method too (`FULL`) or by its path alone (`PARTIAL`, answered with 405)."""
        if scope["type"] != "http":
            return Match.NONE, {}
        parts = get_route_path(scope).split("/")
        partial: Route | None = None
        for route in _fitting(self._tree, parts, 0):
            if scope["method"] in (route.methods or ()):
                return Match.FULL, _chosen(route, parts)
            partial = partial or route
        return (Match.PARTIAL, _chosen(partial, parts)) if partial else (Match.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by the route that `matches` chose."""
        route: Route = scope[_FOUND]
        await route.handle(scope, receive, send)

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:
        """None has a name by which an address could be made."""
        raise NoMatchFound(name, path_params)


def _fitting(branch: dict[Any, Any], parts: Sequence[str], at: int) -> Iterator[Route]:
    """The routes of a path, literal ones first."""
    if at == len(parts):
        yield from branch.get(_HERE, ())
        return
    if (literal := branch.get(parts[at])) is not None:
        yield from _fitting(literal, parts, at + 1)
    if parts[at] and (anything := branch.get(_ANY)) is not None:
        yield from _fitting(anything, parts, at + 1)


def _chosen(route: Route, parts: Sequence[str]) -> Scope:
    asked = zip(route.path.split("/"), parts, strict=True)
    named = {name[1:-1]: part for name, part in asked if name.startswith("{")}
    return {"endpoint": route.endpoint, "path_params": named, _FOUND: route}
