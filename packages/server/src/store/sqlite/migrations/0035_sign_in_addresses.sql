-- breaking: no

-- From where sub-users sign in without a password. `address` is the key of an address or of a /64, as `signInKey` writes it. An
-- address is in no /64 of another account.
CREATE TABLE sign_in_addresses (
  address TEXT PRIMARY KEY,
  reseller TEXT NOT NULL,
  username TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_addresses_of_account ON sign_in_addresses (reseller, username);

-- The resellers whose sub-users may sign in by address. Without its row, the addresses of a reseller are of no use.
CREATE TABLE sign_in_resellers (
  reseller TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
