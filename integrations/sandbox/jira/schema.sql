-- One Jira site. Times are milliseconds since 1970 in UTC, `due` and `released_on` are ISO days.

CREATE TABLE account (
    id            TEXT PRIMARY KEY,          -- Cloud: accountId
    name          TEXT NOT NULL UNIQUE COLLATE NOCASE, -- Server: user name
    shown         TEXT NOT NULL,
    email         TEXT NOT NULL COLLATE NOCASE,
    email_visible INTEGER NOT NULL,
    active        INTEGER NOT NULL,
    kind          TEXT NOT NULL              -- atlassian, app
);

CREATE TABLE project (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    key         TEXT NOT NULL UNIQUE COLLATE NOCASE,
    name        TEXT NOT NULL COLLATE NOCASE,
    description TEXT NOT NULL,
    kind        TEXT NOT NULL,               -- software, service_desk, business
    lead        TEXT NOT NULL REFERENCES account,
    counter     INTEGER NOT NULL DEFAULT 0   -- number of the newest issue; never goes back
);

CREATE TABLE component (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    project     INTEGER NOT NULL REFERENCES project,
    name        TEXT NOT NULL COLLATE NOCASE,
    description TEXT NOT NULL,
    lead        TEXT REFERENCES account,
    UNIQUE (project, name)
);

CREATE TABLE version (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    project     INTEGER NOT NULL REFERENCES project,
    name        TEXT NOT NULL COLLATE NOCASE,
    released    INTEGER NOT NULL,
    released_on TEXT,
    UNIQUE (project, name)
);

CREATE TABLE issue_type (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE COLLATE NOCASE,
    description TEXT NOT NULL,
    subtask     INTEGER NOT NULL,
    rank        INTEGER NOT NULL
);

CREATE TABLE priority (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    rank INTEGER NOT NULL                    -- 0 is the highest
);

CREATE TABLE status (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE COLLATE NOCASE,
    category TEXT NOT NULL,                  -- new, indeterminate, done
    rank     INTEGER NOT NULL
);

CREATE TABLE resolution (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    rank INTEGER NOT NULL
);

CREATE TABLE link_type (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE COLLATE NOCASE,
    inward  TEXT NOT NULL,
    outward TEXT NOT NULL
);

CREATE TABLE transition (
    id     INTEGER NOT NULL,
    name   TEXT NOT NULL,
    source INTEGER NOT NULL REFERENCES status,
    target INTEGER NOT NULL REFERENCES status,
    PRIMARY KEY (source, id)
);

CREATE TABLE issue (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    project            INTEGER NOT NULL REFERENCES project,
    number             INTEGER NOT NULL,
    type               INTEGER NOT NULL REFERENCES issue_type,
    status             INTEGER NOT NULL REFERENCES status,
    resolution         INTEGER REFERENCES resolution,
    priority           INTEGER REFERENCES priority,
    parent             INTEGER REFERENCES issue,
    summary            TEXT NOT NULL,
    description        TEXT,                 -- as sent: wiki markup, or ADF as JSON
    description_markup TEXT,                 -- wiki, adf
    description_plain  TEXT NOT NULL DEFAULT '',
    assignee           TEXT REFERENCES account,
    reporter           TEXT REFERENCES account,
    creator            TEXT REFERENCES account,
    created            INTEGER NOT NULL,
    updated            INTEGER NOT NULL,
    moved              INTEGER NOT NULL,     -- when the status category last changed
    resolved           INTEGER,
    due                TEXT,
    UNIQUE (project, number)
);
CREATE INDEX issue_status ON issue (status);
CREATE INDEX issue_assignee ON issue (assignee);
CREATE INDEX issue_parent ON issue (parent);
CREATE INDEX issue_created ON issue (created);
CREATE INDEX issue_updated ON issue (updated);

CREATE VIEW ticket AS
    SELECT issue.*, project.key || '-' || issue.number AS key FROM issue JOIN project ON project.id = issue.project;

CREATE TABLE issue_label (
    issue INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    label TEXT NOT NULL,
    PRIMARY KEY (issue, label)
) WITHOUT ROWID;
CREATE INDEX label_issue ON issue_label (label);

CREATE TABLE issue_component (
    issue     INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    component INTEGER NOT NULL REFERENCES component,
    PRIMARY KEY (issue, component)
) WITHOUT ROWID;
CREATE INDEX component_issue ON issue_component (component);

CREATE TABLE issue_version (
    issue   INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    version INTEGER NOT NULL REFERENCES version,
    PRIMARY KEY (issue, version)
) WITHOUT ROWID;

CREATE TABLE comment (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    issue   INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    author  TEXT NOT NULL REFERENCES account,
    body    TEXT NOT NULL,
    markup  TEXT NOT NULL,
    plain   TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
);
CREATE INDEX comment_issue ON comment (issue);

CREATE TABLE property (
    entity TEXT NOT NULL,                    -- issue, comment
    owner  INTEGER NOT NULL,
    key    TEXT NOT NULL,
    value  TEXT NOT NULL,                    -- JSON
    PRIMARY KEY (entity, owner, key)
) WITHOUT ROWID;

CREATE TABLE link (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    type   INTEGER NOT NULL REFERENCES link_type,
    source INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE, -- "source outward target": HARB-2 duplicates HARB-1
    target INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    UNIQUE (type, source, target)
);
CREATE INDEX link_target ON link (target);

CREATE TABLE watcher (
    issue   INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    account TEXT NOT NULL REFERENCES account,
    PRIMARY KEY (issue, account)
) WITHOUT ROWID;

CREATE TABLE attachment (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    issue   INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    author  TEXT NOT NULL REFERENCES account,
    name    TEXT NOT NULL,
    type    TEXT NOT NULL,
    content BLOB NOT NULL,
    created INTEGER NOT NULL
);
CREATE INDEX attachment_issue ON attachment (issue);

CREATE TABLE change (                        -- the changelog
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    issue   INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    author  TEXT NOT NULL REFERENCES account,
    created INTEGER NOT NULL,
    items   TEXT NOT NULL                    -- JSON, as Jira shows it
);
CREATE INDEX change_issue ON change (issue);

CREATE VIRTUAL TABLE words USING fts5 (summary, description, comment, tokenize = 'porter unicode61');

-- Ids that people meet are five digits long, as on a site with some past.
INSERT INTO sqlite_sequence (name, seq) VALUES
    ('project', 9999), ('issue', 9999), ('component', 9999), ('comment', 9999), ('link', 9999),
    ('attachment', 9999), ('change', 9999);
