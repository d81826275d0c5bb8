-- breaking: no

-- When the store was made, in Unix milliseconds. The time of the first migration is not copied to another engine, and its
-- form depends on the settings of a database.
INSERT INTO meta (name, value)
SELECT 'made_at_ms', CAST(COALESCE(unixepoch(min(applied_at)), unixepoch()) * 1000 AS TEXT) FROM migrations;
