"""Console, API and MCP for people and programs over HTTP; mail comes in by `webhooks`."""
