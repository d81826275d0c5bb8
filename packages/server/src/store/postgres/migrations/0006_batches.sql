-- breaking: no

-- What nearly every batch of commands does. PostgreSQL plans the statements of a function once for each connection, and
-- not again with each batch. The functions know no rule.
--
-- A plan is kept while the tables grow. So the statements are written such that every plan finds an account by its whole
-- key, if the planner is told not to read whole tables (enable_seqscan = off). A join with `=` would not do: for a small
-- table, the planner may read the whole index once and compare each account with each name.
--
-- After the first release they are never changed, because older versions may still call them. A version that needs other
-- statements adds functions with other names.

-- Locks accounts: those of sub-users in the order of their keys, then those of resellers. Every batch of a reseller waits
-- for the reseller's own account until the previous batch has committed. Meanwhile, it can lock those of sub-users.
-- Returns the balance of each name that was given, and NULL for a name without an account. Ends the time limit of
-- statements, which limits the wait.
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

-- Writes the balances of accounts, and the transfers that led to them. Fails if one of the accounts does not exist.
CREATE FUNCTION write_transfers(
  resellers text[], usernames text[], balances bigint[],
  transfer_resellers text[], debits text[], credits text[], amounts bigint[], kinds text[], times bigint[],
  request_ids text[], debit_balances bigint[], credit_balances bigint[], token_tails text[], addresses text[],
  wanted_usernames text[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written integer;
BEGIN
  -- With ANY instead of `=`, the planner cannot use the order of the index, so it never reads all of it.
  UPDATE accounts SET balance_cents = given.balance_cents
  FROM unnest(resellers, usernames, balances) AS given (reseller, username, balance_cents)
  WHERE accounts.reseller = ANY (ARRAY[given.reseller]) AND accounts.username = ANY (ARRAY[given.username]);
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written <> cardinality(usernames) THEN
    RAISE data_exception
      USING MESSAGE = format('%s balances had to be written, but %s were', cardinality(usernames), written);
  END IF;
  INSERT INTO transfers (reseller, debit, credit, amount_cents, kind, at_ms, request_id, debit_balance_cents,
    credit_balance_cents, token_tail, address, wanted_username)
  SELECT * FROM unnest(transfer_resellers, debits, credits, amounts, kinds, times, request_ids, debit_balances,
    credit_balances, token_tails, addresses, wanted_usernames);
END $$;
