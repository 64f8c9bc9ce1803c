"""The port `TicketWriter`: writes tickets of the project."""

from dataclasses import dataclass, replace

from integrations.jira.http.errors import written
from integrations.jira.issue import creating, files, links, workflow
from integrations.jira.markup.text import one_line
from integrations.jira.parts import JiraParts
from integrations.jira.shapes import Site
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected
from triage.domain.tickets import Created, Mark, TicketChange, TicketDraft, Upload


@dataclass(frozen=True, slots=True)
class JiraWriter:
    """The port `TicketWriter`: sends each write once; a lost answer raises `WriteUnconfirmed`."""

    jira: JiraParts

    async def create(self, draft: TicketDraft, mark: Mark) -> Created:
        """Create a ticket (a request in a service project): one POST; after a 400, which creates nothing, a plainer one."""
        service = await self.jira.project.service(self.jira.session)
        if service and self.jira.desk:
            metadata = await self.jira.project.metadata(self.jira.session)
            created = await self.jira.desk.create(self.jira.session, metadata, draft, mark)
        else:
            created = await creating.create(self.jira.session, self.jira.project, self.jira.key, draft, mark)
            created = replace(created, dropped=(*created.dropped, "request type")) if service else created
        self.jira.ours.made(created.key)
        if draft.assignee and "assignee" not in created.dropped:
            self.jira.people.given(draft.assignee)
        return created

    async def adopt(self, mark: Mark, above: int) -> Created | None:
        """Return our ticket with this mark, also if people have moved it to another project; None if there is none.

        Completes the marking of a service request if it was interrupted.
        """
        self.jira.failpoint("marker.probe")
        key = await self.jira.marks.ticket(mark, above)
        if key is None:
            return None
        site = await self.jira.session.site()
        if self.jira.ours.here(key):
            self.jira.ours.made(key)
            if self.jira.desk and await self.jira.project.service(self.jira.session):
                await self.jira.desk.mark(self.jira.session, site, key, mark)
        return Created(key=key, url=site.link(key))

    async def change(self, key: str, change: TicketChange) -> None:
        """Set the new values with one PUT."""
        jira = self.jira.of(key)
        fields = _fields_of(change, await jira.session.site())
        metadata = await jira.project.metadata(jira.session) if change.reports is not None else None
        if metadata and metadata.project.count_field:
            fields[metadata.project.count_field] = change.reports
        if not fields:
            return
        await jira.ours.sure(jira.session, key)
        try:
            written(await jira.session.write("PUT", f"issue/{key}", {"fields": fields}), key)
        except TrackerRejected:
            jira.project.forget()
            raise

    async def transition(self, key: str, status: str) -> None:
        """Move the ticket to the status of this name, case-insensitively."""
        jira = self.jira.of(key)
        await workflow.move(jira.session, jira.ours, jira.project, key, status)

    async def attach(self, key: str, upload: Upload) -> str:
        jira = self.jira.of(key)
        limit = (await jira.project.metadata(jira.session)).project.upload_limit
        return await files.attach(jira.session, jira.ours, key, upload, limit)

    async def link(self, key: str, other: str, kind: str) -> None:
        """Link two tickets; `kind` is a link type's name or one of its directions."""
        jira = self.jira.of(key)
        await self.jira.of(other).ours.sure(jira.session, other)
        kinds = (await jira.project.metadata(jira.session)).link_types
        await links.link(jira.session, jira.ours, kinds, key, other, kind)

    async def unlink(self, key: str, other: str, kind: str) -> None:
        jira = self.jira.of(key)
        kinds = (await jira.project.metadata(jira.session)).link_types
        await links.unlink(jira.session, jira.ours, kinds, key, other, kind)

    async def watch(self, key: str, person: str) -> None:
        jira = self.jira.of(key)
        await links.watch(jira.session, jira.ours, key, person)

    @property
    def sent(self) -> int:
        """Write requests that this view has sent."""
        return self.jira.session.sent


def _fields_of(change: TicketChange, site: Site) -> dict[str, Json]:
    """Return the new values as Jira takes them."""
    fields: dict[str, Json] = {}
    if change.summary is not None:
        fields["summary"] = one_line(change.summary)
    if change.priority is not None:
        fields["priority"] = {"name": change.priority}
    if change.issue_type is not None:
        fields["issuetype"] = {"name": change.issue_type}
    if change.assignee is not None:
        fields["assignee"] = site.user(change.assignee)
    return fields
