-- breaking: no

-- The proxy hosts that may check pairs and report bytes. One whose key was revoked, or whose host has not joined yet, has no
-- hash of a key. The link stays after its use, so that a join can be repeated, and ends with a new key or a revocation.
CREATE TABLE edges (
  name text COLLATE "C" PRIMARY KEY,
  key_hash text COLLATE "C" UNIQUE,
  key_tail text NOT NULL,
  link_hash text COLLATE "C" UNIQUE,
  link_expires_at_ms bigint,
  created_at_ms bigint NOT NULL,
  revoked_at_ms bigint,
  last_seen_at_ms bigint,
  reported_to_ms bigint,
  checks bigint NOT NULL DEFAULT 0,
  refusals bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- The highest known value of each counter of an edge. `seen_day` counts days with readings ('reading_days' in `meta`).
-- It is NULL for a counter that is never forgotten.
CREATE TABLE usage_counters (
  edge text COLLATE "C" NOT NULL,
  counter text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  bytes_up bigint NOT NULL
    CONSTRAINT usage_counters_bytes_up_in_range CHECK (bytes_up BETWEEN 0 AND 9007199254740991),
  bytes_down bigint NOT NULL
    CONSTRAINT usage_counters_bytes_down_in_range CHECK (bytes_down BETWEEN 0 AND 9007199254740991),
  seen_day integer,
  PRIMARY KEY (edge, counter)
) WITH (fillfactor = 70);
-- Finds the counters that were not read for longest, which are forgotten first.
CREATE INDEX usage_counters_by_age ON usage_counters (seen_day) WHERE seen_day IS NOT NULL;
-- Counts the counters of an edge that are never forgotten, without its other counters.
CREATE INDEX usage_counters_lasting ON usage_counters (edge) WHERE seen_day IS NULL;
-- A batch fails with this constraint if another process has changed one of its counters.
CREATE DOMAIN are_known_counters AS boolean CONSTRAINT usage_counter_changed CHECK (VALUE);

-- How much of its highest rate an edge has used up for the accounts of a reseller.
CREATE TABLE usage_paces (
  edge text COLLATE "C" NOT NULL,
  reseller text COLLATE "C" NOT NULL,
  spent_to_ms bigint NOT NULL,
  refused_at_ms bigint,
  PRIMARY KEY (edge, reseller)
) WITH (fillfactor = 50);

-- How many UTC days had readings, and the latest of them (days since 1970-01-01).
INSERT INTO meta (name, value) VALUES ('reading_days', '0 0');
