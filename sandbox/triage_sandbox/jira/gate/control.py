"""Endpoints of `/__sandbox__/`, the control interface: faults, journal, clock, screens, snapshots, reset."""

import re
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from triage_sandbox.jira.call import DONE, Answer, Call, JiraError, Route, items_of, whole
from triage_sandbox.jira.gate.faults import FAULT, Faults
from triage_sandbox.jira.gate.journal import Journal
from triage_sandbox.jira.ground import tickets
from triage_sandbox.jira.ground.lag import Lag
from triage_sandbox.jira.ground.permissions import KNOWN
from triage_sandbox.jira.ground.site import UPLOAD_LIMIT, Clock, Site
from triage_sandbox.jira.ground.stamps import milliseconds_of, stamp
from triage_sandbox.jira.issue.moving import move

_LAG: Final = TypeAdapter(Lag)


class Control:
    """The API by which tests and demos change a running sandbox: faults, clock, search lag, permissions, resets."""

    def __init__(self, site: Site, faults: Faults, journal: Journal) -> None:
        self._site = site
        self._faults = faults
        self._journal = journal

    def routes(self) -> tuple[Route, ...]:
        return (
            Route("POST", "/__sandbox__/faults", self.add_fault, open=True),
            Route("GET", "/__sandbox__/faults", self.faults, open=True),
            Route("DELETE", "/__sandbox__/faults", self.clear_faults, open=True),
            Route("GET", "/__sandbox__/requests", self.requests, open=True),
            Route("POST", "/__sandbox__/screen", self.screen, open=True),
            Route("POST", "/__sandbox__/attachments", self.attachments, open=True),
            Route("POST", "/__sandbox__/permissions", self.permissions, open=True),
            Route("GET", "/__sandbox__/time", self.time, open=True),
            Route("POST", "/__sandbox__/time", self.set_time, open=True),
            Route("POST", "/__sandbox__/lag", self.lag, open=True),
            Route("POST", "/__sandbox__/move", self.move, open=True),
            Route("GET", "/__sandbox__/snapshot", self.dump, open=True),
            Route("POST", "/__sandbox__/snapshot", self.keep, open=True),
            Route("POST", "/__sandbox__/reset", self.reset, open=True),
        )

    def add_fault(self, call: Call) -> Answer:
        try:
            fault = FAULT.validate_python(call.object())
            self._faults.add(fault)
        except (ValidationError, re.error) as e:
            raise JiraError(400, str(e)) from None
        return Answer(asdict(fault), 201)

    def faults(self, call: Call) -> Answer:
        del call
        return Answer([asdict(fault) for fault in self._faults.listed])

    def clear_faults(self, call: Call) -> Answer:
        del call
        self._faults.clear()
        return DONE

    def requests(self, call: Call) -> Answer:
        """Return the latest requests to the API, filtered by the query."""
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

    def attachments(self, call: Call) -> Answer:
        """Set the maximum size of a file in bytes: `{"limit": 1000}`."""
        self._site.upload_limit = whole(call.object().get("limit"), "limit", UPLOAD_LIMIT)
        return DONE

    def permissions(self, call: Call) -> Answer:
        """Take permissions away from somebody, in a project or everywhere, and give back what was taken before.

        `{"user": "triage.bot", "deny": ["ASSIGN_ISSUES"], "project": "HARB"}`
        """
        sent = call.object()
        account = call.db.value("SELECT id FROM account WHERE ?1 IN (id, name, email)", str(sent.get("user")))
        project = call.db.value("SELECT id FROM project WHERE key = ?", str(sent.get("project")))
        names = [str(name) for name in items_of(sent, "deny")]
        if account is None or not KNOWN.keys() >= set(names) or (project is None and "project" in sent):
            raise JiraError(400, "The user, the project or one of the permissions is unknown.")
        with call.db.write():
            call.db.run("DELETE FROM denial WHERE account = ? AND project IS ?", account, project)
            for name in names:
                call.db.insert("denial", {"account": account, "permission": name, "project": project})
        return DONE

    def time(self, call: Call) -> Answer:
        """Return the site's time, and whether its clock is stopped."""
        clock = call.site.clock
        shown = {"now": clock.now(), "iso": stamp(clock.now())}
        return Answer(shown | {"frozen": clock.frozen is not None, "skew": clock.skew})

    def set_time(self, call: Call) -> Answer:
        """`{"now": 1790000000000}` stops the clock there, `{"frozen": true}` where it is, false lets it run.

        `{"advance": 3600}` moves it by seconds, `{"skew": -90}` makes it wrong by seconds.
        """
        sent, clock = call.object(), call.site.clock
        if "skew" in sent:
            clock.skew = whole(sent["skew"], "skew", 0) * 1000
        if "frozen" in sent:
            clock.frozen = clock.now() if sent["frozen"] else None
        if "now" in sent:
            clock.frozen = _milliseconds(sent["now"])
        clock.advance(whole(sent.get("advance"), "advance", 0) * 1000)
        return self.time(call)

    def lag(self, call: Call) -> Answer:
        """Set how far searches lag: `{"way": "fixed", "milliseconds": 3000}`; an empty object ends the lag."""
        try:
            self._site.lag = _LAG.validate_python(call.object())
        except ValidationError as e:
            raise JiraError(400, str(e)) from None
        return DONE

    def move(self, call: Call) -> Answer:
        """Move an issue to another project, as people do on the page: `{"issue": "HARB-3", "project": "LAB"}`."""
        sent = call.object()
        issue = tickets.find(call.db, str(sent.get("issue")))
        project = call.db.find("project", key=str(sent.get("project")))
        if issue is None or project is None:
            raise JiraError(404, "There is no such issue, or no such project.")
        with call.db.write():
            key = move(call, issue, project)
        call.site.feed.publish()
        return Answer({"key": key})

    def dump(self, call: Call) -> Answer:
        return Answer(call.db.dump())

    def keep(self, call: Call) -> Answer:
        """Save the site's state under a name; without a name as the state that a reset restores."""
        call.db.keep(_name(call))
        return Answer({"name": _name(call)}, 201)

    def reset(self, call: Call) -> Answer:
        """Restore the state at the start, or the one saved under the name that is sent."""
        if not call.db.restore(_name(call)):
            raise JiraError(404, f"Nothing was kept under the name '{_name(call)}'.")
        self._site.off_screen = set()
        self._site.lag = Lag()
        self._site.clock = Clock()
        self._site.upload_limit = UPLOAD_LIMIT
        self._site.sessions.clear()
        self._site.started = self._site.now()
        self._faults.clear()
        self._journal.entries.clear()
        self._site.feed.publish()
        return DONE


def _name(call: Call) -> str:
    return str(call.object().get("name") or "") if call.raw.strip() else ""


def _milliseconds(value: Any) -> int:
    """A moment as a client sends it: milliseconds since 1970, or ISO."""
    if isinstance(value, int):
        return value
    try:
        return milliseconds_of(datetime.fromisoformat(str(value)))
    except ValueError:
        raise JiraError(400, f"'{value}' is no moment.") from None
