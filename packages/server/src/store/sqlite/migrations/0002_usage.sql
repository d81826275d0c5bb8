-- breaking: yes

-- The reports that were counted, in the order in which they came, so that the oldest can be forgotten cheaply.
CREATE TABLE usage_reports (
  number INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  report_id TEXT NOT NULL,
  username TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  bytes_up INTEGER NOT NULL CONSTRAINT usage_reports_bytes_up_not_negative CHECK (bytes_up >= 0),
  bytes_down INTEGER NOT NULL CONSTRAINT usage_reports_bytes_down_not_negative CHECK (bytes_down >= 0),
  received_at_ms INTEGER NOT NULL
) STRICT;

-- Where the reports stand by a hash of (source, report_id). The new ones lie apart, and move over in the order of
-- their hashes: src/store/sqlite/usage-names.ts says why.
CREATE TABLE usage_names (
  name_hash INTEGER NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (name_hash, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE usage_names_new (
  name_hash INTEGER NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (name_hash, number)
) STRICT, WITHOUT ROWID;

-- Every report whose name was forgotten is dated before this moment.
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

-- The sums of these over all accounts of a reseller, kept with each report.
CREATE TABLE usage_reseller_days (
  reseller TEXT NOT NULL,
  day INTEGER NOT NULL,
  bytes_up INTEGER NOT NULL
    CONSTRAINT usage_reseller_days_bytes_up_in_range CHECK (bytes_up BETWEEN 0 AND 9007199254740991),
  bytes_down INTEGER NOT NULL
    CONSTRAINT usage_reseller_days_bytes_down_in_range CHECK (bytes_down BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (reseller, day)
) STRICT, WITHOUT ROWID;
