-- breaking: yes

-- What each reseller is told, in the order of commits. The numbers of a reseller begin with 1 and have no gap. `data` is
-- JSON. Old events are forgotten.
CREATE TABLE events (
  reseller text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  at_ms bigint NOT NULL,
  username text COLLATE "C",
  data text NOT NULL,
  request_id text COLLATE "C",
  change_id text COLLATE "C",
  PRIMARY KEY (reseller, number)
);

-- Of a reseller's own account: the number of its newest event.
ALTER TABLE accounts ADD COLUMN newest_event bigint NOT NULL DEFAULT 0;
-- Of a sub-user: why its reseller was told that it is unusable. NULL: it was told that it is usable.
ALTER TABLE accounts ADD COLUMN told_reason text;
-- When the reseller was told that its balance is below this one. NULL: it was not.
ALTER TABLE low_balances ADD COLUMN told_at_ms bigint;
-- Whether all accounts of the reseller were judged since it has this price: usable or not. 0 or 1.
ALTER TABLE prices ADD COLUMN is_judged integer NOT NULL DEFAULT 0;
UPDATE prices SET is_judged = 1;
CREATE INDEX prices_to_judge ON prices (reseller) WHERE is_judged = 0;

UPDATE low_balances SET told_at_ms = (
  SELECT since_ms FROM alarms WHERE alarms.kind = 'low_balance' AND alarms.subject = low_balances.reseller);
DELETE FROM alarms WHERE kind = 'low_balance';

-- Nobody was told anything yet: the log begins with what holds now.
UPDATE accounts AS account SET told_reason = CASE
  WHEN suspended_at_ms IS NOT NULL THEN 'suspended'
  WHEN expires_at_ms <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint THEN 'expired'
  WHEN (SELECT balance_cents FROM live_accounts AS live
      WHERE live.reseller = account.reseller AND live.username = account.username) <= 0
    AND EXISTS (SELECT 1 FROM current_prices AS price
      WHERE price.reseller = account.reseller AND price.micro_usd_per_gb IS NOT NULL) THEN 'exhausted'
  WHEN day_bytes <= (SELECT COALESCE(sum(CAST(bytes_up + bytes_down AS double precision)), 0) FROM usage_days AS used
      WHERE used.reseller = account.reseller AND used.username = account.username AND day = ((clock_timestamp() AT TIME ZONE 'UTC')::date - date '1970-01-01'))
    OR month_bytes <= (SELECT COALESCE(sum(CAST(bytes_up + bytes_down AS double precision)), 0) FROM usage_days AS used
      WHERE used.reseller = account.reseller AND used.username = account.username
        AND day BETWEEN (date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date - date '1970-01-01') AND ((clock_timestamp() AT TIME ZONE 'UTC')::date - date '1970-01-01'))
    OR total_bytes <= (SELECT COALESCE(sum(CAST(bytes_up + bytes_down AS double precision)), 0) FROM usage_days AS used
      WHERE used.reseller = account.reseller AND used.username = account.username) THEN 'limit_reached'
  END
WHERE username <> reseller;

-- Find the sub-users of which time alone may make something else true.
CREATE INDEX accounts_with_limits ON accounts (reseller, username)
WHERE day_bytes IS NOT NULL OR month_bytes IS NOT NULL OR total_bytes IS NOT NULL;
CREATE INDEX accounts_to_end ON accounts (expires_at_ms)
WHERE expires_at_ms IS NOT NULL AND (told_reason IS NULL OR told_reason NOT IN ('suspended', 'expired'));
-- And those that were told expired, in case the clock is set back.
CREATE INDEX accounts_told_expired ON accounts (expires_at_ms) WHERE told_reason = 'expired';

-- The resellers among these accounts, for `lock_sub_users_first` and the same accounts: the place of each, 1 if it is
-- suspended, its debt, its line, and the number of its newest event, one after the other. It is called after the locks are
-- held, and sees what was committed before.
CREATE OR REPLACE FUNCTION find_resellers(resellers text[], usernames text[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  all_found bigint[] := ARRAY[]::bigint[];
  one bigint[];
BEGIN
  FOR one IN
    SELECT ARRAY[given.place, (own.suspended_at_ms IS NOT NULL)::integer, own.debt_cents, own.debt_line_cents,
      own.newest_event]
    FROM unnest(resellers, usernames) WITH ORDINALITY AS given (reseller, username, place)
    CROSS JOIN LATERAL (
      SELECT suspended_at_ms, debt_cents, debt_line_cents, newest_event FROM accounts
      WHERE accounts.reseller = given.reseller AND accounts.username = given.reseller LIMIT 1
    ) AS own
    WHERE given.username = given.reseller
  LOOP
    all_found := all_found || one;
  END LOOP;
  RETURN all_found;
END $$;

-- Locks accounts: those of sub-users in the order of their keys, then those of resellers. Every batch of a reseller waits
-- for the reseller's own account until the previous batch has committed. Meanwhile, it can lock those of sub-users.
-- `balances`: of each name that was given, and NULL for a name without an account. `exhausted`: the places of the accounts
-- whose resellers were told that they are exhausted. Ends the time limit of statements, which limits the wait.
DROP FUNCTION lock_sub_users_first(text[], text[]);
CREATE FUNCTION lock_sub_users_first(
  resellers text[], usernames text[], OUT balances bigint[], OUT exhausted integer[]
) LANGUAGE plpgsql AS $$
DECLARE
  given_place integer;
  given_balance bigint;
  is_exhausted boolean;
BEGIN
  balances := array_fill(NULL::bigint, ARRAY[cardinality(usernames)]);
  exhausted := ARRAY[]::integer[];
  FOR given_place, given_balance, is_exhausted IN
    SELECT given.place, found.balance_cents, found.is_exhausted
    FROM (
      SELECT * FROM unnest(resellers, usernames) WITH ORDINALITY AS named (reseller, username, place)
      ORDER BY username = reseller, reseller COLLATE "C", username COLLATE "C"
    ) AS given
    CROSS JOIN LATERAL (
      SELECT balance_cents, told_reason = 'exhausted' AS is_exhausted FROM accounts
      WHERE accounts.reseller = given.reseller AND accounts.username = given.username LIMIT 1 FOR UPDATE
    ) AS found
  LOOP
    balances[given_place] := given_balance;
    IF is_exhausted THEN exhausted := exhausted || given_place; END IF;
  END LOOP;
  PERFORM set_config('statement_timeout', '0', true);
END $$;
