-- breaking: yes

-- The reports that were counted, by their names, so that repeats are recognised.
CREATE TABLE usage_reports (
  source TEXT NOT NULL,
  report_id TEXT NOT NULL,
  username TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  bytes_up INTEGER NOT NULL CONSTRAINT usage_reports_bytes_up_not_negative CHECK (bytes_up >= 0),
  bytes_down INTEGER NOT NULL CONSTRAINT usage_reports_bytes_down_not_negative CHECK (bytes_down >= 0),
  received_at_ms INTEGER NOT NULL,
  PRIMARY KEY (source, report_id)
) STRICT, WITHOUT ROWID;
-- Finds the oldest reports, which are forgotten first.
CREATE INDEX usage_reports_by_age ON usage_reports (received_at_ms);

-- Every forgotten report has a timestamp before this.
INSERT INTO meta (name, value) VALUES ('usage_horizon_ms', '0');

-- Totals by account and UTC day (days since 1970-01-01).
CREATE TABLE usage_days (
  reseller TEXT NOT NULL,
  username TEXT NOT NULL,
  day INTEGER NOT NULL,
  bytes_up INTEGER NOT NULL
    CONSTRAINT usage_days_bytes_up_in_range CHECK (bytes_up BETWEEN 0 AND 9007199254740991),
  bytes_down INTEGER NOT NULL
    CONSTRAINT usage_days_bytes_down_in_range CHECK (bytes_down BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (reseller, username, day)
) STRICT, WITHOUT ROWID;

-- The sums of `usage_days` over all accounts of a reseller, updated with each report.
CREATE TABLE usage_reseller_days (
  reseller TEXT NOT NULL,
  day INTEGER NOT NULL,
  bytes_up INTEGER NOT NULL
    CONSTRAINT usage_reseller_days_bytes_up_in_range CHECK (bytes_up BETWEEN 0 AND 9007199254740991),
  bytes_down INTEGER NOT NULL
    CONSTRAINT usage_reseller_days_bytes_down_in_range CHECK (bytes_down BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (reseller, day)
) STRICT, WITHOUT ROWID;
