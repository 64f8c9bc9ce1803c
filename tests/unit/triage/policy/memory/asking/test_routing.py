"""The keywords that order a job of the memory; everything else is a question."""

import pytest

from triage.domain.memory.answers import Job
from triage.policy.memory.asking.routing import job_of


@pytest.mark.parametrize(
    ("message", "job"),
    [
        ("build", Job.BUILD),
        ("Build my memory", Job.BUILD),
        ("please scan the new mails", Job.BUILD),
        ("ingest", Job.BUILD),
        ("Refresh", Job.REFRESH),
        ("prioritize my actions", Job.REFRESH),
        ("re-prioritise", Job.REFRESH),
        ("reconcile", Job.RECONCILE),
        ("check actions", Job.RECONCILE),
        ("Please check the actions!", Job.RECONCILE),
        ("deduplicate", Job.DEDUPLICATE),
        ("clean vault", Job.DEDUPLICATE),
        ("Clean the vault", Job.DEDUPLICATE),
        ("stats", Job.STATS),
        ("show me the vault stats", Job.STATS),
        ("how many", Job.STATS),
        ("How many notes are there?", Job.STATS),
        ("How many open actions do we have?", Job.STATS),
        ("Who promised the audit report?", Job.QUERY),
        ("audit report", Job.QUERY),
        ("", Job.QUERY),
        # words of a question order nothing
        ("When do we build the new quay?", Job.QUERY),
        ("Who has to scan the contracts?", Job.QUERY),
        ("What did Ann say about the build server", Job.QUERY),
        ("How many invoices are open?", Job.QUERY),
        ("How many decisions about the quay did we take?", Job.QUERY),
        ("What do the crane stats of May say?", Job.QUERY),
        # parts of words are no keywords
        ("the building permit", Job.QUERY),
        ("scanner of pier 4", Job.QUERY),
    ],
)
def test_a_message_wants(message: str, job: Job) -> None:
    """The keywords of a message decide, as whole words and outside of questions."""
    assert job_of(message) is job
