"""What tests of boards and sprints ask a Jira again and again."""

BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}
SPRINT = "customfield_10020"
