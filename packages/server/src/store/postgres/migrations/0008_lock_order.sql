-- breaking: no

-- Takes the place of lock_accounts, which locks accounts in the order of their keys. Every batch of a reseller waits for
-- the reseller's own account until the previous batch has committed. So that account comes last: meanwhile, the batch
-- locks the accounts of sub-users.

-- Locks accounts: those of sub-users in the order of their keys, then those of resellers. Returns the balance of each
-- name that was given, and NULL for a name without an account. Ends the time limit of statements, which limits the wait.
CREATE FUNCTION lock_sub_users_first(resellers text[], usernames text[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  balances bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(usernames)]);
  given_place integer;
  given_balance bigint;
BEGIN
  FOR given_place, given_balance IN
    SELECT given.place, found.balance_cents
    FROM (
      SELECT * FROM unnest(resellers, usernames) WITH ORDINALITY AS named (reseller, username, place)
      ORDER BY username = reseller, reseller COLLATE "C", username COLLATE "C"
    ) AS given
    CROSS JOIN LATERAL (
      SELECT balance_cents FROM accounts
      WHERE accounts.reseller = given.reseller AND accounts.username = given.username LIMIT 1 FOR UPDATE
    ) AS found
  LOOP
    balances[given_place] := given_balance;
  END LOOP;
  PERFORM set_config('statement_timeout', '0', true);
  RETURN balances;
END $$;
