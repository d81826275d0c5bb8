-- breaking: no

-- Bandwidth by UTC hour (hours since 1970-01-01), for charts: of an account, of a reseller with its sub-users, and of the
-- edges that reported it. Hours are kept for some days. Nothing is paid by these tables, so their sums stop at the largest
-- number that JSON carries exactly. Older versions do not write them.
-- The hour comes first: new rows are added at one end, and the oldest are forgotten at the other one.
CREATE TABLE usage_hours (
  hour INTEGER NOT NULL,
  reseller TEXT NOT NULL,
  username TEXT NOT NULL,
  bytes_up INTEGER NOT NULL,
  bytes_down INTEGER NOT NULL,
  PRIMARY KEY (hour, reseller, username)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_reseller_hours (
  hour INTEGER NOT NULL,
  reseller TEXT NOT NULL,
  bytes_up INTEGER NOT NULL,
  bytes_down INTEGER NOT NULL,
  PRIMARY KEY (hour, reseller)
) STRICT, WITHOUT ROWID;

-- What edges reported for the accounts of a reseller; the reseller '' has the sums of all. Imported reports name no edge.
CREATE TABLE usage_edge_hours (
  hour INTEGER NOT NULL,
  reseller TEXT NOT NULL,
  edge TEXT NOT NULL,
  bytes_up INTEGER NOT NULL,
  bytes_down INTEGER NOT NULL,
  PRIMARY KEY (hour, reseller, edge)
) STRICT, WITHOUT ROWID;

-- The same by UTC day. Kept like `usage_days`. Corrections change no day of an edge.
CREATE TABLE usage_edge_days (
  reseller TEXT NOT NULL,
  day INTEGER NOT NULL,
  edge TEXT NOT NULL,
  bytes_up INTEGER NOT NULL,
  bytes_down INTEGER NOT NULL,
  PRIMARY KEY (reseller, day, edge)
) STRICT, WITHOUT ROWID;

-- Since when hours and edges are written, in Unix milliseconds. 0: since the first report.
INSERT INTO meta (name, value)
SELECT 'usage_hours_since_ms',
  CASE WHEN EXISTS (SELECT 1 FROM usage_reseller_days) THEN CAST(unixepoch() * 1000 AS TEXT) ELSE '0' END;
