-- How much there is of everything on a site with some thousand tickets: SQLite chooses its ways by it. Loaded last.
-- Written down instead of measured, so that queries run the same way on every site, and fast on a large one.

ANALYZE sqlite_schema;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('issue', 'sqlite_autoindex_issue_1', '20000 5000 1'),
    ('issue', 'issue_status', '20000 4000'),
    ('issue', 'issue_assignee', '20000 1600'),
    ('issue', 'issue_reporter', '20000 1800'),
    ('issue', 'issue_parent', '20000 2500'),
    ('issue', 'issue_created', '20000 1'),
    ('issue', 'issue_updated', '20000 1'),
    ('issue', 'issue_rank', '20000 1'),
    ('issue', 'issue_now_in', '1500 500'),
    ('past_sprint', 'past_sprint', '3000 1 1'),
    ('past_sprint', 'past_sprint_issues', '3000 800'),
    ('issue_label', 'issue_label', '12000 2 1'),
    ('issue_label', 'label_issue', '12000 1000'),
    ('issue_component', 'issue_component', '20000 1 1'),
    ('issue_component', 'component_issue', '20000 2500'),
    ('issue_version', 'issue_version', '11000 1 1'),
    ('comment', 'comment_issue', '16000 2'),
    ('change', 'change_issue', '15000 2'),
    ('link', 'link_target', '500 2'),
    ('link', 'sqlite_autoindex_link_1', '500 150 1 1'),
    ('custom_value', 'custom_value_issue', '2000 2'),
    ('custom_value', 'custom_value_found', '2000 400 20'),
    ('words_content', NULL, '20000'),
    ('watcher', 'watcher', '20000 1 1'),
    ('watcher', 'watcher_account', '20000 1500'),
    ('project', 'sqlite_autoindex_project_1', '4 1'),
    ('status', 'sqlite_autoindex_status_1', '8 1'),
    ('account', 'sqlite_autoindex_account_1', '20 1'),
    ('account', 'sqlite_autoindex_account_2', '20 1');

ANALYZE sqlite_schema;
