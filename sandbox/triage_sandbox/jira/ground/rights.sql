-- Who may come in, and what each may do. Loaded after schema.sql.

CREATE TABLE secret (                        -- passwords, API tokens and personal access tokens alike
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
    value   TEXT NOT NULL,
    name    TEXT,                            -- of a personal access token; NULL for all else
    scoped  INTEGER NOT NULL DEFAULT 0,      -- opens the gateway's door only
    created INTEGER NOT NULL DEFAULT 0,
    expires INTEGER,
    used    INTEGER
);
CREATE INDEX secret_value ON secret (value);

CREATE TABLE crowd (                         -- a group; the word itself is SQL's
    id   TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE
);

CREATE TABLE member (
    crowd   TEXT NOT NULL REFERENCES crowd ON DELETE CASCADE,
    account TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
    PRIMARY KEY (crowd, account)
) WITHOUT ROWID;
CREATE INDEX member_account ON member (account);

CREATE TABLE role (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT NOT NULL UNIQUE COLLATE NOCASE,
    description TEXT NOT NULL
);

CREATE TABLE actor (                         -- who has a role in a project: an account or a group
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    role    INTEGER NOT NULL REFERENCES role ON DELETE CASCADE,
    account TEXT REFERENCES account ON DELETE CASCADE,
    crowd   TEXT REFERENCES crowd ON DELETE CASCADE,
    UNIQUE (project, role, account),
    UNIQUE (project, role, crowd)
);

CREATE TABLE permission_scheme (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE COLLATE NOCASE,
    description TEXT NOT NULL
);

CREATE TABLE permission_grant (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    scheme     INTEGER NOT NULL REFERENCES permission_scheme ON DELETE CASCADE,
    permission TEXT NOT NULL,
    holder     TEXT NOT NULL,                -- projectRole, group, user, projectLead, applicationRole, anyone
    parameter  TEXT                          -- id of the role, group or account
);
CREATE INDEX grant_permission ON permission_grant (scheme, permission);

CREATE TABLE denial (                        -- what a test takes away from somebody, in one project or everywhere
    account    TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
    permission TEXT NOT NULL,
    project    INTEGER REFERENCES project ON DELETE CASCADE
);

INSERT INTO permission_scheme VALUES (10000, 'Default Permission Scheme', 'The default scheme of this site.');
INSERT INTO sqlite_sequence (name, seq) VALUES ('permission_grant', 10199), ('actor', 10199), ('project_category', 9999);

CREATE VIEW holding AS                       -- who may do what where
    SELECT a.id AS account, p.id AS project, g.permission
    FROM project p
    JOIN permission_grant g ON g.scheme = p.scheme
    JOIN account a ON a.active AND (
        g.holder IN ('anyone', 'applicationRole')
        OR (g.holder = 'user' AND g.parameter = a.id)
        OR (g.holder = 'projectLead' AND p.lead = a.id)
        OR (g.holder = 'group' AND g.parameter IN (SELECT crowd FROM member WHERE account = a.id))
        OR (g.holder = 'projectRole' AND EXISTS (
            SELECT 1 FROM actor r WHERE r.project = p.id AND r.role = CAST(g.parameter AS INTEGER)
            AND (r.account = a.id OR r.crowd IN (SELECT crowd FROM member WHERE account = a.id)))))
    WHERE NOT EXISTS (
        SELECT 1 FROM denial d
        WHERE d.account = a.id AND d.permission = g.permission AND (d.project IS NULL OR d.project = p.id));
