CREATE TABLE IF NOT EXISTS pharmacies (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT NOT NULL,
    opens TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS drugs (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    substance TEXT NOT NULL,
    form TEXT NOT NULL,
    prescription INTEGER NOT NULL CHECK (prescription IN (0, 1)),
    price_czk INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS stock (
    pharmacy TEXT NOT NULL REFERENCES pharmacies (id),
    drug TEXT NOT NULL REFERENCES drugs (id),
    boxes INTEGER NOT NULL CHECK (boxes >= 0),
    PRIMARY KEY (pharmacy, drug)
);
CREATE TABLE IF NOT EXISTS reservations (
    code TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    pharmacy TEXT NOT NULL REFERENCES pharmacies (id),
    drug TEXT NOT NULL REFERENCES drugs (id),
    state TEXT NOT NULL CHECK (state IN ('held', 'cancelled')),
    held_until TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS reservations_by_owner ON reservations (owner);
-- What a call that writes has answered: the same call again gets the same answer and does nothing.
CREATE TABLE IF NOT EXISTS calls (
    once TEXT PRIMARY KEY,
    answer TEXT NOT NULL
);
