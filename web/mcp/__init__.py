"""Our MCP servers on the wire: the protocol over stdio and over streamable HTTP."""
