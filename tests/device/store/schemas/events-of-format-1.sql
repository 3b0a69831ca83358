-- The events that a log of format 1 held, as that version wrote them.
INSERT INTO "events" VALUES(1,'6d0a1f22b9c4','photo-taken','{"photo":{"original":"0000000000000000000000000000000000000000000000000000000000000000","display":"1111111111111111111111111111111111111111111111111111111111111111.jpg","thumbnail":"2222222222222222222222222222222222222222222222222222222222222222.jpg","width":1600,"height":1200,"name":"hand.jpg"},"rules":"bmja","seat_wind":"E","prevailing_wind":"S"}','2026-11-21T20:20:55.629+00:00');
INSERT INTO "events" VALUES(2,'box','learning-allowed','{"allowed":true}','2026-11-21T20:20:55.630+00:00');
INSERT INTO "events" VALUES(3,'6d0a1f22b9c4','reading-failed','{"code":"fault","message":"It''s \u00d72; nothing was found."}','2026-11-21T20:20:55.630+00:00');
INSERT INTO "events" VALUES(4,'6d0a1f22b9c4','tile-added','{"set":null,"row":"concealed","code":"B1"}','2026-11-21T20:20:55.630+00:00');
INSERT INTO "events" VALUES(5,'6d0a1f22b9c4','context-set','{"seat_wind":"W"}','2026-11-21T20:20:55.631+00:00');
