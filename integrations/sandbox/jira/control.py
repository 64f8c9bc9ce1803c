"""The sandbox's own door, beside the API: faults, the journal, screens, and back to the start."""

import re
from dataclasses import asdict
from typing import Final

from pydantic import TypeAdapter, ValidationError

from integrations.sandbox.jira.call import DONE, Answer, Call, JiraError, Route, find_issue, items_of
from integrations.sandbox.jira.faults import Fault, Faults, Journal
from integrations.sandbox.jira.lag import Lag
from integrations.sandbox.jira.moving import move
from integrations.sandbox.jira.site import Site

_FAULT: Final = TypeAdapter(Fault)
_LAG: Final = TypeAdapter(Lag)


class Control:
    """What tests and demos may do to a running sandbox."""

    def __init__(self, site: Site, faults: Faults, journal: Journal) -> None:
        self._site = site
        self._faults = faults
        self._journal = journal

    def routes(self) -> tuple[Route, ...]:
        """The endpoints."""
        return (
            Route("POST", "/__sandbox__/faults", self.add_fault, open=True),
            Route("DELETE", "/__sandbox__/faults", self.clear_faults, open=True),
            Route("GET", "/__sandbox__/requests", self.requests, open=True),
            Route("POST", "/__sandbox__/screen", self.screen, open=True),
            Route("POST", "/__sandbox__/lag", self.lag, open=True),
            Route("POST", "/__sandbox__/move", self.move, open=True),
            Route("POST", "/__sandbox__/reset", self.reset, open=True),
        )

    def add_fault(self, call: Call) -> Answer:
        """One more rule."""
        try:
            fault = _FAULT.validate_python(call.object())
            self._faults.add(fault)
        except (ValidationError, re.error) as e:
            raise JiraError(400, str(e)) from None
        return Answer(asdict(fault), 201)

    def clear_faults(self, call: Call) -> Answer:
        """Everything works again."""
        del call
        self._faults.clear()
        return DONE

    def requests(self, call: Call) -> Answer:
        """What was asked of the API so far."""
        entries = self._journal.matching(call.query("method", "*"), call.query("path", ".*"))
        return Answer(
            [
                {"method": e.method, "path": e.path, "query": e.query, "body": e.json, "status": e.status}
                for e in entries
            ]
        )

    def screen(self, call: Call) -> Answer:
        """Hide these fields from all forms."""
        self._site.off_screen = {str(name) for name in items_of(call.object(), "hide")}
        return DONE

    def lag(self, call: Call) -> Answer:
        """Let searches be behind: `{"way": "fixed", "milliseconds": 3000}`; nothing of it: not any more."""
        try:
            self._site.lag = _LAG.validate_python(call.object())
        except ValidationError as e:
            raise JiraError(400, str(e)) from None
        return DONE

    def move(self, call: Call) -> Answer:
        """Move an issue to another project, as people do on the page: `{"issue": "HARB-3", "project": "LAB"}`."""
        sent = call.object()
        issue = find_issue(call.db, str(sent.get("issue")))
        project = call.db.one("SELECT * FROM project WHERE key = ?", str(sent.get("project")))
        if issue is None or project is None:
            raise JiraError(404, "There is no such issue, or no such project.")
        return Answer({"key": move(call, issue, project)})

    def reset(self, call: Call) -> Answer:
        """Everything is as it was at the start."""
        del call
        self._site.db.restore()
        self._site.off_screen = set()
        self._site.lag = Lag()
        self._site.started = self._site.now()
        self._faults.clear()
        self._journal.entries.clear()
        self._site.feed.publish()
        return DONE
