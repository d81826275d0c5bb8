-- breaking: yes

-- What each reseller is told, in the order of commits. The numbers of a reseller begin with 1 and have no gap. `data` is
-- JSON. Old events are forgotten.
CREATE TABLE events (
  reseller TEXT NOT NULL,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  username TEXT,
  data TEXT NOT NULL,
  request_id TEXT,
  change_id TEXT,
  PRIMARY KEY (reseller, number)
) STRICT, WITHOUT ROWID;

-- Of a reseller's own account: the number of its newest event.
ALTER TABLE accounts ADD COLUMN newest_event INTEGER NOT NULL DEFAULT 0;
-- Of a sub-user: why its reseller was told that it is unusable. NULL: it was told that it is usable.
ALTER TABLE accounts ADD COLUMN told_reason TEXT;
-- When the reseller was told that its balance is below this one. NULL: it was not.
ALTER TABLE low_balances ADD COLUMN told_at_ms INTEGER;
-- Whether all accounts of the reseller were judged since it has this price: usable or not. 0 or 1.
ALTER TABLE prices ADD COLUMN is_judged INTEGER NOT NULL DEFAULT 0;
UPDATE prices SET is_judged = 1;
CREATE INDEX prices_to_judge ON prices (reseller) WHERE is_judged = 0;

UPDATE low_balances SET told_at_ms = (
  SELECT since_ms FROM alarms WHERE alarms.kind = 'low_balance' AND alarms.subject = low_balances.reseller);
DELETE FROM alarms WHERE kind = 'low_balance';

-- Nobody was told anything yet: the log begins with what holds now.
UPDATE accounts AS account SET told_reason = CASE
  WHEN suspended_at_ms IS NOT NULL THEN 'suspended'
  WHEN expires_at_ms <= CAST(unixepoch('subsec') * 1000 AS INTEGER) THEN 'expired'
  WHEN (SELECT balance_cents FROM live_accounts AS live
      WHERE live.reseller = account.reseller AND live.username = account.username) <= 0
    AND EXISTS (SELECT 1 FROM current_prices AS price
      WHERE price.reseller = account.reseller AND price.micro_usd_per_gb IS NOT NULL) THEN 'exhausted'
  WHEN day_bytes <= (SELECT COALESCE(sum(CAST(bytes_up + bytes_down AS REAL)), 0) FROM usage_days AS used
      WHERE used.reseller = account.reseller AND used.username = account.username AND day = unixepoch() / 86400)
    OR month_bytes <= (SELECT COALESCE(sum(CAST(bytes_up + bytes_down AS REAL)), 0) FROM usage_days AS used
      WHERE used.reseller = account.reseller AND used.username = account.username
        AND day BETWEEN unixepoch('now', 'start of month') / 86400 AND unixepoch() / 86400)
    OR total_bytes <= (SELECT COALESCE(sum(CAST(bytes_up + bytes_down AS REAL)), 0) FROM usage_days AS used
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
