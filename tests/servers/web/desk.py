"""The console over a store of the test's own, in this event loop, with proposals of every kind parked in it."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import httpx2
from playwright.async_api import Browser

from cli.wiring.mail import message_of
from integrations.system_clock import SystemClock
from tests.contract.store.store_samples import MESSAGE, full, step
from tests.database import migrated
from tests.e2e.installation import MAILS
from tests.e2e.web.api.api_door import ApiDoor, api_door
from tests.servers.sandbox import RunningJira
from tests.servers.web.browser import Watched, watched_page
from triage.domain.approvals import Approval
from triage.domain.operations.tokens import AccessScope
from triage.services.intake import received_from_file
from web.console.guard import FORM_KEY, form_key_of
from web.console.way_in import COOKIE

LETTERS: Final = {"SMTP_HOST": "127.0.0.1", "MAIL_FROM": "Harbour <help@harbourline.example>"}
DONE: Final = {"id": "10002", "name": "Done", "category": "done"}


@dataclass
class DeskDoor:
    """A running console, and people who are signed in."""

    door: ApiDoor
    sessions: dict[AccessScope, str] = field(default_factory=dict)
    """Cookies of people who have signed in with a token of that scope."""

    async def session(self, scope: AccessScope) -> str:
        """The cookie of somebody of this role."""
        if scope not in self.sessions:
            self.sessions[scope] = await session_of(self.door.url, self.door.held[scope])
        return self.sessions[scope]

    async def ask(
        self,
        method: str,
        path: str,
        scope: AccessScope | None = AccessScope.APPROVER,
        *,
        session: str = "",
        **form: str,
    ) -> httpx2.Response:
        """One request of a browser without a screen; a POST sends the form's fields and its key."""
        held = session or (await self.session(scope) if scope else "")
        data = {FORM_KEY: form_key_of(held), **form} if method == "POST" else None
        async with httpx2.AsyncClient(base_url=self.door.url, cookies={COOKIE: held}) as client:
            return await client.request(method, path, data=data)

    async def get(self, path: str, scope: AccessScope | None = AccessScope.APPROVER, **more: Any) -> httpx2.Response:
        """A page."""
        return await self.ask("GET", path, scope, **more)

    async def post(self, path: str, scope: AccessScope | None = AccessScope.APPROVER, **form: Any) -> httpx2.Response:
        """A form sent."""
        return await self.ask("POST", path, scope, **form)

    async def decide(self, approval: Approval, answer: str, **form: Any) -> httpx2.Response:
        """One of the four answers to what was shown."""
        return await self.post(f"/approvals/{approval.id}/{answer}", shown=approval.hash, **form)

    async def person(self, address: str, scope: AccessScope = AccessScope.APPROVER) -> str:
        """The session of a person with this proven address."""
        text, _ = await self.door.tokens.create(address, scope, 1, by="test", person=address)
        return await session_of(self.door.url, text)

    async def case(self, mail: str | bytes = "01", **more: Any) -> str:
        """A mail of the demo's company or these bytes, read, with more facts; its case."""
        raw = mail if isinstance(mail, bytes) else next(MAILS.glob(f"{mail}-*.eml")).read_bytes()
        store = self.door.context.store
        number = len(await store.archive.cases(1000))
        name = await store.inbox.accept(received_from_file(str(number), raw, SystemClock().now()))
        lease = await store.jobs.lease_case(name, "test", 60)
        assert lease is not None
        leased = store.jobs.open(lease)
        case = full(await leased.cases.load())
        await leased.cases.save(replace(case, message=message_of(raw) if raw else MESSAGE, **more), step())
        await store.jobs.open(lease).cases.finish()
        return name

    async def park(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        mail: str | bytes = "01",
        facts: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Approval:
        """A call of this tool that waits for a person, about a mail whose case has these facts."""
        case = await self.case(mail, **(facts or {}))
        lease = await self.door.context.store.jobs.claim(case, "test", 60)
        leased = self.door.context.store.jobs.open(lease)
        message = (await leased.cases.load()).mail
        given: dict[str, Any] = {
            "reason": "HARB-1 would change; the sender is not part of it (unverified)",
            "sender": str(message.sender or ""),
            "trust": "unverified",
            "effect": "change",
            "expires_at": SystemClock().now() + timedelta(hours=70),
        }
        wish = Approval(
            case=case,
            tool=tool,
            arguments=json.dumps(arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":")),
            **(given | more),
        )
        parked = await leased.approvals.park(wish)
        await self.door.context.store.jobs.open(lease).cases.finish()
        return parked

    async def close(self, key: str = "HARB-45", mail: str = "09", **case: Any) -> Approval:
        """A ticket that would be closed, by a case with these facts."""
        arguments = {"ticket_key": key, "status": DONE}
        return await self.park(
            "modify_jira_ticket", arguments, mail, case, ticket=key, field="status", was="Open", becomes="Done"
        )

    async def comment(self, text: str, key: str = "HARB-12", mail: str | bytes = "02") -> Approval:
        """A comment that would be written."""
        arguments = {"ticket_key": key, "comment": text}
        more: dict[str, Any] = {"ticket": key, "field": "comment", "becomes": text, "effect": "comment"}
        return await self.park("modify_jira_ticket", arguments, mail, **more)

    async def letter(self, body: str, mail: str | bytes = "03", **more: Any) -> Approval:
        """A letter that would be sent."""
        return await self.park("send_reply", {"body": body}, mail, field="reply", becomes=body, effect="letter", **more)

    async def ticket(self, summary: str, mail: str = "04") -> Approval:
        """A ticket that would be made."""
        arguments = {
            "summary": summary,
            "description": "The label printer cuts off the last digits.\n\n- since this morning\n- only A6 labels",
            "issue_type": "Bug",
            "priority": "High",
            "labels": ["printing", "warehouse"],
        }
        return await self.park("create_jira_ticket", arguments, mail, field="ticket", becomes=summary, effect="ticket")

    @asynccontextmanager
    async def page(
        self,
        browser: Browser,
        scope: AccessScope = AccessScope.APPROVER,
        *,
        session: str = "",
        phone: bool = False,
        dark: bool = False,
    ) -> AsyncIterator[Watched]:
        """A window of somebody who is signed in; what goes wrong in it fails the test."""
        cookie = {"name": COOKIE, "value": session or await self.session(scope), "url": self.door.url}
        async with watched_page(browser, self.door.url, [cookie], phone=phone, dark=dark) as page:
            yield page


async def session_of(url: str, token: str) -> str:
    """Sign in with a token; the session's cookie."""
    async with httpx2.AsyncClient() as client:
        return str((await client.post(f"{url}/sign-in", data={"token": token})).cookies[COOKIE])


@asynccontextmanager
async def desk_door(folder: Path, jira: RunningJira, **settings: str) -> AsyncIterator[DeskDoor]:
    """The console of a service that knows a Jira and runs no worker."""
    url = f"sqlite:///{migrated(folder / 'triage.db')}"
    async with api_door(url, settings={**jira.settings, **LETTERS, **settings}) as door:
        yield DeskDoor(door)
