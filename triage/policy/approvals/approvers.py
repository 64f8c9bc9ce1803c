"""Decides whether a person may decide about an approval. Names prove nothing: addresses and accounts count."""

from collections.abc import Iterable
from typing import Final

from triage.config.autonomy.approvals import ApproverRules
from triage.domain.approvals import Approval, Approver, ApproverProof
from triage.domain.mail import Address
from triage.domain.operations.mcp import program_address

GIVEN: Final = frozenset({ApproverProof.API, ApproverProof.CONSOLE})
"""Proofs that somebody gave for approving."""


def may_decide(who: Approver, rules: ApproverRules, members: Iterable[str]) -> bool:
    """Tell whether a person may decide; `members` are addresses and accounts of the groups and roles in the rules.

    The server's shell may. A token or a role of the console that was given for approving may, too, unless the rules name
    approvers: then its person has to be one of them, and a program's token, which has no person, needs their word.
    """
    if who.proof is ApproverProof.SHELL:
        return True
    if who.proof in GIVEN and (rules.nobody or (rules.programs and not who.identities)):
        return True
    return bool(who.identities & (rules.people | {name.casefold() for name in members}))


def wrote_it(who: Approver, approval: Approval) -> bool:
    """Tell whether the person wrote the mail that the approval comes from, or his access token has proposed it over MCP."""
    sender = Address.read(approval.sender).address.casefold()
    own = {who.address.casefold(), program_address(who.token) if who.token else ""} - {""}
    return sender in own
