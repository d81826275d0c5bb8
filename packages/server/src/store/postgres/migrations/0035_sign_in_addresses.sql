-- breaking: no

-- From where sub-users sign in without a password. `address` is the key of an address or of a /64, as `signInKey` writes it. An
-- address is in no /64 of another account: two processes may add both at once, and the primary key sees only equal ones. A
-- process of an older version does not know this table, and may delete an account.
CREATE TABLE sign_in_addresses (
  address text COLLATE "C" NOT NULL PRIMARY KEY,
  reseller text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  CONSTRAINT sign_in_addresses_overlap EXCLUDE USING gist ((address::inet) inet_ops WITH &&),
  FOREIGN KEY (reseller, username) REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX sign_in_addresses_of_account ON sign_in_addresses (reseller, username);

-- The resellers whose sub-users may sign in by address. Without its row, the addresses of a reseller are of no use.
CREATE TABLE sign_in_resellers (
  reseller text COLLATE "C" NOT NULL PRIMARY KEY
);
