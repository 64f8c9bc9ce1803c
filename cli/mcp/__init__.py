"""`triage mcp`: our own MCP servers."""
