"""Our own MCP servers: which tools they offer to whom, sessions with budget and audit, proposals that wait for a person."""
