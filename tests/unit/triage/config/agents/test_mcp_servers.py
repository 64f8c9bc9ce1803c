"""The section `mcp_servers`: what it accepts, and what it refuses."""

from pathlib import Path

import pytest

from triage.config.triage_yaml import config_of
from triage.domain.conversation import Grant
from triage.domain.errors import SettingsInvalid

TOOLS = "tools: {find_part: {grant: read}, order_part: {grant: send, asks: true}}"


def test_a_server_is_read_with_its_secret_at_the_connection(tmp_path: Path) -> None:
    """Address, header from a file, timeout and tools are taken; the secret is read when it is needed."""
    secret = tmp_path / "token"
    header = f"{{name: Authorization, file: '{secret}'}}"
    text = f"mcp_servers: {{stock: {{url: 'https://stock.example/mcp', header: {header}, {TOOLS}}}}}"
    [server] = config_of(text.encode()).mcp_servers
    secret.write_text("Bearer 7\n", encoding="utf-8")

    assert (server.name, server.url, server.timeout) == ("stock", "https://stock.example/mcp", 30)
    assert server.headers() == {"Authorization": "Bearer 7"}
    assert [(tool.grant, tool.asks) for tool in server.tools.values()] == [(Grant.READ, False), (Grant.SEND, True)]


def test_a_program_has_no_header() -> None:
    """A program is a list of words and needs nothing else."""
    [server] = config_of(f"mcp_servers: {{stock: {{command: [stock, serve], {TOOLS}}}}}".encode()).mcp_servers

    assert (server.command, server.headers()) == (("stock", "serve"), {})


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (TOOLS, "either `command` or `url`"),
        ("command: [a], url: 'https://a.example/mcp', " + TOOLS, "either `command` or `url`"),
        ("command: [a], header: {name: A, file: b}, " + TOOLS, "goes with `url` alone"),
        ("url: 'http://a.example/mcp', " + TOOLS, "url"),
        ("command: [a], tools: {}", "tools"),
        ("command: [a], tools: {find: {grant: all}}", "grant"),
        ("command: [a], tools: {find: {grant: read, sha256: abc}}", "sha256"),
    ],
)
def test_what_cannot_be_is_refused(entry: str, told: str) -> None:
    """Both ways or none, a secret for a program, an open connection, unknown rights and half hashes are refused."""
    with pytest.raises(SettingsInvalid, match=told):
        config_of(f"mcp_servers: {{stock: {{{entry}}}}}".encode())
