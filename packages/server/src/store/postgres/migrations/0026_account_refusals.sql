-- breaking: no

-- Clients of an account that proxies refused, or cut off, by reason and UTC hour (hours since 1970-01-01), and where the last
-- of them was: the edge, and the /24 or /48 of the client. Kept as long as the hours of bandwidth.
CREATE TABLE account_refusals (
  username text COLLATE "C" NOT NULL,
  hour integer NOT NULL,
  reason text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  at_ms bigint NOT NULL,
  edge text COLLATE "C" NOT NULL,
  network text COLLATE "C",
  PRIMARY KEY (username, hour, reason)
) WITH (fillfactor = 70);
-- Find those to forget.
CREATE INDEX account_refusals_by_hour ON account_refusals (hour);
