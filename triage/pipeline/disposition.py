"""Collects the facts that the disposition policy needs about a case, and applies a disposition to it."""

from collections.abc import Sequence
from typing import Final

from triage.config.dispositions.table import DispositionTable
from triage.domain.cases import Case, Outcome
from triage.domain.findings import Cues, Disposition, DispositionAction, DispositionFinding, Joined, PipelineName
from triage.domain.mail import Kind, KindVerdict
from triage.domain.tickets import Person
from triage.pipeline.context import Services
from triage.policy.decision.disposition.disposition import Facts, disposition_of
from triage.policy.decision.disposition.examples import hint_of
from triage.policy.decision.disposition.standing import SenderFacts, SenderStanding, standing_of
from triage.policy.routing.route import DEFAULT
from triage.policy.sender.sender_checks import answers_us, is_checked, is_colleague, is_deceptive
from triage.policy.sender.spam_headers import server_verdict
from triage.policy.sender.trust_verdict import behind_edge
from triage.policy.thread.fingerprint import sketch_of

NO_KIND: Final = KindVerdict(kind=Kind.HUMAN, evidence=(), may_ticket=True, may_answer=False)
"""Of cases that an older version read."""
EVERY_MAIL: Final = "every mail"
"""Reason of a routing rule without a condition."""


async def judged(
    case: Case, cues: Cues, people: Sequence[Person], at: Services
) -> tuple[DispositionFinding, SenderStanding]:
    """Return the disposition of a case, and the standing of its sender. A person's correction decides alone."""
    sender = await _sender_facts(case, people, at)
    standing = standing_of(sender, at.rules.dispositions)
    if case.correction is not None:
        return disposition_by_person(case), standing
    examples = await at.history.examples(sender.address)
    hint = hint_of(examples, sender.address, case.identity.trust, sketch_of(case.mail)) if examples else None
    facts = Facts(
        message=case.mail,
        kind=case.identity.kind or NO_KIND,
        standing=standing,
        server=server_verdict(case.mail, behind_edge(case.source, at.rules.edge)),
        hint=hint,
        cues=cues,
        ticket=case.ticket,
        answers_us=not case.identity.follow_up and answers_us(case.mail, at.rules.domains),
        whole=case.stub is None,
        for_support=case.route is not None and case.route.pipeline is PipelineName.SUPPORT,
    )
    return disposition_of(facts), standing


def disposition_by_person(case: Case) -> DispositionFinding:
    correction = case.correction
    if correction is None:
        raise LookupError(f"nobody has corrected {case.id}")
    why = f"{correction.by} said so" + (f" of {correction.ticket}" if correction.ticket else "")
    return DispositionFinding(disposition=correction.disposition, confidence=1.0, evidence=(why,))


def with_consequence(case: Case, found: DispositionFinding, table: DispositionTable) -> Case:
    """End the case as the table says: ignored visibly, or waiting for a person; continue it for other dispositions."""
    match table.action_about(found):
        case DispositionAction.IGNORE:
            return case.ending(Outcome.IGNORED, disposition_text(found))
        case DispositionAction.PERSON:
            asks = f"{disposition_text(found)}. A person decides: triage correct {case.id} --ticket, or --ignore"
            return case.ending(Outcome.WAITING, asks)
    return case


def disposition_text(found: DispositionFinding) -> str:
    """Say a disposition in one line: `spam (98 %): X-Spam-Flag: YES`."""
    name = str(found.disposition).replace("_", " ")
    asks = found.disposition in {Disposition.CONFIDENTIAL, Disposition.UNSURE}
    sure = "" if asks else f" ({100 * found.confidence:.0f} %)"
    return f"{name}{sure}: {'; '.join(found.evidence)}" if found.evidence else f"{name}{sure}"


async def _sender_facts(case: Case, people: Sequence[Person], at: Services) -> SenderFacts:
    sender, identity = case.mail.sender, case.identity
    address = sender.address if sender else ""
    route = case.route or DEFAULT
    return SenderFacts(
        address=address,
        trust=identity.trust,
        checked=is_checked(case, behind_edge(case.source, at.rules.edge)),
        deceptive=is_deceptive(case),
        imitates=identity.imitates,
        participant=identity.participant or identity.joined is Joined.REPLY_ID,
        in_thread=identity.joined is not None,
        ours=is_colleague(sender, people, at.rules.domains),
        reported=bool(address) and await at.history.reported(),
        routed=route.rule if route.because and route.because != (EVERY_MAIL,) else "",
    )
