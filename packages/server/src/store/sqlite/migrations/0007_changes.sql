-- breaking: no

-- What changes with an id did, for 48 hours at least. Older versions do not write it, and need not read it.
CREATE TABLE changes (
  reseller TEXT NOT NULL,
  change_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  username TEXT,
  amount_cents INTEGER,
  balance_cents INTEGER,
  error TEXT,
  at_ms INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  PRIMARY KEY (reseller, change_id)
) STRICT, WITHOUT ROWID;
-- Finds the oldest changes, which are forgotten first.
CREATE INDEX changes_by_time ON changes (at_ms);
