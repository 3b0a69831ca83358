-- A log as format 1 wrote it (sqlite3's .dump of one made by that version, and its number).
BEGIN TRANSACTION;
CREATE TABLE events (
    seq  INTEGER PRIMARY KEY AUTOINCREMENT,
    hand TEXT NOT NULL,
    kind TEXT NOT NULL,
    json TEXT NOT NULL CHECK (json_valid(json)),
    at   TEXT NOT NULL
);
INSERT INTO "events" VALUES(1,'6d0a1f22b9c4','photo-taken','{"photo":{"original":"0000000000000000000000000000000000000000000000000000000000000000","display":"1111111111111111111111111111111111111111111111111111111111111111.jpg","thumbnail":"2222222222222222222222222222222222222222222222222222222222222222.jpg","width":1600,"height":1200,"name":"hand.jpg"},"rules":"bmja","seat_wind":"E","prevailing_wind":"S"}','2026-11-21T20:20:55.629+00:00');
INSERT INTO "events" VALUES(2,'box','learning-allowed','{"allowed":true}','2026-11-21T20:20:55.630+00:00');
INSERT INTO "events" VALUES(3,'6d0a1f22b9c4','reading-failed','{"code":"fault","message":"It''s \u00d72; nothing was found."}','2026-11-21T20:20:55.630+00:00');
INSERT INTO "events" VALUES(4,'6d0a1f22b9c4','tile-added','{"set":null,"row":"concealed","code":"B1"}','2026-11-21T20:20:55.630+00:00');
INSERT INTO "events" VALUES(5,'6d0a1f22b9c4','context-set','{"seat_wind":"W"}','2026-11-21T20:20:55.631+00:00');
CREATE INDEX events_by_hand ON events (hand, seq);
CREATE TRIGGER events_stay BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_last BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('events',5);
COMMIT;
PRAGMA user_version = 1;
