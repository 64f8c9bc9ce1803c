"""Decides whether a person may decide about an approval. Names prove nothing: addresses and accounts count."""

from collections.abc import Iterable
from email.utils import parseaddr
from typing import Final

from triage.config.autonomy.approvals import ApproverRules
from triage.domain.approvals import Approval, Approver, Proof

OPERATORS: Final = frozenset({Proof.SHELL, Proof.API})
"""Proofs that are the right itself: the server's shell, and a token that was made for approving."""


def may_decide(who: Approver, rules: ApproverRules, members: Iterable[str]) -> bool:
    """Tell whether a person may decide; `members` are addresses and accounts of the groups and roles in the rules."""
    if who.proof in OPERATORS:
        return True
    return bool(who.identities & (rules.people | {name.casefold() for name in members}))


def wrote_it(who: Approver, approval: Approval) -> bool:
    """Tell whether the person wrote the mail that the approval comes from."""
    return bool(who.address) and parseaddr(approval.sender)[1].casefold() == who.address.casefold()
