"""`triage init`: asks for Jira, mailbox, model and letters, tests each answer, writes `.env`."""
