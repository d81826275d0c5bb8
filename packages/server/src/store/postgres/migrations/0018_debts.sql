-- breaking: yes

-- What a reseller owes for bandwidth that no balance covered, and beyond which debt the proxies refuse its pairs. Only a
-- reseller's own account has a debt. The debt is what the side `platform:debt` of the ledger has paid for the reseller.
ALTER TABLE accounts
  ADD COLUMN debt_cents bigint NOT NULL DEFAULT 0
    CONSTRAINT accounts_debt_in_range CHECK (debt_cents BETWEEN 0 AND 9007199254740991),
  ADD COLUMN debt_line_cents bigint NOT NULL DEFAULT 500
    CONSTRAINT accounts_debt_line_in_range CHECK (debt_line_cents BETWEEN 0 AND 9007199254740991);

-- What is known of the resellers among these accounts, for `lock_sub_users_first` and the same accounts: the place of each,
-- 1 if it is suspended, its debt and its line, one after the other. It is called after the locks are held, and sees what was
-- committed before.
DROP FUNCTION find_suspended(text[], text[]);
CREATE FUNCTION find_resellers(resellers text[], usernames text[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  all_found bigint[] := ARRAY[]::bigint[];
  one bigint[];
BEGIN
  FOR one IN
    SELECT ARRAY[given.place, (own.suspended_at_ms IS NOT NULL)::integer, own.debt_cents, own.debt_line_cents]
    FROM unnest(resellers, usernames) WITH ORDINALITY AS given (reseller, username, place)
    CROSS JOIN LATERAL (
      SELECT suspended_at_ms, debt_cents, debt_line_cents FROM accounts
      WHERE accounts.reseller = given.reseller AND accounts.username = given.reseller LIMIT 1
    ) AS own
    WHERE given.username = given.reseller
  LOOP
    all_found := all_found || one;
  END LOOP;
  RETURN all_found;
END $$;

-- What balances did not cover until now stays uncollected: it was used when nobody had to pay it.
INSERT INTO usage_charges (reseller, username, price, micro_usd_per_gb, from_bytes, bytes, charged_cents, uncollected_cents,
  since_ms, at_ms, request_id)
SELECT reseller, username, price, micro_usd_per_gb, settled_bytes, bytes - settled_bytes, paid, cents - paid,
  due_since_ms, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 'migration-0018'
FROM (
  SELECT dues.*, greatest(0, least(cents, balance_cents - earlier)) AS paid
  FROM (
    SELECT meters.*, COALESCE(balance_cents, 0) AS balance_cents, cost_cents - charged_cents - uncollected_cents AS cents,
      SUM(cost_cents - charged_cents - uncollected_cents) OVER (PARTITION BY meters.reseller, meters.username) AS total,
      SUM(cost_cents - charged_cents - uncollected_cents) OVER (PARTITION BY meters.reseller, meters.username ORDER BY price)
        - (cost_cents - charged_cents - uncollected_cents) AS earlier
    FROM meters
    LEFT JOIN accounts ON accounts.reseller = meters.reseller AND accounts.username = meters.username
    WHERE cost_cents > charged_cents + uncollected_cents
  ) AS dues
  WHERE total > balance_cents
) AS overdrawn;
UPDATE meters SET charged_cents = meters.charged_cents + charges.charged_cents,
  uncollected_cents = meters.uncollected_cents + charges.uncollected_cents,
  settled_bytes = settled_bytes + charges.bytes, due_since_ms = charges.at_ms
FROM usage_charges AS charges
WHERE request_id = 'migration-0018' AND charges.reseller = meters.reseller AND charges.username = meters.username
  AND charges.price = meters.price;
INSERT INTO transfers (reseller, debit, credit, amount_cents, kind, at_ms, request_id, debit_balance_cents)
SELECT reseller, username, 'platform:usage', SUM(charged_cents), 'usage', MAX(at_ms), request_id, 0
FROM usage_charges WHERE request_id = 'migration-0018' GROUP BY reseller, username, request_id HAVING SUM(charged_cents) > 0;
UPDATE accounts SET balance_cents = 0
WHERE (reseller, username) IN (SELECT reseller, username FROM usage_charges WHERE request_id = 'migration-0018');
