BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'referee','m001_matches_and_entries','2026-11-21 10:26:53.379679+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'referee','m002_decks_and_agreed_words','2026-11-21 10:26:53.387796+00:00');
CREATE TABLE agreed_words (
            id INTEGER PRIMARY KEY,
            circle TEXT NOT NULL DEFAULT '',
            form TEXT NOT NULL,
            counts INTEGER CHECK (counts IN (0, 1)),
            at TEXT NOT NULL,
            match TEXT REFERENCES matches(id)
        ) STRICT
        ;
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
INSERT INTO "entries" VALUES('Eioi9rUypcTfu4KlClOHCg',1,'table deal leader=あかね','key-00000000','legal','deal.3','1','2026-11-21T10:26:53.408+00:00');
INSERT INTO "entries" VALUES('Eioi9rUypcTfu4KlClOHCg',2,'あかね lay 4','key-00000001','legal','follow.1','1','2026-11-21T10:26:53.410+00:00');
INSERT INTO "entries" VALUES('Eioi9rUypcTfu4KlClOHCg',3,'Y lay 6','key-00000002','legal','follow.1','1','2026-11-21T10:26:53.412+00:00');
INSERT INTO "entries" VALUES('Eioi9rUypcTfu4KlClOHCg',4,'Z lay 5','key-00000003','legal','follow.1','1','2026-11-21T10:26:53.412+00:00');
INSERT INTO "entries" VALUES('u32_ZViGHk4DjoXi0RPbJQ',1,'table deal leader=B','key-00000000','legal','deal.3','1','2026-11-21T10:26:53.391+00:00');
INSERT INTO "entries" VALUES('u32_ZViGHk4DjoXi0RPbJQ',2,'B lay 4','key-00000001','legal','follow.1','1','2026-11-21T10:26:53.392+00:00');
INSERT INTO "entries" VALUES('u32_ZViGHk4DjoXi0RPbJQ',3,'"C D" lay 5','key-00000002','legal','follow.1','1','2026-11-21T10:26:53.396+00:00');
INSERT INTO "entries" VALUES('u32_ZViGHk4DjoXi0RPbJQ',4,'あかね lay 6','key-00000003','legal','follow.1','1','2026-11-21T10:26:53.397+00:00');
INSERT INTO "entries" VALUES('u32_ZViGHk4DjoXi0RPbJQ',5,'table rewind 3','key-00000004','legal','log.1','1','2026-11-21T10:26:53.399+00:00');
INSERT INTO "entries" VALUES('u32_ZViGHk4DjoXi0RPbJQ',6,'あかね lay 6','key-00000005','legal','follow.1','1','2026-11-21T10:26:53.405+00:00');
CREATE TABLE matches (
            id TEXT PRIMARY KEY,
            header TEXT NOT NULL,
            opened TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "matches" VALUES('Eioi9rUypcTfu4KlClOHCg','referee: 1
game: fancy
seats: あかね Y Z','2026-11-21T10:26:53.407+00:00');
INSERT INTO "matches" VALUES('u32_ZViGHk4DjoXi0RPbJQ','referee: 1
game: perite
seats: あかね B "C D"','2026-11-21T10:26:53.388+00:00');
CREATE TABLE people (name TEXT PRIMARY KEY, played TEXT NOT NULL) STRICT;
INSERT INTO "people" VALUES('あかね','2026-11-21T10:26:53.407+00:00');
INSERT INTO "people" VALUES('B','2026-11-21T10:26:53.388+00:00');
INSERT INTO "people" VALUES('C D','2026-11-21T10:26:53.388+00:00');
INSERT INTO "people" VALUES('Y','2026-11-21T10:26:53.407+00:00');
INSERT INTO "people" VALUES('Z','2026-11-21T10:26:53.407+00:00');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX matches_opened ON matches(opened);
CREATE INDEX agreed_words_form ON agreed_words(circle, form);
COMMIT;
