"""One rule of `routing.rules` in triage.yaml: the conditions on a mail, and the pipeline and the profile that take it."""

import re
from dataclasses import dataclass

from triage.domain.findings import PipelineName


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
    unproven: bool = False
    """Sender and forwarder need no proof in this rule; a forged sender never counts."""
    way: PipelineName = PipelineName.PIPELINE
    profile: str = "jira"
    project: str = ""
    """Key of the project that gets the tickets; empty: that of the profile, else JIRA_PROJECT_KEY."""

    @property
    def names_sender(self) -> bool:
        """Tell whether the rule has a condition on the sender."""
        return bool(self.sender_email or self.sender_domain)
