BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'referee','m001_matches_and_entries','2026-11-21 10:26:52.343531+00:00');
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
INSERT INTO "entries" VALUES('Z66VA6g55I1zWwxHAJCHiw',1,'table deal leader=あかね','key-00000000','legal','deal.3','1','2026-11-21T10:26:52.392+00:00');
INSERT INTO "entries" VALUES('Z66VA6g55I1zWwxHAJCHiw',2,'あかね lay 4','key-00000001','legal','follow.1','1','2026-11-21T10:26:52.392+00:00');
INSERT INTO "entries" VALUES('Z66VA6g55I1zWwxHAJCHiw',3,'Y lay 6','key-00000002','legal','follow.1','1','2026-11-21T10:26:52.396+00:00');
INSERT INTO "entries" VALUES('Z66VA6g55I1zWwxHAJCHiw',4,'Z lay 5','key-00000003','legal','follow.1','1','2026-11-21T10:26:52.397+00:00');
INSERT INTO "entries" VALUES('ySmr1fuR8btdD3xziLJiXQ',1,'table deal leader=B','key-00000000','legal','deal.3','1','2026-11-21T10:26:52.362+00:00');
INSERT INTO "entries" VALUES('ySmr1fuR8btdD3xziLJiXQ',2,'B lay 4','key-00000001','legal','follow.1','1','2026-11-21T10:26:52.366+00:00');
INSERT INTO "entries" VALUES('ySmr1fuR8btdD3xziLJiXQ',3,'"C D" lay 5','key-00000002','legal','follow.1','1','2026-11-21T10:26:52.371+00:00');
INSERT INTO "entries" VALUES('ySmr1fuR8btdD3xziLJiXQ',4,'あかね lay 6','key-00000003','legal','follow.1','1','2026-11-21T10:26:52.373+00:00');
INSERT INTO "entries" VALUES('ySmr1fuR8btdD3xziLJiXQ',5,'table rewind 3','key-00000004','legal','log.1','1','2026-11-21T10:26:52.388+00:00');
INSERT INTO "entries" VALUES('ySmr1fuR8btdD3xziLJiXQ',6,'あかね lay 6','key-00000005','legal','follow.1','1','2026-11-21T10:26:52.390+00:00');
CREATE TABLE matches (
            id TEXT PRIMARY KEY,
            header TEXT NOT NULL,
            opened TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "matches" VALUES('Z66VA6g55I1zWwxHAJCHiw','referee: 1
game: fancy
seats: あかね Y Z','2026-11-21T10:26:52.391+00:00');
INSERT INTO "matches" VALUES('ySmr1fuR8btdD3xziLJiXQ','referee: 1
game: perite
seats: あかね B "C D"','2026-11-21T10:26:52.352+00:00');
CREATE TABLE people (name TEXT PRIMARY KEY, played TEXT NOT NULL) STRICT;
INSERT INTO "people" VALUES('あかね','2026-11-21T10:26:52.391+00:00');
INSERT INTO "people" VALUES('B','2026-11-21T10:26:52.352+00:00');
INSERT INTO "people" VALUES('C D','2026-11-21T10:26:52.352+00:00');
INSERT INTO "people" VALUES('Y','2026-11-21T10:26:52.391+00:00');
INSERT INTO "people" VALUES('Z','2026-11-21T10:26:52.391+00:00');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX matches_opened ON matches(opened);
COMMIT;
