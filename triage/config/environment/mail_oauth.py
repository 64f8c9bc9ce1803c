"""The variables of mailboxes that are opened with tokens."""

from pathlib import Path

from pydantic import SecretStr

from triage.config.declaring import Text, VariableGroup, env


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
