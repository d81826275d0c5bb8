-- breaking: no

-- What changes with an id did, for 48 hours at least. Older versions do not write it, and need not read it.
CREATE TABLE changes (
  reseller text COLLATE "C" NOT NULL,
  change_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  username text COLLATE "C",
  amount_cents bigint,
  balance_cents bigint,
  error text COLLATE "C",
  at_ms bigint NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (reseller, change_id)
);
-- Finds the oldest changes, which are forgotten first.
CREATE INDEX changes_by_time ON changes (at_ms);

-- What each batch of changes with ids does, as functions for the reasons in 0006_batches.sql. Plans are kept, so each
-- statement finds its rows by a whole key or by the index of times, however small the table was when it was planned.

-- Returns for each name whether a change with it is recorded.
CREATE FUNCTION find_changes(resellers text[], change_ids text[]) RETURNS boolean[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(
    SELECT (
      SELECT true FROM changes
      WHERE changes.reseller = given.reseller AND changes.change_id = given.change_id LIMIT 1
    ) IS NOT NULL
    FROM unnest(resellers, change_ids) WITH ORDINALITY AS given (reseller, change_id, place) ORDER BY place
  );
END $$;

-- Records changes, and forgets the oldest ones from before a time, at most so many. What another batch forgets is left out.
CREATE FUNCTION write_changes(
  resellers text[], change_ids text[], kinds text[], usernames text[], amounts bigint[], balances bigint[], errors text[],
  times bigint[], request_ids text[], forgotten_before bigint, most integer
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (reseller, change_id, kind, username, amount_cents, balance_cents, error, at_ms, request_id)
  SELECT * FROM unnest(resellers, change_ids, kinds, usernames, amounts, balances, errors, times, request_ids);
  DELETE FROM changes WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM changes WHERE at_ms < forgotten_before ORDER BY at_ms LIMIT most FOR UPDATE SKIP LOCKED
  ));
END $$;
