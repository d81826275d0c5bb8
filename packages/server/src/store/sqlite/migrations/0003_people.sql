-- breaking: no

-- The people who sign in on the dashboard. A person without a reseller is an operator.
CREATE TABLE people (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  reseller TEXT,
  password_hash TEXT,
  created_at_ms INTEGER NOT NULL,
  locked_at_ms INTEGER
) STRICT, WITHOUT ROWID;

-- Links by the SHA-256 of their secret. A person has one at most.
CREATE TABLE invitations (
  person TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  purpose TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Sessions by the SHA-256 of their cookie's secret.
CREATE TABLE sessions (
  hash TEXT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  person TEXT NOT NULL,
  browser TEXT NOT NULL,
  address TEXT NOT NULL,
  signed_in_at_ms INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL,
  proven_at_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_person ON sessions (person);

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  person TEXT NOT NULL,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  last_used_at_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_by_person ON passkeys (person);

-- The secrets of one-time codes, sealed under the master key.
CREATE TABLE one_time_codes (
  person TEXT PRIMARY KEY,
  sealed_secret TEXT NOT NULL,
  last_step INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Recovery codes by their SHA-256. A code that was used is deleted.
CREATE TABLE recovery_codes (
  person TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (person, hash)
) STRICT, WITHOUT ROWID;

-- Counts of tries, by a hash of the e-mail address or the network that tries. Forgiven counts are deleted.
CREATE TABLE sign_in_tries (
  key TEXT PRIMARY KEY,
  forgiven_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_tries_by_age ON sign_in_tries (forgiven_at_ms);

-- Passkey challenges that were answered, until they expire.
CREATE TABLE used_challenges (
  hash TEXT PRIMARY KEY,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX used_challenges_by_age ON used_challenges (expires_at_ms);

-- What was done by people on the dashboard (`person`, `session`, `address`), by programs over the API (`reseller`,
-- `token_tail`, `address`) and on the operator's command line (`os_user`). A failed sign-in has the person and the
-- address. Each row is added in the transaction of its effect, and never changed. The request is also in the ledger rows
-- that it made, so that a statement can say who moved the money.
CREATE TABLE acts (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  request_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  person TEXT,
  session TEXT,
  address TEXT,
  reseller TEXT,
  token_tail TEXT,
  os_user TEXT
) STRICT;
CREATE INDEX acts_by_request ON acts (request_id);
CREATE INDEX acts_by_person ON acts (person, number);
