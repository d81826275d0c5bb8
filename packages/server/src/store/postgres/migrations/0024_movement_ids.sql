-- breaking: yes

-- Movements are counted for each reseller. Those that were made before keep their ids: of one reseller, they are unique, grow
-- with time, and have gaps.
ALTER TABLE transfers ALTER COLUMN id DROP IDENTITY;
-- The reseller's own name for the change that made the movement.
ALTER TABLE transfers ADD COLUMN change_id text COLLATE "C";
-- Of a give or a take: what it is for, as the reseller names it.
ALTER TABLE transfers ADD COLUMN reference text COLLATE "C";

-- Of a reseller's own account: the id of the newest movement of its money.
ALTER TABLE accounts ADD COLUMN newest_movement bigint NOT NULL DEFAULT 0;
UPDATE accounts
SET newest_movement = COALESCE((SELECT max(id) FROM transfers WHERE transfers.reseller = accounts.reseller), 0)
WHERE username = reseller;

-- The resellers among these accounts, for `lock_sub_users_first` and the same accounts: the place of each, 1 if it is
-- suspended, its debt, its line, the number of its newest event, and the id of its newest movement, one after the other. It is
-- called after the locks are held, and sees what was committed before. It has a name of its own: a process of an older version
-- that has not stopped yet would take these numbers for others.
DROP FUNCTION find_resellers(text[], text[]);
CREATE FUNCTION find_own_accounts(resellers text[], usernames text[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  all_found bigint[] := ARRAY[]::bigint[];
  one bigint[];
BEGIN
  FOR one IN
    SELECT ARRAY[given.place, (own.suspended_at_ms IS NOT NULL)::integer, own.debt_cents, own.debt_line_cents,
      own.newest_event, own.newest_movement]
    FROM unnest(resellers, usernames) WITH ORDINALITY AS given (reseller, username, place)
    CROSS JOIN LATERAL (
      SELECT suspended_at_ms, debt_cents, debt_line_cents, newest_event, newest_movement FROM accounts
      WHERE accounts.reseller = given.reseller AND accounts.username = given.reseller LIMIT 1
    ) AS own
    WHERE given.username = given.reseller
  LOOP
    all_found := all_found || one;
  END LOOP;
  RETURN all_found;
END $$;

-- Writes the balances of accounts, the newest movement of those of resellers (0 for a sub-user), and the movements that led to
-- them. Fails if one of the accounts does not exist.
DROP FUNCTION write_transfers(text[], text[], bigint[], text[], text[], text[], bigint[], text[], bigint[], text[], bigint[],
  bigint[], text[], text[], text[]);
CREATE FUNCTION write_movements(
  resellers text[], usernames text[], balances bigint[], newest_movements bigint[],
  movement_resellers text[], ids bigint[], debits text[], credits text[], amounts bigint[], kinds text[], times bigint[],
  request_ids text[], debit_balances bigint[], credit_balances bigint[], token_tails text[], addresses text[],
  wanted_usernames text[], change_ids text[], movement_references text[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  written integer;
BEGIN
  -- With ANY instead of `=`, the planner cannot use the order of the index, so it never reads all of it.
  UPDATE accounts SET balance_cents = given.balance_cents, newest_movement = given.newest_movement
  FROM unnest(resellers, usernames, balances, newest_movements)
    AS given (reseller, username, balance_cents, newest_movement)
  WHERE accounts.reseller = ANY (ARRAY[given.reseller]) AND accounts.username = ANY (ARRAY[given.username]);
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written <> cardinality(usernames) THEN
    RAISE data_exception
      USING MESSAGE = format('%s balances had to be written, but %s were', cardinality(usernames), written);
  END IF;
  INSERT INTO transfers (reseller, id, debit, credit, amount_cents, kind, at_ms, request_id, debit_balance_cents,
    credit_balance_cents, token_tail, address, wanted_username, change_id, reference)
  SELECT * FROM unnest(movement_resellers, ids, debits, credits, amounts, kinds, times, request_ids, debit_balances,
    credit_balances, token_tails, addresses, wanted_usernames, change_ids, movement_references);
END $$;
