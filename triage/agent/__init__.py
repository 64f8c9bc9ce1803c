"""The agent: tool loop, toolbox, wrappers, profiles; it knows neither Jira nor cases."""
