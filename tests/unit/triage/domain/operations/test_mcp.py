"""What of a call of an MCP client is kept from those who may not read words of mails."""

from dataclasses import replace
from datetime import UTC, datetime

from triage.domain.operations.mcp import FAILED, OK, McpCall

CALL = McpCall(
    run="mcp-1",
    number=1,
    at=datetime(2026, 11, 23, tzinfo=UTC),
    server="tickets",
    client="kim",
    tool="search",
    arguments='{"text": "my invoice"}',
    outcome=f"{OK}, 300 bytes",
)


def test_a_call_without_words() -> None:
    """Arguments and the words of a refusal go; that it went well stays."""
    refused = replace(CALL, outcome="no ticket about my invoice")

    assert CALL.wordless() == replace(CALL, arguments="")
    assert refused.wordless() == replace(CALL, arguments="", outcome=FAILED)
