BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'referee','m001_matches_and_entries','2026-11-22 15:16:18.776834+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'referee','m002_decks_and_agreed_words','2026-11-22 15:16:18.778587+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'referee','m003_circles_and_phones','2026-11-22 15:16:18.790506+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'referee','m004_house_rules','2026-11-22 15:16:18.800626+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'referee','m005_digests','2026-11-22 15:16:18.813594+00:00');
INSERT INTO "_sqlite_migrations" VALUES(6,'referee','m030_guessed_codes','2026-11-22 15:16:18.839140+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'referee','m031_names_of_today','2026-11-22 15:16:18.856994+00:00');
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
INSERT INTO "circles" VALUES('D89qjFgZJTylx-YDxeDRgA','','2026-11-22T15:16:18.870+00:00');
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
CREATE TABLE digests (
            match TEXT PRIMARY KEY REFERENCES matches(id),
            circle TEXT NOT NULL,
            session INTEGER REFERENCES sessions(id),
            opened TEXT NOT NULL,
            game TEXT NOT NULL,
            seats INTEGER NOT NULL,
            entries INTEGER NOT NULL,
            over INTEGER NOT NULL CHECK (over IN (0, 1)),
            deals INTEGER NOT NULL,
            corrections INTEGER NOT NULL,
            rulings INTEGER NOT NULL,
            millis INTEGER
        ) STRICT, WITHOUT ROWID
        ;
CREATE TABLE duels (
            circle TEXT NOT NULL,
            person INTEGER NOT NULL,
            other INTEGER NOT NULL,
            matches INTEGER NOT NULL,
            above INTEGER NOT NULL,
            below INTEGER NOT NULL,
            PRIMARY KEY (circle, person, other)
        ) STRICT, WITHOUT ROWID
        ;
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
INSERT INTO "entries" VALUES('b06lZaM8oPwhlEhiziMr7Q',1,'table deal leader=B','key-00000000','legal','deal.3','1','2026-11-22T15:16:18.885+00:00');
INSERT INTO "entries" VALUES('b06lZaM8oPwhlEhiziMr7Q',2,'B lay 4','key-00000001','legal','follow.1','1','2026-11-22T15:16:18.895+00:00');
INSERT INTO "entries" VALUES('b06lZaM8oPwhlEhiziMr7Q',3,'"C D" lay 5','key-00000002','legal','follow.1','1','2026-11-22T15:16:18.906+00:00');
INSERT INTO "entries" VALUES('b06lZaM8oPwhlEhiziMr7Q',4,'あかね lay 6','key-00000003','legal','follow.1','1','2026-11-22T15:16:18.916+00:00');
INSERT INTO "entries" VALUES('b06lZaM8oPwhlEhiziMr7Q',5,'table rewind 3','key-00000004','legal','log.1','1','2026-11-22T15:16:18.924+00:00');
INSERT INTO "entries" VALUES('b06lZaM8oPwhlEhiziMr7Q',6,'あかね lay 6','key-00000005','legal','follow.1','1','2026-11-22T15:16:18.928+00:00');
INSERT INTO "entries" VALUES('dFqLRjEXMVfR7ZjY6-zRFA',1,'table deal leader=あかね','key-00000000','legal','deal.3','1','2026-11-22T15:16:18.948+00:00');
INSERT INTO "entries" VALUES('dFqLRjEXMVfR7ZjY6-zRFA',2,'あかね lay 4','key-00000001','legal','follow.1','1','2026-11-22T15:16:18.959+00:00');
INSERT INTO "entries" VALUES('dFqLRjEXMVfR7ZjY6-zRFA',3,'Y lay 6','key-00000002','legal','follow.1','1','2026-11-22T15:16:18.976+00:00');
INSERT INTO "entries" VALUES('dFqLRjEXMVfR7ZjY6-zRFA',4,'Z lay 5','key-00000003','legal','follow.1','1','2026-11-22T15:16:18.980+00:00');
CREATE TABLE feats (
            match TEXT NOT NULL REFERENCES matches(id),
            place INTEGER NOT NULL CHECK (place > 0),
            kind TEXT NOT NULL,
            label TEXT NOT NULL,
            value INTEGER NOT NULL,
            person INTEGER,
            game TEXT NOT NULL,
            PRIMARY KEY (match, place, kind, label)
        ) STRICT, WITHOUT ROWID
        ;
CREATE TABLE guesses (
            place INTEGER PRIMARY KEY,
            who TEXT NOT NULL,
            at TEXT NOT NULL
        ) STRICT
        ;
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
CREATE TABLE leads (
            person INTEGER NOT NULL,
            game TEXT NOT NULL,
            card TEXT NOT NULL,
            times INTEGER NOT NULL,
            PRIMARY KEY (person, game, card)
        ) STRICT, WITHOUT ROWID
        ;
CREATE TABLE matches (
            id TEXT PRIMARY KEY,
            header TEXT NOT NULL,
            opened TEXT NOT NULL
        , circle TEXT NOT NULL DEFAULT '', session INTEGER REFERENCES sessions(id), named INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID
        ;
INSERT INTO "matches" VALUES('b06lZaM8oPwhlEhiziMr7Q','referee: 1
game: perite
seats: あかね B "C D"','2026-11-22T15:16:18.873+00:00','D89qjFgZJTylx-YDxeDRgA',1,0);
INSERT INTO "matches" VALUES('dFqLRjEXMVfR7ZjY6-zRFA','referee: 1
game: fancy
seats: あかね Y Z','2026-11-22T15:16:18.940+00:00','D89qjFgZJTylx-YDxeDRgA',1,0);
CREATE TABLE members (
            circle TEXT NOT NULL REFERENCES circles(id),
            phone TEXT NOT NULL REFERENCES phones(id),
            since TEXT NOT NULL,
            chosen TEXT NOT NULL,
            PRIMARY KEY (circle, phone)
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "members" VALUES('D89qjFgZJTylx-YDxeDRgA','8b3ec6365cadf15401e05934fc3dcd386117c8cd0059f43f54e48b03e479e914','2026-11-22T15:16:18.870+00:00','2026-11-22T15:16:18.870+00:00');
CREATE TABLE outdated (
            match TEXT PRIMARY KEY REFERENCES matches(id),
            log INTEGER NOT NULL CHECK (log IN (0, 1))
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "outdated" VALUES('b06lZaM8oPwhlEhiziMr7Q',1);
INSERT INTO "outdated" VALUES('dFqLRjEXMVfR7ZjY6-zRFA',1);
CREATE TABLE people (
            id INTEGER PRIMARY KEY,
            circle TEXT NOT NULL REFERENCES circles(id),
            name TEXT NOT NULL,
            played TEXT NOT NULL,
            retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
            UNIQUE (circle, name)
        ) STRICT
        ;
INSERT INTO "people" VALUES(1,'D89qjFgZJTylx-YDxeDRgA','あかね','2026-11-22T15:16:18.940+00:00',0);
INSERT INTO "people" VALUES(2,'D89qjFgZJTylx-YDxeDRgA','B','2026-11-22T15:16:18.873+00:00',0);
INSERT INTO "people" VALUES(3,'D89qjFgZJTylx-YDxeDRgA','C D','2026-11-22T15:16:18.873+00:00',0);
INSERT INTO "people" VALUES(4,'D89qjFgZJTylx-YDxeDRgA','Y','2026-11-22T15:16:18.940+00:00',0);
INSERT INTO "people" VALUES(5,'D89qjFgZJTylx-YDxeDRgA','Z','2026-11-22T15:16:18.940+00:00',0);
CREATE TABLE phones (id TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "phones" VALUES('8b3ec6365cadf15401e05934fc3dcd386117c8cd0059f43f54e48b03e479e914','2026-11-22T15:16:18.860+00:00');
CREATE TABLE players (
            match TEXT NOT NULL REFERENCES matches(id),
            seat TEXT NOT NULL,
            place INTEGER NOT NULL CHECK (place > 0),
            person INTEGER REFERENCES people(id),
            PRIMARY KEY (match, seat)
        ) STRICT, WITHOUT ROWID
        ;
INSERT INTO "players" VALUES('b06lZaM8oPwhlEhiziMr7Q','B',2,2);
INSERT INTO "players" VALUES('b06lZaM8oPwhlEhiziMr7Q','C D',3,3);
INSERT INTO "players" VALUES('b06lZaM8oPwhlEhiziMr7Q','あかね',1,1);
INSERT INTO "players" VALUES('dFqLRjEXMVfR7ZjY6-zRFA','Y',2,4);
INSERT INTO "players" VALUES('dFqLRjEXMVfR7ZjY6-zRFA','Z',3,5);
INSERT INTO "players" VALUES('dFqLRjEXMVfR7ZjY6-zRFA','あかね',1,1);
CREATE TABLE ratings (
            circle TEXT NOT NULL,
            opened TEXT NOT NULL,
            match TEXT NOT NULL REFERENCES matches(id),
            person INTEGER NOT NULL,
            mu REAL NOT NULL,
            sigma REAL NOT NULL,
            PRIMARY KEY (circle, opened, match, person)
        ) STRICT, WITHOUT ROWID
        ;
CREATE TABLE results (
            match TEXT NOT NULL REFERENCES matches(id),
            place INTEGER NOT NULL CHECK (place > 0),
            person INTEGER,
            opened TEXT NOT NULL,
            game TEXT NOT NULL,
            seats INTEGER NOT NULL,
            over INTEGER NOT NULL CHECK (over IN (0, 1)),
            points INTEGER NOT NULL,
            rank INTEGER NOT NULL CHECK (rank > 0),
            won INTEGER NOT NULL CHECK (won IN (0, 1)),
            revokes INTEGER NOT NULL,
            plays INTEGER NOT NULL,
            millis INTEGER,
            PRIMARY KEY (match, place)
        ) STRICT, WITHOUT ROWID
        ;
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
INSERT INTO "sessions" VALUES(1,'D89qjFgZJTylx-YDxeDRgA','2026-11-22T15:16:18.873+00:00','','');
CREATE TABLE unrated (circle TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT, WITHOUT ROWID;
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
CREATE INDEX digests_opened ON digests(circle, opened);
CREATE INDEX digests_session ON digests(circle, session, opened, game);
CREATE INDEX results_person ON results(person, over, opened, match, game, seats, points, rank, won, revokes, plays, millis);
CREATE INDEX feats_best ON feats(person, game, kind, value) WHERE kind != 'led';
CREATE INDEX ratings_person ON ratings(person, opened, match, mu, sigma);
CREATE TRIGGER match_opened AFTER INSERT ON matches BEGIN
            INSERT INTO outdated VALUES (new.id, 1);
        END;
CREATE TRIGGER match_grown AFTER INSERT ON entries BEGIN
            INSERT INTO outdated VALUES (new.match, 1) ON CONFLICT DO UPDATE SET log = 1
                WHERE log = 0;
        END;
CREATE TRIGGER match_adopted AFTER UPDATE OF circle ON matches BEGIN
            INSERT INTO outdated VALUES (new.id, 0) ON CONFLICT DO NOTHING;
        END;
CREATE TRIGGER player_told_apart AFTER UPDATE OF person ON players BEGIN
            INSERT INTO outdated VALUES (new.match, 0) ON CONFLICT DO NOTHING;
        END;
COMMIT;
