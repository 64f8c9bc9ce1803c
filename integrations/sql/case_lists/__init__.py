"""Cases in lists: what a filter means in SQL, lines by thread, snoozed cases, saved views."""
