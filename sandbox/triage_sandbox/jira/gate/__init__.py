"""Between the clients and the API: the way in, the journal, and what goes wrong on demand."""
