-- A log of the time when problems and reasons were kept in English, as that version wrote it
-- (sqlite3's .dump of it, and its number).
BEGIN TRANSACTION;
CREATE TABLE events (
    seq  INTEGER PRIMARY KEY AUTOINCREMENT,
    hand TEXT NOT NULL,
    kind TEXT NOT NULL,
    json TEXT NOT NULL CHECK (json_valid(json)),
    at   TEXT NOT NULL
);
INSERT INTO "events" VALUES(1,'992d2e4f0fb6','photo-taken','{"seat_wind":"E","prevailing_wind":"E","photo":{"original":"599141c16b2407a68ad1b8d443863bb217dd70a6f6ca33a37c6022093a258816","display":"05dc43b808bb112d36c090beba89ad7920a4eb68b5325df6b4c5db6797e9fd6a.jpg","thumbnail":"05dc43b808bb112d36c090beba89ad7920a4eb68b5325df6b4c5db6797e9fd6a.jpg","width":64,"height":48,"name":"a.jpg"},"rules":"bmja"}','2026-11-22T11:44:41.956+00:00');
INSERT INTO "events" VALUES(2,'992d2e4f0fb6','reading-begun','{}','2026-11-22T11:44:41.961+00:00');
INSERT INTO "events" VALUES(3,'992d2e4f0fb6','reading-made','{"photo":"hand.jpg","width":1200,"height":360,"tiles":[{"code":"B1","confidence":0.99,"quad":[[40.0,220.0],[100.0,220.0],[100.0,300.0],[40.0,300.0]],"turn":0,"alternatives":[["B4",0.21],["B3",0.11],["O2",0.04],["C2",0.02],["S2",0.01]],"doubtful":false,"seen":""},{"code":"B2","confidence":0.99,"quad":[[104.0,220.0],[164.0,220.0],[164.0,300.0],[104.0,300.0]],"turn":0,"alternatives":[["B4",0.21],["B3",0.11],["O2",0.04],["C2",0.02],["S2",0.01]],"doubtful":false,"seen":""},{"code":"B3","confidence":0.99,"quad":[[168.0,220.0],[228.0,220.0],[228.0,300.0],[168.0,300.0]],"turn":0,"alternatives":[["B4",0.21],["B3",0.11],["O2",0.04],["C2",0.02],["S2",0.01]],"doubtful":false,"seen":""}],"sets":[{"tiles":[0,1,2],"row":"concealed","kind":"chow"}],"hand_text":"","problems":[{"code":"tile-count","message":"I count 12 tiles, a kong as three, but a hand has 13, and 14 when it has won. Please look for a tile that I missed or should not have counted."},{"code":"flowers-apart","message":"Flowers or seasons lie beside the hand, but not in line with it, so I left them out. Please add those that are yours."},{"code":"which-kong","message":"A tile lies face down between red dragon and 1 circle. I took it for the fourth red dragon; please change it if it is the fourth 1 circle."},{"code":"left-out","message":"I left out 1 tile that lies apart from the hand."}],"ms":{"load":0.0,"locate":1.0,"classify":1.0,"arrange":1.0,"total":3.0},"left_out":[],"winning_tile":null,"models":{}}','2026-11-22T11:44:41.962+00:00');
INSERT INTO "events" VALUES(4,'2fbf6530d4fc','photo-taken','{"seat_wind":"E","prevailing_wind":"E","photo":{"original":"599141c16b2407a68ad1b8d443863bb217dd70a6f6ca33a37c6022093a258816","display":"05dc43b808bb112d36c090beba89ad7920a4eb68b5325df6b4c5db6797e9fd6a.jpg","thumbnail":"05dc43b808bb112d36c090beba89ad7920a4eb68b5325df6b4c5db6797e9fd6a.jpg","width":64,"height":48,"name":"a.jpg"},"rules":"bmja"}','2026-11-22T11:44:41.964+00:00');
INSERT INTO "events" VALUES(5,'2fbf6530d4fc','reading-begun','{}','2026-11-22T11:44:41.969+00:00');
INSERT INTO "events" VALUES(6,'2fbf6530d4fc','reading-failed','{"code":"mirrored","message":"This photo looks like a mirror image. Please turn off mirroring, or use the phone''s other camera, and take it again."}','2026-11-22T11:44:41.971+00:00');
INSERT INTO "events" VALUES(7,'c6e65a923534','photo-taken','{"seat_wind":"E","prevailing_wind":"E","photo":{"original":"599141c16b2407a68ad1b8d443863bb217dd70a6f6ca33a37c6022093a258816","display":"05dc43b808bb112d36c090beba89ad7920a4eb68b5325df6b4c5db6797e9fd6a.jpg","thumbnail":"05dc43b808bb112d36c090beba89ad7920a4eb68b5325df6b4c5db6797e9fd6a.jpg","width":64,"height":48,"name":"a.jpg"},"rules":"bmja"}','2026-11-22T11:44:41.982+00:00');
INSERT INTO "events" VALUES(8,'c6e65a923534','reading-begun','{}','2026-11-22T11:44:41.985+00:00');
INSERT INTO "events" VALUES(9,'c6e65a923534','reading-failed','{"code":"fault","message":"Something went wrong while this photo was read. Please let it be read again, or enter the tiles by hand."}','2026-11-22T11:44:41.986+00:00');
INSERT INTO "events" VALUES(10,'674e2815628b','match-begun','{"players":["Ann","Bob","Cy","Di"],"ruleset":"bmja","limit":1000,"house":[],"by":""}','2026-11-22T11:44:42.018+00:00');
INSERT INTO "events" VALUES(11,'674e2815628b','charge-made','{"payer":"Ann","amounts":{"Bob":166,"Cy":166,"Di":166},"why":"False Mah-Jong","rule":"BMJA-P19"}','2026-11-22T11:44:42.029+00:00');
INSERT INTO "events" VALUES(12,'674e2815628b','charge-made','{"payer":"Bob","amounts":{"Ann":2},"why":"Bob sang","rule":null}','2026-11-22T11:44:42.031+00:00');
CREATE INDEX events_by_hand ON events (hand, seq);
CREATE TRIGGER events_stay BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_last BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;
CREATE INDEX events_by_kind ON events (kind, seq);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('events',12);
COMMIT;
PRAGMA user_version = 2;
