"""Addresses of Jira as they are pasted: which sites may be meant, and which project is shown."""

import pytest

from triage.policy.setup.jira_sites import is_cloud, project_in, sites_of


@pytest.mark.parametrize(
    ("text", "sites"),
    [
        ("https://acme.atlassian.net", ("https://acme.atlassian.net",)),
        (" acme.atlassian.net/ ", ("https://acme.atlassian.net",)),
        ("https://acme.atlassian.net/jira/software/projects/OPS/boards/1?x=1#y", ("https://acme.atlassian.net",)),
        ("https://api.atlassian.com/ex/jira/1-2/", ("https://api.atlassian.com/ex/jira/1-2",)),
        (
            "https://jira.acme.example/jira/secure/Dashboard.jspa",
            (
                "https://jira.acme.example/jira/secure/Dashboard.jspa",
                "https://jira.acme.example/jira/secure",
                "https://jira.acme.example/jira",
                "https://jira.acme.example",
            ),
        ),
        ("http://jira.acme.example:8443", ("https://jira.acme.example:8443", "http://jira.acme.example:8443")),
        ("localhost:8080", ("https://localhost:8080", "http://localhost:8080")),
        ("http://127.0.0.1:8080/", ("http://127.0.0.1:8080",)),
        ("HTTPS://[::1]:8080", ("https://[::1]:8080",)),
    ],
)
def test_what_is_pasted_is_understood(text: str, sites: tuple[str, ...]) -> None:
    """Scheme and path may be missing or too many; TLS comes first, and a path is tried as it stands first."""
    assert sites_of(text) == sites


@pytest.mark.parametrize(
    "text", ["", "https://", "two words", "https://me:secret@jira.example", "ftp://jira.example", "https://a:b", "[::1"]
)
def test_what_is_no_address_gives_none(text: str) -> None:
    """Blanks, other schemes, passwords in an address and half addresses are nothing to connect to."""
    assert sites_of(text) == ()


def test_the_project_is_read_from_the_address() -> None:
    """An address of a board or a ticket shows its project; others show none."""
    assert project_in("https://acme.atlassian.net/jira/software/c/projects/OPS/boards/1") == "OPS"
    assert project_in("https://jira.example/browse/HARB-12") == "HARB"
    assert not project_in("https://jira.example/secure/Dashboard.jspa")


def test_cloud_is_told_by_the_host_alone() -> None:
    """The whole ending of the host counts, so that nobody's own domain is taken for Cloud."""
    assert is_cloud("https://acme.atlassian.net")
    assert is_cloud("https://api.atlassian.com/ex/jira/1")
    assert not is_cloud("https://atlassian.net.example")
