"""Tells by its keywords what a message to the memory wants: a job, its figures, or an answer."""

import re
from typing import Final

from triage.domain.memory.answers import Job
from triage.policy.text.sentences import plain

KEYWORDS: Final = (
    (Job.BUILD, ("build", "rebuild", "scan", "ingest")),
    (Job.REFRESH, ("refresh", "prioritize", "prioritise")),
    (Job.RECONCILE, ("reconcile", "check actions", "check the actions", "check my actions", "check our actions")),
    (Job.DEDUPLICATE, ("deduplicate", "clean vault", "clean the vault", "clean up the vault")),
)
"""Job → the words that order it; the first that fits."""
COUNTED: Final = r"(?:notes?|memor(?:y|ies)|vault|decisions?|commitments?|insights?|people|(?:open )?actions?)"
STATS: Final = re.compile(
    rf"^(?:\W*(?:show|give|print|me|us|the|vault|memory|your) )*\W*(?:stats|statistics)\b|\bhow many {COUNTED}\b|^how many\W*$"
)
ASKS: Final = re.compile(
    r"\?\s*$|^\W*(?:who|whom|whose|what|when|where|which|why|how|did|does|do|is|are|was|were|has|have|had|will|would|should|tell|list|show|find)\b"
)
"""A message that asks orders nothing: `When do we build the quay?`"""
OF_ONE: Final = re.compile(r"\b(?:about|from|by|for|with|on|did|has|had|was|were|of)\b")
"""`How many decisions about the quay` asks for some of them: that is a question, and no figure of the vault."""


def job_of(message: str) -> Job:
    """Return what a message wants; whatever orders nothing is a question."""
    text = " ".join(plain(message).split())
    if (found := STATS.search(text)) and not OF_ONE.search(text, found.end()):
        return Job.STATS
    if ASKS.search(text):
        return Job.QUERY
    return next((job for job, words in KEYWORDS if any(re.search(rf"\b{word}\b", text) for word in words)), Job.QUERY)
