"""Builds the services by which people decide, correct, merge and split, with the tracker's people, groups and roles."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.intake import IntakeContext, open_intake
from cli.wiring.jira import tracker_of
from cli.wiring.letters import ours_of
from integrations.jira.tracker import JiraTracker
from triage.config.autonomy.approvals import ApprovalRules
from triage.config.mailboxes import specs_of
from triage.config.settings import Settings
from triage.domain.approvals import Approval, Approver
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.errors import ToolRefused
from triage.domain.ports import TrackerView
from triage.pipeline.editing import edited_arguments, fields_for
from triage.policy.approvals.edit_form import EditField
from triage.policy.letters.recipients import Recipients, recipients_of
from triage.services.approvals import ApprovalService, with_address
from triage.services.cases import CaseService
from triage.services.casework.amending import AmendService
from triage.services.casework.merging import MergeService


@dataclass(frozen=True, slots=True)
class LiveApprovals:
    """What the approval service asks at each decision: rules, agents and tracker as they are then."""

    context: IntakeContext
    tracker: TrackerView
    live: LiveConfig

    def rules(self) -> ApprovalRules:
        return self.live.current()[1].approvals

    async def members(self) -> frozenset[str]:
        """Return the people of the groups and roles that the rules name."""
        approvers = self.rules().approvers
        if not approvers.groups and not approvers.roles:
            return frozenset()
        return await self.tracker.people.members(approvers.groups, approvers.roles)

    async def known(self, who: Approver) -> Approver:
        """Return the person with the address that his account has."""
        if not who.account or who.address:
            return who
        people = (await self.tracker.metadata.project()).people
        return with_address(who, next((person.email for person in people if person.id == who.account), ""))

    async def edited(self, case: Case, approval: Approval, changes: Mapping[str, Json]) -> str:
        agents, rules = self.live.current()
        return await edited_arguments(case, approval, changes, agents.toolbox, self.tracker.metadata, rules)

    async def fields(self, approval: Approval) -> tuple[EditField, ...]:
        return fields_for(approval, self.live.current()[0].toolbox, await self.tracker.metadata.project())

    def addressed(self, case: Case, added: str) -> Recipients:
        """Return who would get a letter of this case, with an address that a person has added."""
        settings = self.context.settings
        ours = ours_of(settings, specs_of(settings, self.live.config.mailboxes), self.live)
        return recipients_of(case, ours, added)


def approvals_of(context: IntakeContext, tracker: TrackerView, live: LiveConfig) -> ApprovalService:
    """Build the service over agents and rules as they are at each decision.

    It asks the tracker only where rules name groups and roles, or a person has proven no address.
    """
    asked = LiveApprovals(context, tracker, live)
    return ApprovalService(
        archive=context.store.archive,
        decisions=context.store.decisions,
        kill_switch=context.store.kill_switch,
        deeds=context.store.deeds,
        letters=context.store.letters,
        notifier=context.notifier,
        edit_arguments=asked.edited,
        fields=asked.fields,
        tickets=context.store.tickets.tickets,
        addressed=asked.addressed,
        rules=asked.rules,
        members=asked.members,
        known=asked.known,
    )


def approvals_alone(context: IntakeContext, live: LiveConfig, later: AsyncExitStack) -> ApprovalService:
    """Build the approval service if no app is open (`triage serve --no-work`); `later` closes its tracker."""
    tracker = tracker_of(context.settings, context.failpoint, live.config)
    later.push_async_callback(tracker.close)
    return approvals_of(context, tracker.view(), live)


def cases_of(context: IntakeContext, tracker: TrackerView | None = None) -> CaseService:
    """Build the service that changes cases for people; a tracker says whether a ticket that they name is there."""
    store = context.store
    return CaseService(
        jobs=store.jobs,
        archive=store.archive,
        decisions=store.decisions,
        deeds=store.deeds,
        notifier=context.notifier,
        lease_seconds=context.settings.lease_seconds,
        ticket=tracker.tickets.get if tracker else None,
    )


@asynccontextmanager
async def open_switch(settings: Settings) -> AsyncIterator[ApprovalService]:
    """Open the approval service without a tracker, for `triage pause` and `resume`, which must work while Jira is down."""
    async with open_intake(settings) as context:

        async def edited(case: Case, approval: Approval, changes: Mapping[str, Json]) -> str:
            raise ToolRefused(
                f"{', '.join(changes)} of approval {approval.id} of {case.id} cannot be changed without Jira"
            )

        yield ApprovalService(
            archive=context.store.archive,
            decisions=context.store.decisions,
            kill_switch=context.store.kill_switch,
            deeds=context.store.deeds,
            letters=context.store.letters,
            notifier=context.notifier,
            edit_arguments=edited,
        )


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
