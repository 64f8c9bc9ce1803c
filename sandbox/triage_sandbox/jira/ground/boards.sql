-- Boards, sprints and the filters they are made of; service desks and their requests. Loaded after schema.sql.

CREATE TABLE filter (                        -- a saved search
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT NOT NULL COLLATE NOCASE,
    description TEXT NOT NULL,
    jql         TEXT NOT NULL,
    owner       TEXT NOT NULL REFERENCES account,
    columns     TEXT NOT NULL DEFAULT '',    -- ids of fields with blanks between; empty: the usual ones
    UNIQUE (owner, name)
);

CREATE TABLE share (                         -- whom a filter is shown to beside its owner
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    filter  INTEGER NOT NULL REFERENCES filter ON DELETE CASCADE,
    kind    TEXT NOT NULL,                   -- global, loggedin, project, projectRole, group, user
    project INTEGER REFERENCES project ON DELETE CASCADE,
    role    INTEGER REFERENCES role ON DELETE CASCADE,
    crowd   TEXT REFERENCES crowd ON DELETE CASCADE,
    account TEXT REFERENCES account ON DELETE CASCADE
);

CREATE TABLE favourite (
    filter  INTEGER NOT NULL REFERENCES filter ON DELETE CASCADE,
    account TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
    PRIMARY KEY (filter, account)
) WITHOUT ROWID;

CREATE TABLE board (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    name    TEXT NOT NULL,
    kind    TEXT NOT NULL,                   -- scrum, kanban, simple
    filter  INTEGER NOT NULL REFERENCES filter,
    project INTEGER REFERENCES project ON DELETE CASCADE, -- where it stands; NULL: with its owner
    owner   TEXT NOT NULL REFERENCES account
);

CREATE TABLE sprint (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    board     INTEGER NOT NULL,              -- where it was made; it outlives that board
    name      TEXT NOT NULL,
    goal      TEXT NOT NULL DEFAULT '',
    state     TEXT NOT NULL DEFAULT 'future', -- future, active, closed: never back
    starts    INTEGER,
    ends      INTEGER,
    activated INTEGER,
    completed INTEGER,
    created   INTEGER NOT NULL,
    position  INTEGER NOT NULL               -- among the sprints of its state
);
CREATE INDEX sprint_board ON sprint (board);

CREATE TABLE past_sprint (                   -- closed ones; the one that is not closed stands in issue.sprint
    issue  INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    sprint INTEGER NOT NULL REFERENCES sprint ON DELETE CASCADE,
    PRIMARY KEY (issue, sprint)
) WITHOUT ROWID;
CREATE INDEX past_sprint_issues ON past_sprint (sprint);
CREATE INDEX issue_now_in ON issue (sprint) WHERE sprint IS NOT NULL;

CREATE VIEW issue_sprint AS
    SELECT issue, sprint FROM past_sprint UNION ALL SELECT id, sprint FROM issue WHERE sprint IS NOT NULL;

CREATE TABLE epic (                          -- what boards know of an epic beside its issue and its Epic Name
    issue INTEGER PRIMARY KEY REFERENCES issue ON DELETE CASCADE,
    color TEXT NOT NULL DEFAULT 'color_1',
    done  INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE service_desk (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL UNIQUE REFERENCES project ON DELETE CASCADE
);

CREATE TABLE request_type (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    desk        INTEGER NOT NULL REFERENCES service_desk ON DELETE CASCADE,
    name        TEXT NOT NULL COLLATE NOCASE,
    description TEXT NOT NULL,
    help        TEXT NOT NULL DEFAULT '',
    type        INTEGER NOT NULL REFERENCES issue_type,
    fields      TEXT NOT NULL,               -- ids with blanks between, `!` behind those that are required
    UNIQUE (desk, name)
);

CREATE TABLE request (                       -- an issue that came through the portal
    issue INTEGER PRIMARY KEY REFERENCES issue ON DELETE CASCADE,
    type  INTEGER NOT NULL REFERENCES request_type
);

CREATE TABLE participant (                   -- who sees a request beside its reporter
    issue   INTEGER NOT NULL REFERENCES issue ON DELETE CASCADE,
    account TEXT NOT NULL REFERENCES account,
    PRIMARY KEY (issue, account)
) WITHOUT ROWID;

CREATE TABLE customer (                      -- who may ask a desk for help without being on the team
    desk    INTEGER NOT NULL REFERENCES service_desk ON DELETE CASCADE,
    account TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
    PRIMARY KEY (desk, account)
) WITHOUT ROWID;

INSERT INTO sqlite_sequence (name, seq) VALUES ('filter', 9999), ('share', 9999), ('request_type', 9);
