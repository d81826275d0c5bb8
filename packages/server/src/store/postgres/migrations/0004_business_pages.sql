-- breaking: no

CREATE INDEX people_by_reseller ON people (reseller);

-- Below this balance, the overview of a reseller warns.
CREATE TABLE low_balances (
  reseller text COLLATE "C" PRIMARY KEY,
  low_balance_cents bigint NOT NULL
    CONSTRAINT low_balances_in_range CHECK (low_balance_cents BETWEEN 0 AND 9007199254740991)
);

-- How many usage reports arrived on each UTC day (days since 1970-01-01), by what became of them.
CREATE TABLE usage_verdicts (
  day integer NOT NULL,
  verdict text COLLATE "C" NOT NULL,
  reports bigint NOT NULL,
  PRIMARY KEY (day, verdict)
);

-- The last usage reports and readings that were refused, by whose they are and why.
CREATE TABLE usage_refusals (
  kind text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  name text NOT NULL,
  at_ms bigint,
  bytes_up bigint,
  bytes_down bigint,
  arrived_at_ms bigint NOT NULL,
  reports bigint NOT NULL,
  PRIMARY KEY (kind, source, username, reason)
);

-- What operators added to the bandwidth of a UTC day, or took away. Rows never change.
CREATE TABLE usage_corrections (
  reference text COLLATE "C" PRIMARY KEY,
  reseller text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  day integer NOT NULL,
  bytes_up bigint NOT NULL,
  bytes_down bigint NOT NULL,
  reason text NOT NULL,
  made_by text NOT NULL,
  request_id text NOT NULL,
  made_at_ms bigint NOT NULL
);
CREATE INDEX usage_corrections_by_time ON usage_corrections (made_at_ms, reference);
CREATE INDEX usage_corrections_by_reseller ON usage_corrections (reseller, made_at_ms, reference);

-- The verifications of the ledger. One without an end runs, or its process has ended.
CREATE TABLE verifications (
  id text COLLATE "C" PRIMARY KEY,
  started_by text NOT NULL,
  started_at_ms bigint NOT NULL,
  noted_at_ms bigint NOT NULL,
  ended_at_ms bigint,
  done integer NOT NULL,
  steps integer NOT NULL,
  result text
);
CREATE INDEX verifications_by_start ON verifications (started_at_ms);

-- The origin of the dashboard, as the service that was started last knows it. For links of the command line.
INSERT INTO meta (name, value) VALUES ('public_url', '');
