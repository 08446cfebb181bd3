BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'referee','m001_matches_and_entries','2026-11-21 10:27:42.641094+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'referee','m002_decks_and_agreed_words','2026-11-21 10:27:42.645210+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'referee','m003_circles_and_phones','2026-11-21 10:27:42.650102+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'referee','m004_house_rules','2026-11-21 10:27:42.653069+00:00');
CREATE TABLE agreed_words (
            id INTEGER PRIMARY KEY,
            circle TEXT NOT NULL DEFAULT '',
            form TEXT NOT NULL,
            counts INTEGER CHECK (counts IN (0, 1)),
            at TEXT NOT NULL,
            match TEXT REFERENCES matches(id)
        ) STRICT
        ;
CREATE TABLE circles (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            since TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "circles" VALUES('','','');
INSERT INTO "circles" VALUES('XKS_xZt46biJTQe6s8osmw','','2026-11-21T10:27:42.669+00:00');
CREATE TABLE deck_names (
            circle TEXT NOT NULL DEFAULT '',
            name TEXT NOT NULL,
            deck TEXT NOT NULL REFERENCES decks(id),
            at TEXT NOT NULL,
            PRIMARY KEY (circle, name),
            UNIQUE (circle, deck)
        ) STRICT, WITHOUT ROWID
        ;
CREATE TABLE decks (id TEXT PRIMARY KEY, csv TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
            match TEXT NOT NULL REFERENCES matches(id),
            seq INTEGER NOT NULL CHECK (seq > 0),
            line TEXT NOT NULL,
            key TEXT NOT NULL,
            verdict TEXT NOT NULL,
            clause TEXT NOT NULL,
            rules TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (match, seq),
            UNIQUE (match, key)
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "entries" VALUES('FfOFAs9-QCOMb62ut-GfKA',1,'table deal leader=あかね','key-00000000','legal','deal.3','1','2026-11-21T10:27:42.700+00:00');
INSERT INTO "entries" VALUES('FfOFAs9-QCOMb62ut-GfKA',2,'あかね lay 4','key-00000001','legal','follow.1','1','2026-11-21T10:27:42.707+00:00');
INSERT INTO "entries" VALUES('FfOFAs9-QCOMb62ut-GfKA',3,'Y lay 6','key-00000002','legal','follow.1','1','2026-11-21T10:27:42.715+00:00');
INSERT INTO "entries" VALUES('FfOFAs9-QCOMb62ut-GfKA',4,'Z lay 5','key-00000003','legal','follow.1','1','2026-11-21T10:27:42.719+00:00');
INSERT INTO "entries" VALUES('qN8HsO6q3zEpDGXz6-y-7Q',1,'table deal leader=B','key-00000000','legal','deal.3','1','2026-11-21T10:27:42.675+00:00');
INSERT INTO "entries" VALUES('qN8HsO6q3zEpDGXz6-y-7Q',2,'B lay 4','key-00000001','legal','follow.1','1','2026-11-21T10:27:42.677+00:00');
INSERT INTO "entries" VALUES('qN8HsO6q3zEpDGXz6-y-7Q',3,'"C D" lay 5','key-00000002','legal','follow.1','1','2026-11-21T10:27:42.677+00:00');
INSERT INTO "entries" VALUES('qN8HsO6q3zEpDGXz6-y-7Q',4,'あかね lay 6','key-00000003','legal','follow.1','1','2026-11-21T10:27:42.684+00:00');
INSERT INTO "entries" VALUES('qN8HsO6q3zEpDGXz6-y-7Q',5,'table rewind 3','key-00000004','legal','log.1','1','2026-11-21T10:27:42.685+00:00');
INSERT INTO "entries" VALUES('qN8HsO6q3zEpDGXz6-y-7Q',6,'あかね lay 6','key-00000005','legal','follow.1','1','2026-11-21T10:27:42.689+00:00');
CREATE TABLE house_rules (
            match TEXT NOT NULL REFERENCES matches(id),
            seq INTEGER NOT NULL,
            game TEXT NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (match, seq)
        ) STRICT, WITHOUT ROWID
        ;
CREATE TABLE invites (
            hash TEXT PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('table', 'code', 'circle', 'claim')),
            circle TEXT NOT NULL REFERENCES circles(id),
            match TEXT NOT NULL,
            nonce TEXT NOT NULL,
            until TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        ;
CREATE TABLE matches (
            id TEXT PRIMARY KEY,
            header TEXT NOT NULL,
            opened TEXT NOT NULL
        , circle TEXT NOT NULL DEFAULT '', session INTEGER REFERENCES sessions(id)) STRICT, WITHOUT ROWID
        ;
INSERT INTO "matches" VALUES('FfOFAs9-QCOMb62ut-GfKA','referee: 1
game: fancy
seats: あかね Y Z','2026-11-21T10:27:42.694+00:00','XKS_xZt46biJTQe6s8osmw',1);
INSERT INTO "matches" VALUES('qN8HsO6q3zEpDGXz6-y-7Q','referee: 1
game: perite
seats: あかね B "C D"','2026-11-21T10:27:42.672+00:00','XKS_xZt46biJTQe6s8osmw',1);
CREATE TABLE members (
            circle TEXT NOT NULL REFERENCES circles(id),
            phone TEXT NOT NULL REFERENCES phones(id),
            since TEXT NOT NULL,
            chosen TEXT NOT NULL,
            PRIMARY KEY (circle, phone)
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "members" VALUES('XKS_xZt46biJTQe6s8osmw','8b3ec6365cadf15401e05934fc3dcd386117c8cd0059f43f54e48b03e479e914','2026-11-21T10:27:42.669+00:00','2026-11-21T10:27:42.669+00:00');
CREATE TABLE people (
            id INTEGER PRIMARY KEY,
            circle TEXT NOT NULL REFERENCES circles(id),
            name TEXT NOT NULL,
            played TEXT NOT NULL,
            retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
            UNIQUE (circle, name)
        ) STRICT
        ;
INSERT INTO "people" VALUES(1,'XKS_xZt46biJTQe6s8osmw','あかね','2026-11-21T10:27:42.694+00:00',0);
INSERT INTO "people" VALUES(2,'XKS_xZt46biJTQe6s8osmw','B','2026-11-21T10:27:42.672+00:00',0);
INSERT INTO "people" VALUES(3,'XKS_xZt46biJTQe6s8osmw','C D','2026-11-21T10:27:42.672+00:00',0);
INSERT INTO "people" VALUES(4,'XKS_xZt46biJTQe6s8osmw','Y','2026-11-21T10:27:42.694+00:00',0);
INSERT INTO "people" VALUES(5,'XKS_xZt46biJTQe6s8osmw','Z','2026-11-21T10:27:42.694+00:00',0);
CREATE TABLE phones (id TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "phones" VALUES('8b3ec6365cadf15401e05934fc3dcd386117c8cd0059f43f54e48b03e479e914','2026-11-21T10:27:42.666+00:00');
CREATE TABLE players (
            match TEXT NOT NULL REFERENCES matches(id),
            seat TEXT NOT NULL,
            place INTEGER NOT NULL CHECK (place > 0),
            person INTEGER REFERENCES people(id),
            PRIMARY KEY (match, seat)
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "players" VALUES('FfOFAs9-QCOMb62ut-GfKA','Y',2,4);
INSERT INTO "players" VALUES('FfOFAs9-QCOMb62ut-GfKA','Z',3,5);
INSERT INTO "players" VALUES('FfOFAs9-QCOMb62ut-GfKA','あかね',1,1);
INSERT INTO "players" VALUES('qN8HsO6q3zEpDGXz6-y-7Q','B',2,2);
INSERT INTO "players" VALUES('qN8HsO6q3zEpDGXz6-y-7Q','C D',3,3);
INSERT INTO "players" VALUES('qN8HsO6q3zEpDGXz6-y-7Q','あかね',1,1);
CREATE TABLE seatings (
            match TEXT NOT NULL REFERENCES matches(id),
            phone TEXT NOT NULL REFERENCES phones(id),
            role TEXT NOT NULL CHECK (role IN ('host', 'seated', 'watching', 'knocking')),
            place INTEGER NOT NULL DEFAULT 0,
            sign TEXT NOT NULL DEFAULT '',
            since TEXT NOT NULL,
            PRIMARY KEY (match, phone)
        ) STRICT, WITHOUT ROWID
        ;
CREATE TABLE sessions (
            id INTEGER PRIMARY KEY,
            circle TEXT NOT NULL REFERENCES circles(id),
            began TEXT NOT NULL,
            place TEXT NOT NULL DEFAULT '',
            note TEXT NOT NULL DEFAULT ''
        ) STRICT
        ;
INSERT INTO "sessions" VALUES(1,'XKS_xZt46biJTQe6s8osmw','2026-11-21T10:27:42.672+00:00','','');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX matches_opened ON matches(opened);
CREATE INDEX agreed_words_form ON agreed_words(circle, form);
CREATE INDEX members_phone ON members(phone);
CREATE INDEX sessions_circle ON sessions(circle, began);
CREATE INDEX matches_circle ON matches(circle, opened);
CREATE INDEX seatings_phone ON seatings(phone);
CREATE UNIQUE INDEX seatings_place ON seatings(match, place) WHERE place > 0;
CREATE INDEX invites_of ON invites(circle, match, kind);
CREATE INDEX players_person ON players(person);
CREATE INDEX entries_decisions ON entries(at) WHERE substr(line, 1, 13) = 'table decide ';
COMMIT;
