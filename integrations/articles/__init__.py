"""Sources of articles: folders, Git checkouts, Confluence, help centres, solved tickets."""
