-- The reports that were counted, in the order in which they came, so that the oldest can be forgotten cheaply.
CREATE TABLE usage_reports (
  number INTEGER PRIMARY KEY,
  name_hash INTEGER NOT NULL,
  source TEXT NOT NULL,
  report_id TEXT NOT NULL,
  username TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  bytes_up INTEGER NOT NULL CHECK (bytes_up >= 0),
  bytes_down INTEGER NOT NULL CHECK (bytes_down >= 0),
  received_at_ms INTEGER NOT NULL
) STRICT;
-- By a hash of (source, report_id): small, because the ids of reports come in no order. Whoever writes compares the names.
CREATE INDEX usage_reports_by_name ON usage_reports (name_hash);

-- Totals by account and UTC day (days since 1970-01-01).
CREATE TABLE usage_days (
  reseller TEXT NOT NULL,
  username TEXT NOT NULL,
  day INTEGER NOT NULL,
  bytes_up INTEGER NOT NULL CHECK (bytes_up BETWEEN 0 AND 9007199254740991),
  bytes_down INTEGER NOT NULL CHECK (bytes_down BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (reseller, username, day)
) STRICT, WITHOUT ROWID;
