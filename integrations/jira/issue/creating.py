"""Creates a ticket with one POST; after a 400, which creates nothing, drops the refused fields and posts again."""

from typing import Final

from integrations.jira.http.errors import written
from integrations.jira.http.session import JiraSession
from integrations.jira.issue.draft import CreateAttempt
from integrations.jira.issue.fitting import CURE
from integrations.jira.project.project import JiraProject, ProjectMetadata
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected, WriteUnconfirmed
from triage.domain.tickets import Created, Mark, TicketDraft

_STALE: Final = ("appropriate screen", "unknown", "required", "not valid", "valid issue type")
"""Parts of refusals that mean that our cached form is outdated."""


async def create(session: JiraSession, project: JiraProject, key: str, draft: TicketDraft, mark: Mark) -> Created:
    """Create the ticket. Raises `TrackerRejected` if even the plainest one is refused, before sending if that is known."""
    if draft.issue_type not in (await project.metadata(session)).screens:
        project.forget()  # the type may be newer than the cache
    site = await session.site()
    attempt = _fitted(await project.metadata(session), draft, mark)
    form_is_old = True
    while True:
        try:
            made = key_of(written(await session.write("POST", "issue", attempt.body(site, key))))
        except TrackerRejected as e:
            project.forget()
            plainer = attempt.without(e.problems)
            if form_is_old and _stale(e.problems):
                refitted = _fitted(await project.metadata(session), draft, mark)
                plainer = refitted if refitted != attempt else plainer
            if plainer is None:
                raise TrackerRejected(problems=explained(e.problems, attempt)) from None
            attempt, form_is_old = plainer, False
        else:
            return Created(key=made, url=site.link(made), dropped=attempt.dropped)


def _fitted(metadata: ProjectMetadata, draft: TicketDraft, mark: Mark) -> CreateAttempt:
    return metadata.fitter.fit(draft, mark, metadata.screen(draft.issue_type))


def _stale(problems: dict[str, str]) -> bool:
    text = " ".join(problems.values()).lower()
    return any(words in text for words in _STALE)


def explained(problems: dict[str, str], attempt: CreateAttempt) -> dict[str, str]:
    """Name custom fields as people know them; add the cure."""
    fields = attempt.screen.fields
    messages = {
        name: f"{text} ({CURE})" if name.startswith("customfield_") else text for name, text in problems.items()
    }
    return {fields[name].label if name in fields else name: text for name, text in messages.items()}


def key_of(made: Json, name: str = "key") -> str:
    """Return the new ticket's key. Raises `WriteUnconfirmed` for a success without one."""
    key = made.get(name) if isinstance(made, dict) else None
    if not isinstance(key, str) or not key:
        raise WriteUnconfirmed(detail="created, but the answer names no key")
    return key
