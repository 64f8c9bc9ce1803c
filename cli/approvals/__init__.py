"""Commands by which people decide: list, edit, respond, reject, pause, resume, undo."""
