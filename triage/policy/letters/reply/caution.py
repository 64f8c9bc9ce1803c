"""Says why a letter about a mail always needs a person, and hands a call that would be allowed to one."""

from collections.abc import Sequence
from dataclasses import replace

from triage.domain.cases import Case
from triage.domain.findings import Intent
from triage.domain.mail import Trust
from triage.policy.decision.permission import Ask, Decision, Verdict
from triage.policy.letters.recipients import UNSAFE_FLAGS
from triage.policy.letters.reply.intent import intent_of
from triage.policy.text.commands import commands_in


def always_person(case: Case) -> tuple[str, ...]:
    """Return the reasons that no confidence and no table of autonomy outweighs."""
    mail = case.mail
    found = case.classification.intent or intent_of(mail, case.cues, case.classification.disposition, case.identity)
    named = (
        (found.intent is Intent.COMPLAINT, "a complaint is never answered without a person"),
        (case.identity.trust is not Trust.VERIFIED, f"the sender is {case.identity.trust}"),
        (mail.hidden_text, "the mail has hidden text"),
        (bool(commands_in(mail.text)), "the mail speaks to a language model"),
        (bool(UNSAFE_FLAGS & {*case.flags, *mail.flags}), "the sender looks like somebody else"),
    )
    return tuple(reason for holds, reason in named if holds)


def with_reasons(ruling: Verdict, shown: str, reasons: Sequence[str]) -> Verdict:
    """Return the verdict with a person deciding, for these reasons; what is refused or only thought stays so."""
    if not reasons or ruling.word in {Decision.REFUSE, Decision.SHADOW}:
        return ruling
    if ruling.asks:
        return replace(ruling, asks=tuple(replace(ask, why=_joined(ask.why, reasons)) for ask in ruling.asks))
    why = "; ".join(reasons)
    return replace(ruling, word=Decision.ASK, reason=why, asks=(Ask(field="reply", value=shown, why=why, whole=True),))


def _joined(why: str, reasons: Sequence[str]) -> str:
    """Add the reasons that the sentence does not have yet."""
    return "; ".join((why, *(one for one in reasons if one not in why)))
