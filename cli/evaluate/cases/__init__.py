"""`triage eval cases`: runs mails with a known right end through the whole pipeline."""
