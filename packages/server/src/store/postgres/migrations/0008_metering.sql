-- breaking: no

-- What a GB costs the accounts of a reseller, up and down together, and what it cost before. Rows are added; only
-- `replaced_at_ms` changes. In micro-dollars; NULL: bandwidth costs nothing. What was used before `metered_since_ms` is
-- never charged.
CREATE TABLE prices (
  reseller text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  micro_usd_per_gb bigint CONSTRAINT prices_in_range CHECK (micro_usd_per_gb BETWEEN 1 AND 1000000000),
  metered_since_ms bigint NOT NULL,
  set_at_ms bigint NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  replaced_at_ms bigint,
  PRIMARY KEY (reseller, number)
);
CREATE UNIQUE INDEX prices_are_one_at_a_time ON prices (reseller) WHERE replaced_at_ms IS NULL;
CREATE VIEW current_prices AS SELECT * FROM prices WHERE replaced_at_ms IS NULL;

-- What each account used at each price, what that costs, and what became of it. Usage batches add to `bytes` and to the
-- cost, and commands to the rest. The cost is the bytes times the price: whole cents, and units of 10^-13 of a cent.
-- Pages keep free space, so that a changed row fits on the page of the old one and no index has to change.
CREATE TABLE meters (
  reseller text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  price integer NOT NULL,
  micro_usd_per_gb bigint NOT NULL,
  bytes bigint NOT NULL CONSTRAINT meters_bytes_in_range CHECK (bytes BETWEEN 0 AND 9007199254740991),
  cost_cents bigint NOT NULL,
  cost_rest bigint NOT NULL CONSTRAINT meters_rest_is_less_than_a_cent CHECK (cost_rest BETWEEN 0 AND 9999999999999),
  charged_cents bigint NOT NULL DEFAULT 0,
  uncollected_cents bigint NOT NULL DEFAULT 0,
  -- The bytes when it was last settled, and since when something is due.
  settled_bytes bigint NOT NULL DEFAULT 0,
  due_since_ms bigint NOT NULL,
  CONSTRAINT meters_settle_no_more_than_the_cost CHECK (charged_cents + uncollected_cents BETWEEN 0 AND cost_cents),
  PRIMARY KEY (reseller, username, price)
) WITH (fillfactor = 70);

-- Each time that something due was settled. Rows never change. The ledger has an entry of the same request, unless
-- nothing was charged. `from_bytes`: what the meter had settled before.
CREATE TABLE usage_charges (
  reseller text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  price integer NOT NULL,
  micro_usd_per_gb bigint NOT NULL,
  from_bytes bigint NOT NULL,
  bytes bigint NOT NULL,
  charged_cents bigint NOT NULL,
  uncollected_cents bigint NOT NULL,
  since_ms bigint NOT NULL,
  at_ms bigint NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (reseller, username, price, from_bytes)
);
CREATE INDEX usage_charges_by_time ON usage_charges (reseller, at_ms, username);
CREATE INDEX usage_charges_uncollected ON usage_charges (reseller, at_ms) WHERE uncollected_cents > 0;

-- What was used on a day costs this. The same in `usage_reseller_days`, for all accounts together.
ALTER TABLE usage_days ADD COLUMN cost_cents bigint NOT NULL DEFAULT 0;
ALTER TABLE usage_days ADD COLUMN cost_rest bigint NOT NULL DEFAULT 0;
ALTER TABLE usage_reseller_days ADD COLUMN cost_cents bigint NOT NULL DEFAULT 0;
ALTER TABLE usage_reseller_days ADD COLUMN cost_rest bigint NOT NULL DEFAULT 0;

-- Accounts with the balance that everybody reads: what the ledger has, less what is due. A balance that is damaged, and so
-- below zero, stays as it is.
CREATE VIEW live_accounts AS SELECT reseller, username, sealed_auth_key, created_at_ms,
  balance_cents - least(greatest(balance_cents, 0), COALESCE((
    SELECT sum(cost_cents - charged_cents - uncollected_cents) FROM meters
    WHERE meters.reseller = accounts.reseller AND meters.username = accounts.username), 0)::bigint) AS balance_cents
FROM accounts;

-- What accounts owe for bandwidth, for `lock_sub_users_first` and the same accounts: for each due the place of the account,
-- the number of the price, the price, the bytes before it and of it, the cents, and since when, one after the other.
CREATE FUNCTION find_dues(resellers text[], usernames text[]) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  dues bigint[] := ARRAY[]::bigint[];
  due bigint[];
BEGIN
  FOR due IN
    SELECT ARRAY[given.place, found.price, found.micro_usd_per_gb, found.settled_bytes, found.bytes, found.cents, found.due_since_ms]
    FROM unnest(resellers, usernames) WITH ORDINALITY AS given (reseller, username, place)
    CROSS JOIN LATERAL (
      SELECT meters.price, meters.micro_usd_per_gb, settled_bytes, meters.bytes - settled_bytes AS bytes,
        cost_cents - charged_cents - uncollected_cents AS cents, due_since_ms
      FROM meters
      WHERE meters.reseller = given.reseller AND meters.username = given.username
        AND cost_cents > charged_cents + uncollected_cents ORDER BY meters.price
    ) AS found
  LOOP
    dues := dues || due;
  END LOOP;
  RETURN dues;
END $$;
