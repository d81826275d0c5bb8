-- breaking: no

-- What changes with an id did, for 48 hours at least. Older versions do not write it, and need not read it.
CREATE TABLE changes (
  reseller text COLLATE "C" NOT NULL,
  change_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  username text COLLATE "C",
  amount_cents bigint,
  balance_cents bigint,
  error text COLLATE "C",
  at_ms bigint NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (reseller, change_id)
);
-- Finds the oldest changes, which are forgotten first.
CREATE INDEX changes_by_time ON changes (at_ms);
