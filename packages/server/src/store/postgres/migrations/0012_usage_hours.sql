-- breaking: no

-- Bandwidth by UTC hour (hours since 1970-01-01), for charts: of an account, of a reseller with its sub-users, and of the
-- edges that reported it. Hours are kept for some days. Nothing is paid by these tables, so their sums stop at the largest
-- number that JSON carries exactly. Older versions do not write them.
-- The hour comes first: new rows are added at one end, and the oldest are forgotten at the other one.
CREATE TABLE usage_hours (
  hour integer NOT NULL,
  reseller text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  bytes_up bigint NOT NULL,
  bytes_down bigint NOT NULL,
  PRIMARY KEY (hour, reseller, username)
) WITH (fillfactor = 70);

CREATE TABLE usage_reseller_hours (
  hour integer NOT NULL,
  reseller text COLLATE "C" NOT NULL,
  bytes_up bigint NOT NULL,
  bytes_down bigint NOT NULL,
  PRIMARY KEY (hour, reseller)
) WITH (fillfactor = 70);

-- What edges reported for the accounts of a reseller; the reseller '' has the sums of all. Imported reports name no edge.
CREATE TABLE usage_edge_hours (
  hour integer NOT NULL,
  reseller text COLLATE "C" NOT NULL,
  edge text COLLATE "C" NOT NULL,
  bytes_up bigint NOT NULL,
  bytes_down bigint NOT NULL,
  PRIMARY KEY (hour, reseller, edge)
) WITH (fillfactor = 70);

-- The same by UTC day. Kept like `usage_days`. Corrections change no day of an edge.
CREATE TABLE usage_edge_days (
  reseller text COLLATE "C" NOT NULL,
  day integer NOT NULL,
  edge text COLLATE "C" NOT NULL,
  bytes_up bigint NOT NULL,
  bytes_down bigint NOT NULL,
  PRIMARY KEY (reseller, day, edge)
) WITH (fillfactor = 70);

-- Since when hours and edges are written, in Unix milliseconds. 0: since the first report.
INSERT INTO meta (name, value)
SELECT 'usage_hours_since_ms',
  CASE WHEN EXISTS (SELECT 1 FROM usage_reseller_days) THEN (extract(epoch FROM now())::bigint * 1000)::text ELSE '0' END;
