"""The variables of the mail that comes in, of the letters that leave, and of the tokens that open mailboxes."""

from pathlib import Path
from typing import Literal

from pydantic import SecretStr

from triage.config.declaring import AFTER, Text, VariableGroup, env


class MailOAuthVariables(VariableGroup):
    """The application that people let into their mailboxes; `triage mailbox login` signs them in."""

    mail_oauth: Text = env(
        "MAIL_OAUTH",
        "",
        "who gives tokens for mailboxes and mail servers without a password: microsoft, google, or the https:// address of another provider",
    )
    mail_oauth_client_id: Text = env("MAIL_OAUTH_CLIENT_ID", "", "id of the application that you registered there")
    mail_oauth_client_secret: SecretStr = env(
        "MAIL_OAUTH_CLIENT_SECRET", SecretStr(""), "its secret, where it has one; with a device code it needs none"
    )
    mail_oauth_tenant: Text = env(
        "MAIL_OAUTH_TENANT",
        "",
        "Microsoft: directory (tenant) id of the application; empty: any organization",
        pattern=r"^[A-Za-z0-9.-]*$",
    )
    mail_oauth_scopes: Text = env(
        "MAIL_OAUTH_SCOPES", "", "what is asked for, between blanks; empty: what Microsoft and Google need for mail"
    )
    mail_oauth_app_only: bool = env(
        "MAIL_OAUTH_APP_ONLY", False, "the application opens the mailboxes itself, and nobody signs in (Microsoft)"
    )
    mail_oauth_key_file: Path = env(
        "MAIL_OAUTH_KEY_FILE",
        Path("mail-oauth.key"),
        "key that encrypts the tokens in the database, made at the first sign-in; unused where TRIAGE_SECRET is set",
    )


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


MEBIBYTE = 1024 * 1024


class MailVariables(VariableGroup):
    """How a mail reaches us, who sent it, and how many are too many."""

    max_mail_bytes: int = env("MAX_MAIL_BYTES", 40 * MEBIBYTE, "largest mail that is taken", ge=1024)
    webhook_secret: SecretStr = env(
        "WEBHOOK_SECRET",
        SecretStr(""),
        "key of /webhooks/mime (Standard Webhooks, `whsec_…`); two, separated by a blank, while you rotate",
    )
    postmark_user: Text = env("POSTMARK_USER", "", "user name in the URL that Postmark calls")
    postmark_password: SecretStr = env(
        "POSTMARK_PASSWORD", SecretStr(""), "password in the URL that Postmark calls, 24 characters or more"
    )
    sendgrid_public_key: Text = env(
        "SENDGRID_PUBLIC_KEY", "", "SendGrid Inbound Parse: public key of the security policy that signs"
    )
    mailgun_signing_key: SecretStr = env(
        "MAILGUN_SIGNING_KEY", SecretStr(""), "Mailgun: HTTP webhook signing key; two, separated by a blank"
    )
    mandrill_key: SecretStr = env("MANDRILL_KEY", SecretStr(""), "Mandrill: key of the inbound webhook")
    mandrill_url: Text = env(
        "MANDRILL_URL", "", "the URL that Mandrill calls, exactly as entered there: it is part of the signature"
    )
    ses_topics: Text = env(
        "SES_TOPIC_ARNS", "", "Amazon SES: the SNS topics that bring mail, separated by blanks; others are refused"
    )
    min_free_bytes: int = env(
        "MIN_FREE_BYTES", 256 * MEBIBYTE, "room on the database's disk below which no mail is taken", ge=0
    )
    retention_days: int = env("RETENTION_DAYS", 0, "days until mail and prompts of ended cases go; 0: never", ge=0)

    # The archive of raw mails
    archive_to: Text = env(
        "ARCHIVE_TO",
        "",
        "where raw mails of ended cases go from the database: a folder that exists, or s3://bucket/prefix; empty: they stay",
    )
    archive_after_days: int = env("ARCHIVE_AFTER_DAYS", 30, "days after which they go there", ge=0)
    s3_endpoint: Text = env(
        "S3_ENDPOINT", "", "address of the S3 server, such as https://minio.example.com; empty: Amazon's of S3_REGION"
    )
    s3_region: Text = env("S3_REGION", "us-east-1", "region of the bucket")
    s3_key_id: Text = env("S3_KEY_ID", "", "access key that may get, put and delete objects there, and list the bucket")
    s3_secret_key: SecretStr = env("S3_SECRET_KEY", SecretStr(""), "its secret")

    triage_url: Text = env("TRIAGE_URL", "http://127.0.0.1:8080", "where `triage pipe` finds `triage serve`")

    # Who sent it
    authserv_id: Text = env(
        "AUTHSERV_ID", "", "name that our mail server gives itself in Authentication-Results; several between blanks"
    )
    trusted_hops: int = env(
        "TRUSTED_HOPS",
        1,
        "Received lines, from the top, that our own servers write; only what stands above the last of them counts",
        ge=0,
        le=50,
    )
    auth_profile: Literal["rfc", "m365", "gmail"] = env(
        "AUTH_PROFILE",
        "rfc",
        "rfc; m365: it names no server, so its topmost field counts; gmail: its field stands below its Received lines",
    )

    enable_dkim_check: bool = env(
        "ENABLE_DKIM_CHECK",
        False,
        "check signatures ourselves where nobody we trust has (extra `dkim`); asks DNS for keys",
    )
    dkim_nameserver: Text = env(
        "DKIM_NAMESERVER", "", "DNS server for that, 192.0.2.53 or [2001:db8::53]:5353; empty: the system's"
    )

    # Rate limits
    throttle_sender_per_hour: int = env(
        "THROTTLE_SENDER_PER_HOUR",
        30,
        "mails of one sender within an hour before the rest is collected; 0: no limit",
        was=("BRAKE_SENDER_PER_HOUR",),
        ge=0,
    )
    throttle_storm_per_hour: int = env(
        "THROTTLE_STORM_PER_HOUR",
        10,
        "the same for mails with nearly the same words; of senders never heard of, two",
        was=("BRAKE_STORM_PER_HOUR",),
        ge=0,
    )
    throttle_thread_per_hour: int = env(
        "THROTTLE_THREAD_PER_HOUR", 10, "the same for mails of one thread", was=("BRAKE_THREAD_PER_HOUR",), ge=0
    )

    # The mailbox; triage.yaml can have several
    imap_host: Text = env("IMAP_HOST", "", "mail server whose mailbox is watched; empty: none")
    imap_port: int = env("IMAP_PORT", 0, "its port; 0: 993, or 143 where IMAP_TLS is not `ssl`", ge=0, le=65535)
    imap_user: Text = env("IMAP_USER", "", "user name, most often the address")
    imap_password: SecretStr = env("IMAP_PASSWORD", SecretStr(""), "his password")
    imap_token_command: Text = env(
        "IMAP_TOKEN_COMMAND", "", "instead of a password: command that prints an OAuth token; no shell runs it"
    )
    imap_folder: Text = env("IMAP_FOLDER", "INBOX", "folder that is watched")
    imap_tls: Literal["ssl", "starttls", "none", "insecure"] = env(
        "IMAP_TLS", "ssl", "ssl, starttls, none (this machine only), or insecure (none over a network)"
    )
    imap_after: Text = env(
        "IMAP_AFTER",
        "none",
        "what becomes of mails that are taken: none, seen (mark as read) or move:Folder",
        pattern=AFTER,
    )
    imap_poll_seconds: float = env(
        "IMAP_POLL_SECONDS", 120.0, "look so often, also where the server announces new mail", ge=1, le=1500
    )
