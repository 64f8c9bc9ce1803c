"""People: possible assignees and their workload."""
