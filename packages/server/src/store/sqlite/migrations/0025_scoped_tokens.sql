-- breaking: yes

-- Of a further token of a reseller: its public id, its name, its scopes and the networks from where it may be used, each with
-- spaces between. All are NULL for the one token. A version that does not know them would delete these rows.
ALTER TABLE tokens ADD COLUMN id TEXT;
ALTER TABLE tokens ADD COLUMN name TEXT;
ALTER TABLE tokens ADD COLUMN scopes TEXT;
ALTER TABLE tokens ADD COLUMN allowed_ips TEXT;

-- Bearer tokens of programs of the operator, by their SHA-256. `scopes` has spaces between.
CREATE TABLE operator_tokens (
  id TEXT NOT NULL PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  tail TEXT NOT NULL,
  scopes TEXT NOT NULL,
  made_at_ms INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  last_used_at_ms INTEGER
) STRICT, WITHOUT ROWID;

-- Of what a program of the operator did: the name of its token, and the last characters.
ALTER TABLE acts ADD COLUMN operator_token TEXT;
