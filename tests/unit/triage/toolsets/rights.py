"""Who may call which tool, and an installation with every feature on."""

from triage.config.triage_yaml import Config

RIGHTS = {
    "jira": {
        "get_current_period": "read",
        "read_jira_tickets": "read",
        "create_jira_ticket": "write",
        "modify_jira_ticket": "write",
        "link_jira_tickets": "write",
        "get_jira_ticket": "read",
        "finish": "read",
    },
}
"""Who may call what. A new right must be written here, and so shows in the diff."""


WITH_ASSIGNMENT = {
    "jira": {"get_project_users": "read", "get_user_workload": "read", "suggest_assignee": "read"},
}
"""What ENABLE_SMART_ASSIGNMENT adds."""


EVERYTHING = {
    "ENABLE_SMART_ASSIGNMENT": "true",
    "ENABLE_SPRINTS": "true",
    "SMTP_HOST": "127.0.0.1",
    "MAIL_FROM": "support@harbour.example",
}
"""Settings with every feature on."""


EVERY_FIELD = Config(fields={"Severity": ("S1", "S2")})
"""Configuration of a toolbox with every argument."""
