"""The port `Leadership`: by locks of PostgreSQL among hosts, by locks of files among the processes of one host."""
