"""Who may decide: proven addresses and accounts, never names."""

from dataclasses import replace

import pytest

from triage.config.autonomy.approvals import ApproverRules
from triage.domain.approvals import Approval, Approver, ApproverProof
from triage.domain.mail import Address
from triage.domain.untrusted import Untrusted
from triage.policy.approvals.approvers import may_decide, wrote_it

RULES = ApproverRules(people=frozenset({"ada@example.com", "acc-7"}), groups=("leads",))
WISH = Approval(case="case-1", tool="t", arguments="{}", reason="r", sender="Dora <Dora@Shop.example>")


@pytest.mark.parametrize(
    ("who", "may"),
    [
        (Approver(name="root", proof=ApproverProof.SHELL), True),
        (Approver(name="bot", proof=ApproverProof.API), False),
        (Approver(name="Ada's board", proof=ApproverProof.API, address="ada@example.com"), True),
        (Approver(name="Eve's board", proof=ApproverProof.API, address="eve@evil.example"), False),
        (Approver(name="Ada", proof=ApproverProof.CONSOLE, address="ada@example.com"), True),
        (Approver(name="ada@example.com", proof=ApproverProof.CONSOLE, address="eve@evil.example"), False),
        (Approver(name="Ada", proof=ApproverProof.MAIL, address="ADA@example.com"), True),
        (Approver(name="x", proof=ApproverProof.JIRA, account="acc-7"), True),
        (Approver(name="x", proof=ApproverProof.JIRA, account="ACC-9"), True),
        (Approver(name="ada@example.com", proof=ApproverProof.JIRA, account="acc-8"), False),
        (Approver(name="acc-7", proof=ApproverProof.CHAT), False),
        (Approver(name="Eve", proof=ApproverProof.LINK, address="eve@evil.example"), False),
    ],
)
def test_proof_counts_and_names_do_not(who: Approver, may: bool) -> None:  # noqa: FBT001 - a table
    """The shell may; all others, tokens too, by a proven address or account in the rules or in a group of them."""
    assert may_decide(who, RULES, {"acc-9"}) is may


@pytest.mark.parametrize(("address", "may"), [("", True), ("ada@example.com", True), ("eve@evil.example", False)])
def test_programs_may_where_the_rules_say_so(address: str, may: bool) -> None:  # noqa: FBT001 - a table
    """A token of no person decides then; one of a person is judged by the person all the same."""
    rules = RULES.model_copy(update={"programs": True})

    assert may_decide(Approver(name="bot", proof=ApproverProof.API, address=address), rules, ()) is may


def test_without_rules_the_shell_and_tokens_decide() -> None:
    """A token's scope or a role is the right where nobody is named; nobody else gets a right from a rule that nobody wrote."""
    assert may_decide(Approver(name="bot", proof=ApproverProof.API), ApproverRules(), ())
    assert may_decide(Approver(name="Eve", proof=ApproverProof.CONSOLE, address="eve@x.example"), ApproverRules(), ())
    assert not may_decide(Approver(name="x", proof=ApproverProof.JIRA, account="acc-7"), ApproverRules(), ())


@pytest.mark.parametrize(("address", "own"), [("dora@shop.example", True), ("ada@example.com", False), ("", False)])
def test_own_mail(address: str, own: bool) -> None:  # noqa: FBT001 - a table
    """The mail's sender is known by the address, however it is spelt."""
    assert wrote_it(Approver(name="x", proof=ApproverProof.MAIL, address=address), WISH) is own


@pytest.mark.parametrize(
    "name", ["Marsh, Dora", 'Dora "DM" Marsh', "Dora (Shop)", "ada@example.com", "Dora <x@y.example>"]
)
def test_own_mail_whatever_the_name(name: str) -> None:
    """A comma, a quotation mark or another address in the name hides nobody from the rule about one's own mail."""
    wish = replace(WISH, sender=str(Address(address="dora@shop.example", name=Untrusted(name))))

    assert wrote_it(Approver(name="x", proof=ApproverProof.CONSOLE, address="dora@shop.example"), wish)
    assert not wrote_it(Approver(name="x", proof=ApproverProof.CONSOLE, address="ada@example.com"), wish)


@pytest.mark.parametrize(("token", "own"), [(3, True), (4, False), (0, False)])
def test_a_token_accepts_nothing_of_its_own(token: int, own: bool) -> None:  # noqa: FBT001 - a table
    """What an MCP client proposes is decided by another token, or by a person; a program of the shell is no token."""
    wish = replace(WISH, sender="token 3 (claude) <mcp-3@triage.invalid>")
    shell = replace(WISH, sender="shell ann <mcp@triage.invalid>")

    assert wrote_it(Approver(name="x", proof=ApproverProof.API, token=token), wish) is own
    assert not wrote_it(Approver(name="x", proof=ApproverProof.API, token=token), shell)


def test_identity() -> None:
    """The record keeps the address, else the account, else the name."""
    assert (
        Approver(name="Ada", proof=ApproverProof.MAIL, address="Ada@x.example", account="7").identity == "ada@x.example"
    )
    assert Approver(name="Ada", proof=ApproverProof.JIRA, account="7").identity == "7"
    assert Approver(name="ada", proof=ApproverProof.SHELL).identity == "ada"


def test_what_a_decision_is_bound_to() -> None:
    """The hash is of the tool and of the arguments as they would run: an edit changes it."""
    edited = Approval(case="case-1", tool="t", arguments="{}", reason="r", edited='{"a":1}')
    other = Approval(case="case-1", tool="u", arguments="{}", reason="r")

    assert len({WISH.hash, edited.hash, other.hash}) == 3
    assert (WISH.exact, edited.exact) == ("{}", '{"a":1}')
