"""The variables of what Triage tells people: letters and notices."""

from typing import Literal

from pydantic import SecretStr

from triage.config.declaring import Text, VariableGroup, env


class LetterVariables(VariableGroup):
    """Letters, notices, and the approvals that people answer to."""

    # Ways to people
    notify_urls: SecretStr = env(
        "NOTIFY_URLS",
        SecretStr(""),
        "channels that tell people what must not wait, one apprise URL each, separated by blanks (extra `notify`); empty: none",
    )

    enable_jira_approvals: bool = env(
        "ENABLE_JIRA_APPROVALS",
        False,
        "what waits for a person is a comment on its ticket, and approvers answer there: /triage yes, no, edit, undo, not, new, stop",
    )
    notify_approver: Text = env(
        "NOTIFY_APPROVER",
        "",
        "address of the approver in whose name links in the channels of NOTIFY_URLS decide: whoever reads them can; empty: no links",
        pattern=r"([^@\s]+@[^@\s]+)?",
    )

    # Letters
    smtp_host: Text = env("SMTP_HOST", "", "mail server that takes our letters; empty: Triage writes to nobody")
    smtp_port: int = env("SMTP_PORT", 0, "its port; 0: 465, or 587 where SMTP_TLS is not `ssl`", ge=0, le=65535)
    smtp_tls: Literal["ssl", "starttls", "none", "insecure"] = env(
        "SMTP_TLS", "starttls", "starttls, ssl, none (this machine only), or insecure (none over a network)"
    )
    smtp_user: Text = env("SMTP_USER", "", "user name there; empty: it asks for none")
    smtp_password: SecretStr = env("SMTP_PASSWORD", SecretStr(""), "his password")
    smtp_token_command: Text = env(
        "SMTP_TOKEN_COMMAND", "", "instead of a password: command that prints an OAuth token; no shell runs it"
    )
    mail_from: Text = env("MAIL_FROM", "", "sender of our letters, such as Harbour Support <support@example.org>")
    letter_delay_seconds: float = env(
        "LETTER_DELAY_SECONDS", 60.0, "window in which `triage letters undo` takes a letter back", ge=0, le=86_400
    )
    letters_per_person: int = env(
        "LETTERS_PER_PERSON_PER_DAY",
        5,
        "letters that a person may get within a day without anybody having seen them",
        ge=0,
    )
    letters_per_minute: int = env(
        "LETTERS_PER_MINUTE", 30, "letters sent within a minute, all processes together", ge=1
    )
    drafts_folder: Text = env(
        "DRAFTS_FOLDER", "", "the mailbox's folder of drafts; empty: the one it names itself; none: drafts stay here"
    )
    sent_folder: Text = env(
        "SENT_FOLDER", "", "the mailbox's folder of sent mail; empty: the one it names itself; none: no copies"
    )
