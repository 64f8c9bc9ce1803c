"""One rule of `routing.rules` in triage.yaml: the conditions on a mail, and the pipeline and the profile that take it."""

import re
from dataclasses import dataclass

from triage.domain.cases import PipelineName


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One line of the routing table. A condition that is not given holds; a rule without any holds for no mail."""

    name: str
    all: bool = False
    sender_email: str = ""
    sender_domain: str = ""
    """Exactly; sub-domains are others."""
    subject_contains: str = ""
    header_match: tuple[tuple[str, re.Pattern[str]], ...] = ()
    """Header names in lower case; made by `safe_regex.pattern_of`, searched for anywhere in the header."""
    forwarded_from: str = ""
    unproven: bool = False
    """Sender and forwarding need no proof here; a sender who was found to be forged never counts."""
    way: PipelineName = PipelineName.PIPELINE
    profile: str = "jira"

    @property
    def names_sender(self) -> bool:
        """It asks who wrote the mail."""
        return bool(self.sender_email or self.sender_domain)
