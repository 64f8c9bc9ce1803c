"""One rule of `routing.rules` in triage.yaml: the conditions on a mail, and what takes it."""

import re
from dataclasses import dataclass

from triage.domain.findings import Disposition, PipelineName
from triage.domain.mail import Kind, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingRule:
    """A row of the routing table. A missing condition holds; a rule without conditions matches no mail."""

    name: str
    all: bool = False
    sender_email: str = ""
    sender_domain: str = ""
    """Compared exactly; sub-domains do not match."""
    subject_contains: str = ""
    header_match: tuple[tuple[str, re.Pattern[str]], ...] = ()
    """Header names in lower case; made by `safe_regex.pattern_of`, searched for anywhere in the header."""
    forwarded_from: str = ""
    recipient: tuple[str, ...] = ()
    """Addresses, or `@domain`, in lower case; one of them is a recipient. So with all tuples below: one is enough."""
    mailbox: tuple[str, ...] = ()
    """Names of our mailboxes, or of the way that the mail came: `support`, `webhook:postmark`, `file`."""
    kind: tuple[Kind, ...] = ()
    disposition: tuple[Disposition, ...] = ()
    language: tuple[str, ...] = ()
    """Codes of ISO 639-1."""
    has_attachment: bool | None = None
    """Whether a file hangs on the mail; logos and tracking pixels are none."""
    trust_at_least: Trust | None = None
    in_project: tuple[str, ...] = ()
    """Projects of the ticket of the mail's thread."""
    unproven: bool = False
    """Sender and forwarder need no proof in this rule; a forged sender never counts."""
    pipeline: PipelineName = PipelineName.PIPELINE
    profile: str = "jira"
    project: str = ""
    """Key of the project that gets the tickets; empty: that of the profile, else JIRA_PROJECT_KEY."""
    labels: tuple[str, ...] = ()
    """Labels of a new ticket, beside those of the section `labels`."""
    account: str = ""
    """Of `route: support`: the account whose articles answer the mail, beside the shared ones."""

    @property
    def names_sender(self) -> bool:
        return bool(self.sender_email or self.sender_domain)
