-- breaking: no

-- Whether an account is suspended, its limits and its note. NULL: not suspended, no limit, no note. `allowed_ips`: networks
-- with spaces between. Only a reseller's own account has `suspended_at_ms` alone: then all its accounts are suspended.
ALTER TABLE accounts ADD COLUMN suspended_at_ms INTEGER;
ALTER TABLE accounts ADD COLUMN day_bytes INTEGER;
ALTER TABLE accounts ADD COLUMN month_bytes INTEGER;
ALTER TABLE accounts ADD COLUMN total_bytes INTEGER;
ALTER TABLE accounts ADD COLUMN connections INTEGER;
ALTER TABLE accounts ADD COLUMN allowed_ips TEXT;
ALTER TABLE accounts ADD COLUMN expires_at_ms INTEGER;
ALTER TABLE accounts ADD COLUMN note TEXT;
-- Find the sub-users in a state, however few they are.
CREATE INDEX accounts_suspended ON accounts (reseller, username) WHERE suspended_at_ms IS NOT NULL;
CREATE INDEX accounts_that_expire ON accounts (reseller, username) WHERE expires_at_ms IS NOT NULL;

-- Sub-users that were deleted, without their keys. Rows never change. Their names stay in `usernames`, and their past
-- stays where it is.
CREATE TABLE deleted_accounts (
  reseller TEXT NOT NULL,
  username TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  deleted_at_ms INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  PRIMARY KEY (reseller, username)
) STRICT, WITHOUT ROWID;

-- How many connections each edge says are open, for accounts with a limit. A row that is older than some seconds counts
-- no more.
CREATE TABLE open_connections (
  username TEXT NOT NULL,
  edge TEXT NOT NULL,
  open INTEGER NOT NULL CONSTRAINT open_connections_not_negative CHECK (open >= 0),
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (username, edge)
) STRICT, WITHOUT ROWID;
CREATE INDEX open_connections_by_time ON open_connections (at_ms);

-- The newest time in the reports of a day. Older versions do not write it.
ALTER TABLE usage_days ADD COLUMN last_at_ms INTEGER;

DROP VIEW live_accounts;
CREATE VIEW live_accounts AS SELECT reseller, username, sealed_auth_key, created_at_ms,
  balance_cents - min(max(balance_cents, 0), COALESCE((
    SELECT sum(cost_cents - charged_cents - uncollected_cents) FROM meters
    WHERE meters.reseller = accounts.reseller AND meters.username = accounts.username), 0)) AS balance_cents,
  suspended_at_ms, day_bytes, month_bytes, total_bytes, connections, allowed_ips, expires_at_ms, note
FROM accounts;
