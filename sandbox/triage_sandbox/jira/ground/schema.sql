-- One Jira site. Times are milliseconds since 1970 in UTC, `due` and `released_on` are ISO days.

CREATE TABLE account (
    id            TEXT PRIMARY KEY,          -- Cloud: accountId
    name          TEXT NOT NULL UNIQUE COLLATE NOCASE, -- Server: user name
    shown         TEXT NOT NULL,
    email         TEXT NOT NULL COLLATE NOCASE,
    email_visible INTEGER NOT NULL,
    active        INTEGER NOT NULL,
    kind          TEXT NOT NULL,             -- atlassian, app
    number        INTEGER                    -- Server: that of the key, JIRAUSER10100
);

CREATE TABLE project (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    key         TEXT NOT NULL UNIQUE COLLATE NOCASE,
    name        TEXT NOT NULL COLLATE NOCASE,
    description TEXT NOT NULL,
    kind        TEXT NOT NULL,               -- software, service_desk, business
    lead        TEXT NOT NULL REFERENCES account,
    counter     INTEGER NOT NULL DEFAULT 0,  -- number of the newest issue; never goes back
    style       TEXT NOT NULL DEFAULT 'classic', -- next-gen where the team manages it
    hidden      TEXT NOT NULL DEFAULT '',    -- ids of fields that its screens do not show, with blanks between
    url         TEXT NOT NULL DEFAULT '',
    assigning   TEXT NOT NULL DEFAULT 'UNASSIGNED', -- PROJECT_LEAD: whom an issue goes to by itself
    category    INTEGER REFERENCES project_category,
    scheme      INTEGER NOT NULL DEFAULT 10000 REFERENCES permission_scheme,
    initial     INTEGER REFERENCES status,   -- of a new issue; NULL: the first status of all
    template    TEXT NOT NULL DEFAULT ''     -- what it was made of
);

CREATE TABLE project_category (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT NOT NULL UNIQUE COLLATE NOCASE,
    description TEXT NOT NULL
);

CREATE TABLE project_type (                  -- the kinds of issues of a project; without any row it has them all
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    type    INTEGER NOT NULL REFERENCES issue_type,
    PRIMARY KEY (project, type)
) WITHOUT ROWID;

CREATE TABLE component (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    project     INTEGER NOT NULL REFERENCES project,
    name        TEXT NOT NULL COLLATE NOCASE,
    description TEXT NOT NULL,
    lead        TEXT REFERENCES account,
    assigning   TEXT NOT NULL DEFAULT 'PROJECT_DEFAULT',
    UNIQUE (project, name)
);

CREATE TABLE version (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    project     INTEGER NOT NULL REFERENCES project,
    name        TEXT NOT NULL COLLATE NOCASE,
    released    INTEGER NOT NULL,
    released_on TEXT,
    description TEXT NOT NULL DEFAULT '',
    archived    INTEGER NOT NULL DEFAULT 0,
    started_on  TEXT,
    rank        INTEGER NOT NULL DEFAULT 0,  -- order in its project, compared before the id
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
    id      INTEGER NOT NULL,
    name    TEXT NOT NULL,
    source  INTEGER NOT NULL REFERENCES status,
    target  INTEGER NOT NULL REFERENCES status,
    project INTEGER REFERENCES project,      -- NULL: of all projects that have none of their own
    screen  TEXT,                            -- ids of the fields it asks for; NULL: what the deployment asks for by itself
    UNIQUE (project, source, id)
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
    assignee           TEXT REFERENCES account,
    reporter           TEXT REFERENCES account,
    creator            TEXT REFERENCES account,
    created            INTEGER NOT NULL,
    updated            INTEGER NOT NULL,
    moved              INTEGER NOT NULL,     -- when the status category last changed
    resolved           INTEGER,
    due                TEXT,
    security           INTEGER REFERENCES security_level,
    estimate           INTEGER,              -- seconds, as first estimated
    remaining          INTEGER,
    rank               TEXT NOT NULL DEFAULT '', -- order in a backlog, compared as text
    sprint             INTEGER REFERENCES sprint ON DELETE SET NULL, -- the one it is in that is not closed
    -- What is long stands last: SQLite reads a row from its beginning.
    description        TEXT,                 -- as sent: wiki markup, or ADF as JSON
    description_markup TEXT,                 -- wiki, adf
    description_plain  TEXT NOT NULL DEFAULT '',
    environment        TEXT,                 -- as description
    environment_markup TEXT,
    environment_plain  TEXT NOT NULL DEFAULT '',
    UNIQUE (project, number)
);
CREATE INDEX issue_status ON issue (status);
CREATE INDEX issue_assignee ON issue (assignee);
CREATE INDEX issue_parent ON issue (parent);
CREATE INDEX issue_created ON issue (created);
CREATE INDEX issue_updated ON issue (updated);
CREATE INDEX issue_reporter ON issue (reporter);
CREATE INDEX issue_rank ON issue (rank);

CREATE VIEW ticket AS
    SELECT issue.*, project.key || '-' || issue.number AS key FROM issue JOIN project ON project.id = issue.project;

CREATE TABLE old_key (                       -- of issues that were moved to another project
    project INTEGER NOT NULL REFERENCES project,
    number  INTEGER NOT NULL,
    issue   INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    PRIMARY KEY (project, number)
) WITHOUT ROWID;

CREATE TABLE security_level (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    project     INTEGER NOT NULL REFERENCES project,
    name        TEXT NOT NULL COLLATE NOCASE,
    description TEXT NOT NULL DEFAULT '',
    UNIQUE (project, name)
);

CREATE TABLE custom_field (
    id          INTEGER PRIMARY KEY AUTOINCREMENT, -- customfield_10010
    name        TEXT NOT NULL COLLATE NOCASE,
    kind        TEXT NOT NULL,               -- of KINDS in custom_kinds.py
    description TEXT NOT NULL DEFAULT '',
    projects    TEXT,                        -- JSON list of project ids; NULL: all
    required    INTEGER NOT NULL DEFAULT 0   -- on create
);

CREATE TABLE custom_option (                 -- what a select field offers
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    field    INTEGER NOT NULL REFERENCES custom_field ON DELETE CASCADE,
    value    TEXT NOT NULL COLLATE NOCASE,
    disabled INTEGER NOT NULL DEFAULT 0,
    UNIQUE (field, value)
);

CREATE TABLE custom_value (                  -- one row for each value of a field that holds several
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    issue INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    field INTEGER NOT NULL REFERENCES custom_field ON DELETE CASCADE,
    value NOT NULL                           -- text, number, or the id of an option, account, issue, sprint
);
CREATE INDEX custom_value_issue ON custom_value (issue);
CREATE INDEX custom_value_found ON custom_value (field, value);

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

CREATE TABLE issue_affected (
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
    updated INTEGER NOT NULL,
    editor  TEXT REFERENCES account,         -- who changed it last; NULL: nobody
    role    INTEGER REFERENCES role,         -- only its members see it
    crowd   TEXT REFERENCES crowd,           -- as role, of a group
    pinned  INTEGER,                         -- when
    pinner  TEXT REFERENCES account
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

CREATE INDEX watcher_account ON watcher (account);

CREATE TABLE vote (
    issue   INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    account TEXT NOT NULL REFERENCES account,
    PRIMARY KEY (issue, account)
) WITHOUT ROWID;

CREATE TABLE worklog (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    issue   INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    author  TEXT NOT NULL REFERENCES account,
    body    TEXT NOT NULL,
    markup  TEXT NOT NULL,
    plain   TEXT NOT NULL,
    started INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
);
CREATE INDEX worklog_issue ON worklog (issue);

CREATE TABLE remote_link (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    issue        INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    global_id    TEXT,
    relationship TEXT,
    application  TEXT NOT NULL,              -- JSON
    object       TEXT NOT NULL,              -- JSON
    UNIQUE (issue, global_id)
);
CREATE INDEX remote_link_global ON remote_link (global_id);

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

CREATE VIRTUAL TABLE words USING fts5 (summary, description, comment, environment, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE custom_words USING fts5 (value, tokenize = 'porter unicode61'); -- rowid: of custom_value

-- Ids that people meet are five digits long, as on a site with some past.
INSERT INTO sqlite_sequence (name, seq) VALUES
    ('project', 9999), ('issue', 9999), ('component', 9999), ('comment', 9999), ('link', 9999),
    ('attachment', 9999), ('change', 9999), ('worklog', 9999), ('remote_link', 9999), ('security_level', 9999),
    ('custom_field', 10029), ('custom_option', 10029), ('custom_value', 9999);
