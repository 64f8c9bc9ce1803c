"""Service projects: tickets made as customer requests, and Jira's clock over them."""
