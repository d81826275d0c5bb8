-- breaking: no

-- How many bytes of an account pass in a second, up and down each, on each edge. NULL: no limit.
ALTER TABLE accounts ADD COLUMN bytes_per_second bigint;

CREATE OR REPLACE VIEW live_accounts AS SELECT reseller, username, sealed_auth_key, created_at_ms,
  balance_cents - least(greatest(balance_cents, 0), COALESCE((
    SELECT sum(cost_cents - charged_cents - uncollected_cents) FROM meters
    WHERE meters.reseller = accounts.reseller AND meters.username = accounts.username), 0)::bigint) AS balance_cents,
  suspended_at_ms, day_bytes, month_bytes, total_bytes, connections, allowed_ips, expires_at_ms, note, bytes_per_second
FROM accounts;

-- As before, with the speed. A function cannot get a further column, so it is made again. Older processes read its columns by
-- name, and go on with it.
DROP FUNCTION find_pairs(text[], integer, integer, bigint);
CREATE FUNCTION find_pairs(usernames text[], first_of_month integer, today integer, open_since_ms bigint)
RETURNS TABLE (username text, reseller text, sealed_auth_key text, allowed_ips text, connections integer,
  bytes_per_second bigint, open text, live_cents bigint, micro_usd_per_gb bigint, rest_units bigint, has_paid boolean, suspended_at_ms bigint,
  reseller_suspended_at_ms bigint, debt_cents bigint, debt_line_cents bigint, expires_at_ms bigint, left_of_day bigint,
  left_of_month bigint, left_of_total bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT account.username, account.reseller, account.sealed_auth_key, account.allowed_ips, account.connections,
    account.bytes_per_second,
    CASE WHEN account.connections IS NOT NULL THEN (
      -- The condition on the time stands here, or a plan could read all rows by their times.
      SELECT json_agg(json_build_object('edge', edge, 'process', process, 'open', said.open))
        FILTER (WHERE said.open > 0 AND at_ms > open_since_ms)::text
      FROM (
        SELECT edge, '' AS process, open_connections.open, at_ms FROM open_connections
        WHERE open_connections.username = account.username
        UNION ALL
        SELECT edge, process, open_in_processes.open, at_ms FROM open_in_processes
        WHERE open_in_processes.username = account.username
      ) AS said) END,
    account.balance_cents, price.micro_usd_per_gb, meter.cost_rest,
    EXISTS (SELECT 1 FROM meters WHERE meters.reseller = account.reseller AND meters.username = account.username),
    CASE WHEN account.username <> account.reseller THEN account.suspended_at_ms END, own.suspended_at_ms,
    own.debt_cents, own.debt_line_cents, account.expires_at_ms,
    CASE WHEN account.day_bytes IS NOT NULL THEN account.day_bytes - (
      SELECT COALESCE(sum(CAST(bytes_up + bytes_down AS double precision)), 0)::bigint FROM usage_days
      WHERE usage_days.reseller = account.reseller AND usage_days.username = account.username AND day = today) END,
    CASE WHEN account.month_bytes IS NOT NULL THEN account.month_bytes - (
      SELECT COALESCE(sum(CAST(bytes_up + bytes_down AS double precision)), 0)::bigint FROM usage_days
      WHERE usage_days.reseller = account.reseller AND usage_days.username = account.username
        AND day BETWEEN first_of_month AND today) END,
    CASE WHEN account.total_bytes IS NOT NULL THEN account.total_bytes - (
      SELECT COALESCE(sum(CAST(bytes_up + bytes_down AS double precision)), 0)::bigint FROM usage_days
      WHERE usage_days.reseller = account.reseller AND usage_days.username = account.username) END
  FROM unnest(usernames) AS given (username)
  CROSS JOIN LATERAL (
    SELECT reseller FROM usernames AS register WHERE register.username = given.username LIMIT 1
  ) AS register
  CROSS JOIN LATERAL (
    SELECT * FROM live_accounts
    WHERE live_accounts.reseller = register.reseller AND live_accounts.username = given.username LIMIT 1
  ) AS account
  CROSS JOIN LATERAL (
    SELECT suspended_at_ms, debt_cents, debt_line_cents FROM accounts
    WHERE accounts.reseller = register.reseller AND accounts.username = register.reseller LIMIT 1
  ) AS own
  LEFT JOIN LATERAL (
    SELECT number, micro_usd_per_gb FROM current_prices WHERE current_prices.reseller = register.reseller LIMIT 1
  ) AS price ON true
  LEFT JOIN LATERAL (
    SELECT cost_rest FROM meters
    WHERE meters.reseller = register.reseller AND meters.username = given.username AND meters.price = price.number LIMIT 1
  ) AS meter ON true;
END $$;
