"""The triggers: what outdates the statistics of a match marks it, in the same transaction."""

SQLITE = (
    """
    CREATE TRIGGER match_opened AFTER INSERT ON matches BEGIN
        INSERT INTO outdated VALUES (new.id, 1);
    END
    """,
    """
    CREATE TRIGGER match_grown AFTER INSERT ON entries BEGIN
        INSERT INTO outdated VALUES (new.match, 1) ON CONFLICT DO UPDATE SET log = 1
            WHERE log = 0;
    END
    """,
    """
    CREATE TRIGGER match_adopted AFTER UPDATE OF circle ON matches BEGIN
        INSERT INTO outdated VALUES (new.id, 0) ON CONFLICT DO NOTHING;
    END
    """,
    """
    CREATE TRIGGER player_told_apart AFTER UPDATE OF person ON players BEGIN
        INSERT INTO outdated VALUES (new.match, 0) ON CONFLICT DO NOTHING;
    END
    """,
)
POSTGRESQL = (
    """
    CREATE FUNCTION match_opened() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO outdated VALUES (new.id, 1);
        RETURN NULL;
    END $$;
    CREATE TRIGGER match_opened AFTER INSERT ON matches
        FOR EACH ROW EXECUTE FUNCTION match_opened()
    """,
    """
    CREATE FUNCTION match_grown() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        -- asked first, because an upsert would lock and write the row even where nothing changes
        IF NOT EXISTS (SELECT 1 FROM outdated WHERE match = new.match AND log = 1) THEN
            INSERT INTO outdated VALUES (new.match, 1) ON CONFLICT (match) DO UPDATE SET log = 1;
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER match_grown AFTER INSERT ON entries
        FOR EACH ROW EXECUTE FUNCTION match_grown()
    """,
    """
    CREATE FUNCTION match_adopted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO outdated VALUES (new.id, 0) ON CONFLICT DO NOTHING;
        RETURN NULL;
    END $$;
    CREATE TRIGGER match_adopted AFTER UPDATE OF circle ON matches
        FOR EACH ROW EXECUTE FUNCTION match_adopted()
    """,
    """
    CREATE FUNCTION player_told_apart() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO outdated VALUES (new.match, 0) ON CONFLICT DO NOTHING;
        RETURN NULL;
    END $$;
    CREATE TRIGGER player_told_apart AFTER UPDATE OF person ON players
        FOR EACH ROW EXECUTE FUNCTION player_told_apart()
    """,
)
