"""The command line: one verb a file; `wiring` alone chooses adapters."""
