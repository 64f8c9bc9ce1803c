"""The variables of Jira and of the tickets that mails become."""

from typing import Literal

from pydantic import SecretStr

from triage.config.declaring import Text, VariableGroup, env


class TicketVariables(VariableGroup):
    """Jira, what one mail may write there, and how a ticket looks."""

    # Jira
    jira_base_url: Text = env("JIRA_BASE_URL", "", "the site, such as https://acme.atlassian.net")
    jira_email: Text = env("JIRA_EMAIL", "", "Cloud: the account's address; Data Center: user name, with a password")
    jira_api_token: SecretStr = env("JIRA_API_TOKEN", SecretStr(""), "Cloud: the account's API token")
    jira_token: SecretStr = env("JIRA_TOKEN", SecretStr(""), "Data Center: a personal access token")
    jira_project_key: Text = env(
        "JIRA_PROJECT_KEY",
        "",
        "key of the project that gets the tickets, in capitals, such as OPS",
        pattern=r"^([A-Z][A-Z0-9_]+)?$",
    )
    jira_timeout: float = env("JIRA_TIMEOUT", 30.0, "seconds to wait for an answer of Jira", gt=0)
    jira_done_status: Text = env(
        "JIRA_DONE_STATUS", "", "status that a fixed ticket is proposed for; empty: the first done one"
    )
    jira_request_type: Text = env(
        "JIRA_REQUEST_TYPE", "", "service projects: request type that tickets are made as, so that portals show them"
    )
    jira_public_comments: bool = env(
        "JIRA_PUBLIC_COMMENTS", False, "service projects: let customers read our comments; else they are internal"
    )
    jira_poll_seconds: float = env(
        "JIRA_POLL_SECONDS", 300.0, "look so often which tickets have changed; 0: Jira's webhook tells", ge=0
    )
    jira_webhook_secret: SecretStr = env(
        "JIRA_WEBHOOK_SECRET",
        SecretStr(""),
        "secret of a webhook of Jira that calls /webhooks/jira (events of issues); two, separated by a blank",
    )

    # What one mail may write
    max_creates: int = env(
        "MAX_CREATES_PER_MAIL",
        1,
        "tickets one mail may create; with 2 or 3 each separate matter of a proven sender gets its own",
        ge=0,
    )
    max_comments: int = env("MAX_COMMENTS_PER_MAIL", 2, "comments one mail may write", ge=0)
    max_changes: int = env("MAX_CHANGES_PER_MAIL", 1, "changes one mail may make to tickets", ge=0)
    may_be_duplicate_from: float = env(
        "MAY_BE_DUPLICATE_FROM",
        0.3,
        "probability from which a new ticket is linked to one that may be the same; a model that has read it may comment there",
        ge=0,
        le=1,
        was=("DUPLICATE_THRESHOLD",),
    )

    case_url: Text = env(
        "CASE_URL",
        "",
        "address of a page about a case, with {case} in it: the panel under tickets links it; empty: it names the command",
        pattern=r"(https?://\S*\{case\}\S*)?",
    )
    reopen_days: int = env(
        "REOPEN_DAYS",
        14,
        "days in which an answer to a done ticket is a comment and a proposal to reopen it; later, and with 0 always, "
        "it is a new ticket with a link",
        ge=0,
    )

    enable_sprints: bool = env(
        "ENABLE_SPRINTS",
        False,
        "urgent tickets go into the active sprint, by the model or the playbook; into a full one a person puts them",
    )
    enable_smart_assignment: bool = env(
        "ENABLE_SMART_ASSIGNMENT", False, "propose who does it, by skills, workload and earlier tickets"
    )
    assignment_precision: float = env(
        "ASSIGNMENT_PRECISION",
        0.75,
        "share of the assignees that are right: who is less sure is only named; before 200 tickets are solved more are wrong",
        gt=0,
        lt=1,
    )
    team_file: Text = env("TEAM_FILE", "", "file with the section `team`, where it does not stand in triage.yaml")

    team_language: Literal["en", "de", "fr", "es", "pt", "it", "nl", "pl", "cs", "ja"] = env(
        "TEAM_LANGUAGE", "en", "language of the headings in tickets; the sender's words stay as they are"
    )
    mask_secrets: bool = env(
        "MASK_SECRETS",
        True,
        "mask passwords, tokens, private keys, card numbers and IBANs of a mail in tickets, prompts and reports",
    )
    attach_raw_mail: Literal["never", "long", "always"] = env(
        "ATTACH_RAW_MAIL",
        "long",
        "hang the mail itself on its ticket: long (where the ticket cannot tell all), always, never",
    )

    enable_watchers: bool = env(
        "ENABLE_WATCHERS", True, "people of the project in copy of a proven sender's mail watch its ticket"
    )
