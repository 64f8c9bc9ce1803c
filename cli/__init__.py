"""One verb each; `wiring` alone chooses adapters."""
