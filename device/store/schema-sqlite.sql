-- A new log in SQLite. An empty line ends each statement. Backups are held to these statements (`integrity.py`).

CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)

CREATE TABLE events (
    seq  INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL,
    kind TEXT NOT NULL,
    json TEXT NOT NULL CHECK (json_valid(json)),
    at   TEXT NOT NULL
)

CREATE TRIGGER events_stay BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END

CREATE TRIGGER events_last BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never removed'); END

CREATE INDEX events_by_kind ON events (kind, seq)

CREATE INDEX events_by_stream ON events (stream, seq)

CREATE TABLE pictures (
    folder TEXT NOT NULL,
    name   TEXT NOT NULL,
    data   BLOB NOT NULL,
    PRIMARY KEY (folder, name)
)

CREATE TABLE jobs (
    id   INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    of   TEXT NOT NULL,
    UNIQUE (kind, of)
)

CREATE TABLE projections (
    sort    TEXT NOT NULL,
    stream  TEXT NOT NULL,
    version INTEGER NOT NULL,
    events  INTEGER NOT NULL,
    at      TEXT NOT NULL,
    form    TEXT NOT NULL,
    record  BLOB NOT NULL,
    PRIMARY KEY (sort, stream)
)

CREATE TABLE tries (
    who   TEXT PRIMARY KEY,
    wrong INTEGER NOT NULL,
    until REAL NOT NULL,
    since TEXT NOT NULL
)

INSERT INTO alembic_version VALUES ('r6')

PRAGMA user_version = 3
