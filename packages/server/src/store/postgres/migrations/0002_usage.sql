-- breaking: yes

-- The reports that were counted, by their names, so that repeats are known.
CREATE TABLE usage_reports (
  source text COLLATE "C" NOT NULL,
  report_id text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  at_ms bigint NOT NULL,
  bytes_up bigint NOT NULL CONSTRAINT usage_reports_bytes_up_not_negative CHECK (bytes_up >= 0),
  bytes_down bigint NOT NULL CONSTRAINT usage_reports_bytes_down_not_negative CHECK (bytes_down >= 0),
  received_at_ms bigint NOT NULL,
  PRIMARY KEY (source, report_id)
);
-- The oldest are forgotten first.
CREATE INDEX usage_reports_by_age ON usage_reports (received_at_ms);

-- Every report whose name was forgotten is dated before this moment.
INSERT INTO meta (name, value) VALUES ('usage_horizon_ms', '0');
-- Fails, under a name of its own, for a batch that meets a horizon that has passed its reports.
CREATE DOMAIN is_behind_usage_horizon AS boolean CONSTRAINT usage_horizon_passed CHECK (VALUE);

-- Totals by account and UTC day (days since 1970-01-01).
CREATE TABLE usage_days (
  reseller text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  day integer NOT NULL,
  bytes_up bigint NOT NULL
    CONSTRAINT usage_days_bytes_up_in_range CHECK (bytes_up BETWEEN 0 AND 9007199254740991),
  bytes_down bigint NOT NULL
    CONSTRAINT usage_days_bytes_down_in_range CHECK (bytes_down BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (reseller, username, day)
) WITH (fillfactor = 70);

-- The sums of these over all accounts of a reseller, kept with each report.
CREATE TABLE usage_reseller_days (
  reseller text COLLATE "C" NOT NULL,
  day integer NOT NULL,
  bytes_up bigint NOT NULL
    CONSTRAINT usage_reseller_days_bytes_up_in_range CHECK (bytes_up BETWEEN 0 AND 9007199254740991),
  bytes_down bigint NOT NULL
    CONSTRAINT usage_reseller_days_bytes_down_in_range CHECK (bytes_down BETWEEN 0 AND 9007199254740991),
  PRIMARY KEY (reseller, day)
) WITH (fillfactor = 70);
