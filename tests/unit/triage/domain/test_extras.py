"""A missing extra is named with a cure that installs Triage and nothing else."""

from triage.domain.extras import missing


def test_the_cure_names_no_package_index() -> None:
    """`triage` on a public index is somebody else's package: the wheel and the checkout are named instead."""
    assert "'triage-….whl[oidc]'" in missing("oidc")
    assert "'triage[" not in missing("oidc")
