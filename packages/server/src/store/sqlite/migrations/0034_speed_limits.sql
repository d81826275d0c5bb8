-- breaking: no

-- How many bytes of an account pass in a second, up and down each, on each edge. NULL: no limit.
ALTER TABLE accounts ADD COLUMN bytes_per_second INTEGER;

DROP VIEW live_accounts;
CREATE VIEW live_accounts AS SELECT reseller, username, sealed_auth_key, created_at_ms,
  balance_cents - min(max(balance_cents, 0), COALESCE((
    SELECT sum(cost_cents - charged_cents - uncollected_cents) FROM meters
    WHERE meters.reseller = accounts.reseller AND meters.username = accounts.username), 0)) AS balance_cents,
  suspended_at_ms, day_bytes, month_bytes, total_bytes, connections, allowed_ips, expires_at_ms, note, bytes_per_second
FROM accounts;
