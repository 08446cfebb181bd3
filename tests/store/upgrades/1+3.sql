BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'referee','m001_matches_and_entries','2026-11-21 10:26:54.379513+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'referee','m003_circles_and_phones','2026-11-21 10:26:54.386507+00:00');
CREATE TABLE circles (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            since TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "circles" VALUES('','','');
INSERT INTO "circles" VALUES('ljnscL_Ls9C4wqVfOPq_VA','','2026-11-21T10:26:54.401+00:00');
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
INSERT INTO "entries" VALUES('-oHK5VlnXw9ENuSF0OFAIg',1,'table deal leader=B','key-00000000','legal','deal.3','1','2026-11-21T10:26:54.407+00:00');
INSERT INTO "entries" VALUES('-oHK5VlnXw9ENuSF0OFAIg',2,'B lay 4','key-00000001','legal','follow.1','1','2026-11-21T10:26:54.410+00:00');
INSERT INTO "entries" VALUES('-oHK5VlnXw9ENuSF0OFAIg',3,'"C D" lay 5','key-00000002','legal','follow.1','1','2026-11-21T10:26:54.411+00:00');
INSERT INTO "entries" VALUES('-oHK5VlnXw9ENuSF0OFAIg',4,'あかね lay 6','key-00000003','legal','follow.1','1','2026-11-21T10:26:54.412+00:00');
INSERT INTO "entries" VALUES('-oHK5VlnXw9ENuSF0OFAIg',5,'table rewind 3','key-00000004','legal','log.1','1','2026-11-21T10:26:54.417+00:00');
INSERT INTO "entries" VALUES('-oHK5VlnXw9ENuSF0OFAIg',6,'あかね lay 6','key-00000005','legal','follow.1','1','2026-11-21T10:26:54.418+00:00');
INSERT INTO "entries" VALUES('G46N8VG07JJn_hqPBE3G9Q',1,'table deal leader=あかね','key-00000000','legal','deal.3','1','2026-11-21T10:26:54.422+00:00');
INSERT INTO "entries" VALUES('G46N8VG07JJn_hqPBE3G9Q',2,'あかね lay 4','key-00000001','legal','follow.1','1','2026-11-21T10:26:54.436+00:00');
INSERT INTO "entries" VALUES('G46N8VG07JJn_hqPBE3G9Q',3,'Y lay 6','key-00000002','legal','follow.1','1','2026-11-21T10:26:54.444+00:00');
INSERT INTO "entries" VALUES('G46N8VG07JJn_hqPBE3G9Q',4,'Z lay 5','key-00000003','legal','follow.1','1','2026-11-21T10:26:54.460+00:00');
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
INSERT INTO "matches" VALUES('-oHK5VlnXw9ENuSF0OFAIg','referee: 1
game: perite
seats: あかね B "C D"','2026-11-21T10:26:54.405+00:00','ljnscL_Ls9C4wqVfOPq_VA',1);
INSERT INTO "matches" VALUES('G46N8VG07JJn_hqPBE3G9Q','referee: 1
game: fancy
seats: あかね Y Z','2026-11-21T10:26:54.421+00:00','ljnscL_Ls9C4wqVfOPq_VA',1);
CREATE TABLE members (
            circle TEXT NOT NULL REFERENCES circles(id),
            phone TEXT NOT NULL REFERENCES phones(id),
            since TEXT NOT NULL,
            chosen TEXT NOT NULL,
            PRIMARY KEY (circle, phone)
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "members" VALUES('ljnscL_Ls9C4wqVfOPq_VA','8b3ec6365cadf15401e05934fc3dcd386117c8cd0059f43f54e48b03e479e914','2026-11-21T10:26:54.401+00:00','2026-11-21T10:26:54.401+00:00');
CREATE TABLE people (
            id INTEGER PRIMARY KEY,
            circle TEXT NOT NULL REFERENCES circles(id),
            name TEXT NOT NULL,
            played TEXT NOT NULL,
            retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
            UNIQUE (circle, name)
        ) STRICT
        ;
INSERT INTO "people" VALUES(1,'ljnscL_Ls9C4wqVfOPq_VA','あかね','2026-11-21T10:26:54.421+00:00',0);
INSERT INTO "people" VALUES(2,'ljnscL_Ls9C4wqVfOPq_VA','B','2026-11-21T10:26:54.405+00:00',0);
INSERT INTO "people" VALUES(3,'ljnscL_Ls9C4wqVfOPq_VA','C D','2026-11-21T10:26:54.405+00:00',0);
INSERT INTO "people" VALUES(4,'ljnscL_Ls9C4wqVfOPq_VA','Y','2026-11-21T10:26:54.421+00:00',0);
INSERT INTO "people" VALUES(5,'ljnscL_Ls9C4wqVfOPq_VA','Z','2026-11-21T10:26:54.421+00:00',0);
CREATE TABLE phones (id TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "phones" VALUES('8b3ec6365cadf15401e05934fc3dcd386117c8cd0059f43f54e48b03e479e914','2026-11-21T10:26:54.393+00:00');
CREATE TABLE players (
            match TEXT NOT NULL REFERENCES matches(id),
            seat TEXT NOT NULL,
            place INTEGER NOT NULL CHECK (place > 0),
            person INTEGER REFERENCES people(id),
            PRIMARY KEY (match, seat)
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "players" VALUES('-oHK5VlnXw9ENuSF0OFAIg','B',2,2);
INSERT INTO "players" VALUES('-oHK5VlnXw9ENuSF0OFAIg','C D',3,3);
INSERT INTO "players" VALUES('-oHK5VlnXw9ENuSF0OFAIg','あかね',1,1);
INSERT INTO "players" VALUES('G46N8VG07JJn_hqPBE3G9Q','Y',2,4);
INSERT INTO "players" VALUES('G46N8VG07JJn_hqPBE3G9Q','Z',3,5);
INSERT INTO "players" VALUES('G46N8VG07JJn_hqPBE3G9Q','あかね',1,1);
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
INSERT INTO "sessions" VALUES(1,'ljnscL_Ls9C4wqVfOPq_VA','2026-11-21T10:26:54.405+00:00','','');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX matches_opened ON matches(opened);
CREATE INDEX members_phone ON members(phone);
CREATE INDEX sessions_circle ON sessions(circle, began);
CREATE INDEX matches_circle ON matches(circle, opened);
CREATE INDEX seatings_phone ON seatings(phone);
CREATE UNIQUE INDEX seatings_place ON seatings(match, place) WHERE place > 0;
CREATE INDEX invites_of ON invites(circle, match, kind);
CREATE INDEX players_person ON players(person);
COMMIT;
