"""Builds what corrects fields of a case's ticket for people."""

from contextlib import AsyncExitStack

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.intake import IntakeContext
from cli.wiring.jira import tracker_of
from cli.wiring.people.approvals import cases_of
from integrations.jira.tracker import JiraTracker
from triage.services.approvals import ApprovalService
from triage.services.casework.amending import AmendService
from triage.services.casework.merging import MergeService


def amending_of(context: IntakeContext, tracker: JiraTracker, approvals: ApprovalService) -> AmendService:
    """Build the service that corrects fields of tickets for people."""
    return AmendService(archive=context.store.archive, approvals=approvals, tracker=tracker.view)


def merging_of(context: IntakeContext, tracker: JiraTracker, approvals: ApprovalService) -> MergeService:
    """Build the service that merges and splits tickets for people."""
    return MergeService(
        archive=context.store.archive,
        approvals=approvals,
        cases=cases_of(context),
        tracker=tracker.view,
        language=context.settings.team_language,
    )


def tickets_alone(
    context: IntakeContext, live: LiveConfig, approvals: ApprovalService, later: AsyncExitStack
) -> tuple[AmendService, MergeService]:
    """Build both where no app is open; `later` closes their tracker."""
    tracker = tracker_of(context.settings, context.failpoint, live.config)
    later.push_async_callback(tracker.close)
    return amending_of(context, tracker, approvals), merging_of(context, tracker, approvals)
