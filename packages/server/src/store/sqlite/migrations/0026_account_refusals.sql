-- breaking: no

-- Clients of an account that proxies refused, or cut off, by reason and UTC hour (hours since 1970-01-01), and where the last
-- of them was: the edge, and the /24 or /48 of the client. Kept as long as the hours of bandwidth.
CREATE TABLE account_refusals (
  username TEXT NOT NULL,
  hour INTEGER NOT NULL,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  edge TEXT NOT NULL,
  network TEXT,
  PRIMARY KEY (username, hour, reason)
) STRICT, WITHOUT ROWID;
-- Find those to forget.
CREATE INDEX account_refusals_by_hour ON account_refusals (hour);
