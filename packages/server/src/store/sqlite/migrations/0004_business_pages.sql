-- breaking: no

CREATE INDEX people_by_reseller ON people (reseller);

-- Below this balance, the overview of a reseller warns.
CREATE TABLE low_balances (
  reseller TEXT PRIMARY KEY,
  low_balance_cents INTEGER NOT NULL
    CONSTRAINT low_balances_in_range CHECK (low_balance_cents BETWEEN 0 AND 9007199254740991)
) STRICT, WITHOUT ROWID;

-- How many usage reports arrived on each UTC day (days since 1970-01-01), by what became of them.
CREATE TABLE usage_verdicts (
  day INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  reports INTEGER NOT NULL,
  PRIMARY KEY (day, verdict)
) STRICT, WITHOUT ROWID;

-- The last usage reports and readings that were refused, by whose they are and why.
CREATE TABLE usage_refusals (
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  username TEXT NOT NULL,
  reason TEXT NOT NULL,
  name TEXT NOT NULL,
  at_ms INTEGER,
  bytes_up INTEGER,
  bytes_down INTEGER,
  arrived_at_ms INTEGER NOT NULL,
  reports INTEGER NOT NULL,
  PRIMARY KEY (kind, source, username, reason)
) STRICT, WITHOUT ROWID;

-- What operators added to the bandwidth of a UTC day, or took away. Rows never change.
CREATE TABLE usage_corrections (
  reference TEXT PRIMARY KEY,
  reseller TEXT NOT NULL,
  username TEXT NOT NULL,
  day INTEGER NOT NULL,
  bytes_up INTEGER NOT NULL,
  bytes_down INTEGER NOT NULL,
  reason TEXT NOT NULL,
  made_by TEXT NOT NULL,
  request_id TEXT NOT NULL,
  made_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_corrections_by_time ON usage_corrections (made_at_ms, reference);
CREATE INDEX usage_corrections_by_reseller ON usage_corrections (reseller, made_at_ms, reference);

-- The verifications of the ledger. One without an end runs, or its process has ended.
CREATE TABLE verifications (
  id TEXT PRIMARY KEY,
  started_by TEXT NOT NULL,
  started_at_ms INTEGER NOT NULL,
  noted_at_ms INTEGER NOT NULL,
  ended_at_ms INTEGER,
  done INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  result TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX verifications_by_start ON verifications (started_at_ms);

-- When `bursar backup` last made a backup, in Unix milliseconds.
INSERT INTO meta (name, value) VALUES ('last_backup_ms', '0');

-- The origin of the dashboard, as the service that was started last knows it. For links of the command line.
INSERT INTO meta (name, value) VALUES ('public_url', '');
