"""OIDC_ROLES as an admin writes it."""

import pytest

from triage.config.web.roles import role_rules
from triage.domain.operations.accounts import RoleMatch, RoleRule
from triage.domain.operations.tokens import Scope


def test_rules() -> None:
    """Groups as they are spelt, addresses and domains in lower case, in the order of the text."""
    rules = role_rules("admin=group:Ops 'viewer=group:All Staff' approver=@Example.com reader=Ada@example.org")

    assert rules == (
        RoleRule(scope=Scope.ADMIN, whom=RoleMatch.GROUP, value="Ops"),
        RoleRule(scope=Scope.VIEWER, whom=RoleMatch.GROUP, value="All Staff"),
        RoleRule(scope=Scope.APPROVER, whom=RoleMatch.DOMAIN, value="example.com"),
        RoleRule(scope=Scope.READER, whom=RoleMatch.ADDRESS, value="ada@example.org"),
    )
    assert role_rules("") == ()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("root=@example.com", "no role"),
        ("admin", "names nobody"),
        ("admin=", "names nobody"),
        ("admin=group:", "names nobody"),
        ("admin=ops", "names nobody"),
        ("admin=@com", "names nobody"),
        ("admin=a@b@example.com", "names nobody"),
        ("admin='@example.com", "quotation"),
    ],
)
def test_what_is_no_rule(text: str, hint: str) -> None:
    """A rule that names everybody or nobody by mistake is refused at start."""
    with pytest.raises(ValueError, match=hint):
        role_rules(text)
