"""The order of work, as a table, and the small runner that follows it."""
