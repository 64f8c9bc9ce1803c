"""The port `TicketIndex` by tantivy, in files of this host."""
