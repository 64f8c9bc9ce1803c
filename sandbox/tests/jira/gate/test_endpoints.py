"""Which endpoint answers a path."""

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match, Route

from triage_sandbox.jira.gate.endpoints import Endpoints


def answer(_: Request) -> Response:
    """Anything."""
    return PlainTextResponse("")


ENDPOINTS = Endpoints(
    Route(path, answer, methods=[method])
    for method, path in (
        ("GET", "/user/{id}"),
        ("GET", "/user/search"),
        ("POST", "/user/search"),
        ("DELETE", "/user/{id}"),
        ("GET", "/{kind}/search/{key}"),
        ("GET", "/user/{id}/groups"),
    )
)


def chosen(method: str, path: str) -> tuple[Match, str, dict[str, str]]:
    """How a request fits, the path of the route that answers, and what its parts are called."""
    match, scope = ENDPOINTS.matches({"type": "http", "method": method, "path": path})
    return (match, scope["sandbox.route"].path, scope["path_params"]) if scope else (match, "", {})


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/user/search", (Match.FULL, "/user/search", {})),
        ("HEAD", "/user/search", (Match.FULL, "/user/search", {})),
        ("GET", "/user/ada", (Match.FULL, "/user/{id}", {"id": "ada"})),
        ("DELETE", "/user/search", (Match.FULL, "/user/{id}", {"id": "search"})),
        ("GET", "/user/search/groups", (Match.FULL, "/user/{id}/groups", {"id": "search"})),
        ("GET", "/user/search/ada", (Match.FULL, "/{kind}/search/{key}", {"kind": "user", "key": "ada"})),
        ("GET", "/user/ada/groups", (Match.FULL, "/user/{id}/groups", {"id": "ada"})),
        ("PUT", "/user/search", (Match.PARTIAL, "/user/search", {})),
        ("GET", "/user", (Match.NONE, "", {})),
        ("GET", "/user/", (Match.NONE, "", {})),
        ("GET", "/user/ada/friends", (Match.NONE, "", {})),
    ],
)
def test_the_most_literal_route_of_the_method_answers(
    method: str, path: str, expected: tuple[Match, str, dict[str, str]]
) -> None:
    """A literal part goes before a variable one, a route that has the method before one that has not, and no part is empty."""
    assert chosen(method, path) == expected


def test_it_has_no_other_protocols() -> None:
    """A web socket finds nothing."""
    assert ENDPOINTS.matches({"type": "websocket", "path": "/user/search"}) == (Match.NONE, {})
