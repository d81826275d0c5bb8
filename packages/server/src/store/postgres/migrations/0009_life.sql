-- breaking: no

-- Whether an account is suspended, its limits and its note. NULL: not suspended, no limit, no note. `allowed_ips`: networks
-- with spaces between. Only a reseller's own account has `suspended_at_ms` alone: then all its accounts are suspended.
ALTER TABLE accounts
  ADD COLUMN suspended_at_ms bigint,
  ADD COLUMN day_bytes bigint,
  ADD COLUMN month_bytes bigint,
  ADD COLUMN total_bytes bigint,
  ADD COLUMN connections integer,
  ADD COLUMN allowed_ips text COLLATE "C",
  ADD COLUMN expires_at_ms bigint,
  ADD COLUMN note text COLLATE "C";
-- Find the sub-users in a state, however few they are.
CREATE INDEX accounts_suspended ON accounts (reseller, username) WHERE suspended_at_ms IS NOT NULL;
CREATE INDEX accounts_that_expire ON accounts (reseller, username) WHERE expires_at_ms IS NOT NULL;

-- Sub-users that were deleted, without their keys. Rows never change. Their names stay in `usernames`, and their past
-- stays where it is.
CREATE TABLE deleted_accounts (
  reseller text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  deleted_at_ms bigint NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (reseller, username)
);

-- How many connections each edge says are open, for accounts with a limit. A row that is older than some seconds counts
-- no more.
CREATE TABLE open_connections (
  username text COLLATE "C" NOT NULL,
  edge text COLLATE "C" NOT NULL,
  open integer NOT NULL CONSTRAINT open_connections_not_negative CHECK (open >= 0),
  at_ms bigint NOT NULL,
  PRIMARY KEY (username, edge)
) WITH (fillfactor = 70);
CREATE INDEX open_connections_by_time ON open_connections (at_ms);

-- The newest time in the reports of a day. Older versions do not write it.
ALTER TABLE usage_days ADD COLUMN last_at_ms bigint;

CREATE OR REPLACE VIEW live_accounts AS SELECT reseller, username, sealed_auth_key, created_at_ms,
  balance_cents - least(greatest(balance_cents, 0), COALESCE((
    SELECT sum(cost_cents - charged_cents - uncollected_cents) FROM meters
    WHERE meters.reseller = accounts.reseller AND meters.username = accounts.username), 0)::bigint) AS balance_cents,
  suspended_at_ms, day_bytes, month_bytes, total_bytes, connections, allowed_ips, expires_at_ms, note
FROM accounts;

-- The resellers among these accounts that are suspended, for `lock_sub_users_first` and the same accounts. It is called
-- after the locks are held, and sees what was committed before.
CREATE FUNCTION find_suspended(resellers text[], usernames text[]) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(
    SELECT given.reseller FROM unnest(resellers, usernames) AS given (reseller, username)
    WHERE given.username = given.reseller AND (
      SELECT suspended_at_ms FROM accounts
      WHERE accounts.reseller = given.reseller AND accounts.username = given.reseller LIMIT 1
    ) IS NOT NULL
  );
END $$;
