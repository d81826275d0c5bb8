-- breaking: no

-- What nearly every read of the reseller API does: finds accounts by their names, with their balances less what is due. To
-- plan it costs more than to run it, so PostgreSQL plans it once for each connection. The plan must not depend on how
-- large the tables are at that moment: it finds each account and its meters by their keys. `index` counts from 0. A name
-- without an account has no row.
CREATE FUNCTION find_live_accounts(resellers text[], usernames text[])
RETURNS TABLE (index integer, balance_cents bigint, sealed_auth_key text, created_at_ms bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  SELECT given.place::integer - 1, found.balance_cents, found.sealed_auth_key, found.created_at_ms
  FROM unnest(resellers, usernames) WITH ORDINALITY AS given (reseller, username, place)
  CROSS JOIN LATERAL (
    SELECT account.balance_cents, account.sealed_auth_key, account.created_at_ms FROM live_accounts AS account
    WHERE account.reseller = given.reseller AND account.username = given.username LIMIT 1
  ) AS found;
END $$;
