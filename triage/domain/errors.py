"""Errors in three kinds, by who acts: `Transient` (retry), `Permanent` (a person looks), `Refused` (no one)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, dataclass_transform

from triage.domain.operations.checks import SettingProblem

_FOR_PEOPLE: Final = ("key", "model", "tool", "problems", "why", "detail", "cure")
"""Fields whose values are words; the others name an object by its number, or are for programs."""


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class TriageError(Exception):
    """Something went wrong that we have a word for; each subclass is a dataclass of its facts."""

    def __init_subclass__(cls) -> None:
        dataclass(eq=False)(cls)

    def __str__(self) -> str:
        """The first line of the class docstring, then the fields that are set; `detail` and `cure` need no name."""
        facts = ", ".join(self._facts())
        return f"{self._words()} ({facts})" if facts else self._words()

    def sentence(self) -> str:
        """Return what a page says: the first line of the class docstring and what was wrong, without names of fields."""
        if type(self).__str__ is not TriageError.__str__:
            return str(self)
        words, found = self._words(), "; ".join(self._found())
        if not found:
            return f"{words}."
        return f"{words} ({found})." if ":" in words else f"{words}: {found.rstrip('.')}."

    def _words(self) -> str:
        return (type(self).__doc__ or type(self).__name__).splitlines()[0].rstrip(".")

    def _found(self) -> Iterator[str]:
        for name in _FOR_PEOPLE:
            match getattr(self, name, None):
                case dict() as problems:
                    yield from (f"{of}: {problem}" for of, problem in problems.items())
                case str(text) if text:
                    yield text

    def _facts(self) -> Iterator[str]:
        for name, value in vars(self).items():
            if not name.startswith("_") and value not in (None, ""):  # libraries such as typer set private ones
                yield _fact(name, value)


def _fact(name: str, value: object) -> str:
    match value:
        case dict() as problems:
            return "; ".join(f"{of}: {problem}" for of, problem in problems.items())
        case float():
            return f"{name}={round(value, 2)}"
    return str(value) if name in {"detail", "cure"} else f"{name}={value}"


class Transient(TriageError):
    """It may work later: the queue retries."""

    retry_after: float | None = field(default=None, init=False)
    """Seconds; None: whoever retries chooses."""


class Behind(Transient):
    """Another case has to get on first."""

    case: str
    retry_after: float = field(default=10.0, init=False)
    """Seconds until it is tried again, in case the other case does not wake it."""


class Permanent(TriageError):
    """It will not work by itself: a person looks."""


class Denied(Permanent):
    """An account of ours is not accepted: what has asked waits until it is."""


class Refused(TriageError):
    """We said no, and the reason is the message."""


# --- the tracker ------------------------------------------------------------------------------


class TrackerBusy(Transient):
    """Jira asked us to slow down."""

    retry_after: float | None = field(default=None, kw_only=True)
    scope: str = ""


class TrackerDown(Transient):
    """Jira does not answer, or not as Jira."""

    detail: str


class WriteUnconfirmed(Transient):
    """A write was sent to Jira and its answer was lost: it may or may not have happened."""

    detail: str


class TrackerDenied(Denied):
    """Jira does not accept our account: check JIRA_EMAIL and JIRA_API_TOKEN, then run `triage doctor`."""

    status: int
    detail: str


class ProjectHidden(Denied):
    """Jira shows our account no such project: check its key in .env or triage.yaml, and the permission Browse Projects."""

    key: str
    detail: str = ""


class TicketGone(Permanent):
    """Jira does not show this to our account: it does not exist, or a permission is missing."""

    key: str


class TrackerRejected(Permanent):
    """Jira refused the values we sent."""

    problems: dict[str, str]


# --- the model --------------------------------------------------------------------------------


class ModelDown(Transient):
    """The model cannot be reached, is overloaded or answered nonsense."""

    model: str
    detail: str
    retry_after: float | None = field(default=None, kw_only=True)


class ModelDenied(Denied):
    """The model provider refuses us: check its key and model name (OPENAI_API_KEY, OPENAI_MODEL, …), then `triage doctor`."""

    model: str
    detail: str


class ContextTooLong(Permanent):
    """The conversation is longer than the model can read."""

    model: str


# --- tools from outside -----------------------------------------------------------------------


class OutsideFailed(Permanent):
    """A tool from outside gave no answer that can be used."""

    tool: str
    detail: str


class OutsideUnknown(Permanent):
    """A tool from outside began to write and did not end well: it is not run again, and a person looks whether it is done."""

    tool: str
    detail: str = ""


# --- mail, store, settings --------------------------------------------------------------------


class MailboxDown(Transient):
    """The mailbox cannot be reached, or has stopped answering."""

    mailbox: str
    detail: str
    cure: str = ""


class MailboxDenied(Permanent):
    """The mailbox does not let us in."""

    mailbox: str
    detail: str
    cure: str = ""


class StoreDown(Transient):
    """The database cannot be reached or refuses to write: check DATABASE_URL, its server and its disk."""

    detail: str


class LeaseLost(Transient):
    """Another worker has taken this job over: our result is not written."""

    job: int


class CaseNotFound(Refused):
    """There is no such case: `triage cases` lists them."""

    case: str


class NotRead(Refused):
    """This mail has not been read yet, so nothing can be said of it: wait for a worker, or see `triage show`."""

    case: str


class ApprovalClosed(Refused):
    """Nothing waits for a person under this number, or somebody has decided already: `triage approve` lists what does."""

    approval: int
    state: str = ""
    """What became of it, if it exists."""
    by: str = ""


class NotAnApprover(Refused):
    """This person may not decide here: add the address, account, group or role under `approvals.approvers` in triage.yaml."""

    who: str


class OwnMail(Refused):
    """Nobody decides about the wish of his own mail: somebody else has to."""

    who: str
    approval: int


class Moved(Refused):
    """What waits is no longer what was shown, so nothing is decided: look at it again."""

    approval: int
    detail: str = ""


class ReworkSpent(Refused):
    """It was worked over as often as `approvals.rework` allows: accept it, edit it or reject it."""

    approval: int


class Paused(Transient):
    """A person has paused all writing; `triage resume` ends that."""

    by: str
    why: str = ""
    retry_after: float = field(default=60.0, init=False)


class BadSignature(Refused):
    """The request does not prove who sent it."""

    provider: str
    detail: str = ""
    """What is wrong, for the log alone: the HTTP answer gives an attacker no hints."""


class Replayed(BadSignature):
    """What proves the request was used before, for another mail."""


class RefusedForNow(Transient):
    """We said no, as "try again later": this provider would drop the mail on a plain no."""

    provider: str
    detail: str


class ProviderDown(Transient):
    """A mail provider does not give what is needed to check its signature."""

    provider: str
    detail: str


class TooLarge(Refused):
    """The mail is larger than MAX_MAIL_BYTES."""

    size: int
    limit: int


class AttachmentNotFound(Refused):
    """The mail has no attachment of this number."""

    case: str
    number: int


class DryRunTooLong(Refused):
    """The dry run takes too long for a page: `triage replay --dry-run` waits longer."""

    case: str
    seconds: float


class NotAMail(Refused):
    """These bytes are not an e-mail."""

    detail: str


class MailUnreadable(Permanent):
    """The mail is too much for the reader, even read briefly: it is kept, and `triage replay` tries again."""

    detail: str


class ReaderDown(Transient):
    """No process can be started to read mail in."""

    detail: str


class SettingsInvalid(Refused):
    """The settings need attention."""

    problems: tuple[str, ...] = ()
    """What is wrong in files, each as `file or NAME: text`."""
    settings: tuple[SettingProblem, ...] = ()
    """What is wrong with variables."""
    warnings: tuple[SettingProblem, ...] = ()
    """Variables that may be mistakes."""

    def __str__(self) -> str:
        """All problems, then all warnings, one per line."""
        return "\n".join((*self.problems, *map(str, self.settings), *map(str, self.warnings)))


class ToolRefused(Refused):
    """The tool call is not allowed."""

    reason: str
    suggestion: str = ""
    """What the caller may try instead; beside the error in the tool's result."""
    action: str = ""
    """`escalate` where only a person can go on."""

    def __str__(self) -> str:
        """The reason alone: the model reads it."""
        return self.reason


class SourceDown(Transient):
    """A calendar or a directory of people cannot be read."""

    source: str
    detail: str
