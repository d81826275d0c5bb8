-- breaking: no

-- The proxy hosts that may check pairs and report bytes. One whose key was revoked, or whose host has not joined yet, has no
-- hash of a key. The link stays after its use, so that a join can be repeated, and ends with a new key or a revocation.
CREATE TABLE edges (
  name TEXT PRIMARY KEY,
  key_hash TEXT UNIQUE,
  key_tail TEXT NOT NULL,
  link_hash TEXT UNIQUE,
  link_expires_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL,
  revoked_at_ms INTEGER,
  last_seen_at_ms INTEGER,
  reported_to_ms INTEGER,
  checks INTEGER NOT NULL DEFAULT 0,
  refusals INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- The highest known value of each counter of an edge. `seen_day` counts days with readings ('reading_days' in `meta`).
-- It is NULL for a counter that is never forgotten.
CREATE TABLE usage_counters (
  edge TEXT NOT NULL,
  counter TEXT NOT NULL,
  username TEXT NOT NULL,
  bytes_up INTEGER NOT NULL
    CONSTRAINT usage_counters_bytes_up_in_range CHECK (bytes_up BETWEEN 0 AND 9007199254740991),
  bytes_down INTEGER NOT NULL
    CONSTRAINT usage_counters_bytes_down_in_range CHECK (bytes_down BETWEEN 0 AND 9007199254740991),
  seen_day INTEGER,
  PRIMARY KEY (edge, counter)
) STRICT, WITHOUT ROWID;
-- Finds the counters that were not read for longest, which are forgotten first.
CREATE INDEX usage_counters_by_age ON usage_counters (seen_day) WHERE seen_day IS NOT NULL;
-- Counts the counters of an edge that are never forgotten. SQLite takes this index only if it also has the column of its
-- condition. Otherwise it reads all counters of the edge.
CREATE INDEX usage_counters_lasting ON usage_counters (edge, seen_day) WHERE seen_day IS NULL;

-- How much of its highest rate an edge has used up for the accounts of a reseller.
CREATE TABLE usage_paces (
  edge TEXT NOT NULL,
  reseller TEXT NOT NULL,
  spent_to_ms INTEGER NOT NULL,
  refused_at_ms INTEGER,
  PRIMARY KEY (edge, reseller)
) STRICT, WITHOUT ROWID;

-- How many UTC days had readings, and the latest of them (days since 1970-01-01).
INSERT INTO meta (name, value) VALUES ('reading_days', '0 0');
