"""Where tools from outside run: bounded in time and size."""
