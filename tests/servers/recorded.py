"""A Jira that answers from a recorded bundle (`triage doctor --record`): a stranger's Jira becomes a contract test."""

import json
import re
from typing import Any

from fastapi import FastAPI, Request, Response

PAGES = {"login": "<html><form><input type='password'></form></html>", "other": "<html><title>Page</title></html>"}


class RecordedJira:
    """Each address answers as it did then; what was not asked then is not there."""

    def __init__(self, bundle: str) -> None:
        told = json.loads(bundle)
        self.project: str = told["project"]
        self.request_type: str = told["request_type"]
        self.asked: list[str] = []
        self._seen: dict[tuple[str, ...], Any] = {
            _place(each["path"], each["params"]): each for each in reversed(told["seen"])
        }
        self.app = FastAPI(openapi_url=None)
        self.app.add_api_route("/rest/{rest:path}", self._answer, methods=["GET", "POST"])

    async def _answer(self, request: Request, rest: str) -> Response:
        params = dict(request.query_params)
        self.asked.append(f"{request.method} {rest}")
        seen = self._seen.get(_place(rest, params))
        if seen is None or "lost" in seen:
            return Response('{"errorMessages":["not recorded"],"errors":{}}', 404, media_type="application/json")
        body = PAGES[seen["page"]] if "page" in seen else json.dumps(seen["body"])
        return Response(body, seen["status"], seen["headers"])


def _place(path: str, params: dict[str, Any]) -> tuple[str, ...]:
    """Which answer: version and method do not matter; a page does, and what it is a page of."""
    start = str(params.get("startAt") or params.get("start") or "0")
    return re.sub(r"^api/[23]/", "", path), start, str(params.get("permissions")), str(params.get("state"))
