"""Looking at a Jira without changing it: `walk` asks, `inspection` reads, `bundle` writes it down without anybody's words."""
