-- breaking: yes

-- Facts about the store itself.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Every name on the platform, of resellers and sub-users. This table makes names unique.
CREATE TABLE usernames (
  username TEXT PRIMARY KEY,
  reseller TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  reseller TEXT NOT NULL,
  username TEXT NOT NULL,
  balance_cents INTEGER NOT NULL
    CONSTRAINT accounts_balance_in_range CHECK (balance_cents BETWEEN 0 AND 9007199254740991),
  sealed_auth_key TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (reseller, username)
) STRICT, WITHOUT ROWID;

-- Every movement of money. Rows are added and never changed. The table accepts any kind, so that a new kind needs no
-- migration. The rules and the verification know the kinds.
CREATE TABLE transfers (
  id INTEGER PRIMARY KEY,
  reseller TEXT NOT NULL,
  debit TEXT NOT NULL,
  credit TEXT NOT NULL,
  amount_cents INTEGER NOT NULL
    CONSTRAINT transfers_amount_in_range CHECK (amount_cents BETWEEN 1 AND 9007199254740991),
  kind TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  debit_balance_cents INTEGER CONSTRAINT transfers_debit_balance_not_negative CHECK (debit_balance_cents >= 0),
  credit_balance_cents INTEGER CONSTRAINT transfers_credit_balance_not_negative CHECK (credit_balance_cents >= 0),
  -- The program that asked over the API: the last four characters of its token, and its address.
  token_tail TEXT,
  address TEXT,
  -- Of a create fee: the sub-user's name that was asked for.
  wanted_username TEXT,
  CONSTRAINT transfers_sides_differ CHECK (debit <> credit)
) STRICT;
-- Statements are read by reseller and id. SQLite keeps the id in every index.
CREATE INDEX transfers_by_reseller ON transfers (reseller);
CREATE INDEX transfers_by_request ON transfers (request_id);

CREATE TRIGGER transfers_are_never_changed BEFORE UPDATE ON transfers
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER transfers_are_never_removed BEFORE DELETE ON transfers
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- The operator's payments, by their reference, with the first result of each.
CREATE TABLE top_ups (
  reference TEXT PRIMARY KEY,
  reseller TEXT NOT NULL,
  amount_cents INTEGER NOT NULL,
  balance_cents INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX top_ups_by_request ON top_ups (request_id);

-- Bearer tokens, by their SHA-256. Only the last four characters of a token are kept. `last_used_at_ms` is written
-- about once a minute.
CREATE TABLE tokens (
  hash TEXT PRIMARY KEY,
  reseller TEXT NOT NULL,
  tail TEXT NOT NULL CONSTRAINT tokens_tail_has_four_characters CHECK (length(tail) = 4),
  made_at_ms INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  expires_at_ms INTEGER,
  last_used_at_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_reseller ON tokens (reseller);

INSERT INTO meta (name, value) VALUES ('credentials_version', '1'), ('write_check', '0');
