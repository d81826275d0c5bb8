-- breaking: yes

-- Of a further token of a reseller: its public id, its name, its scopes and the networks from where it may be used, each with
-- spaces between. All are NULL for the one token. A version that does not know them would delete these rows.
ALTER TABLE tokens ADD COLUMN id text COLLATE "C";
ALTER TABLE tokens ADD COLUMN name text COLLATE "C";
ALTER TABLE tokens ADD COLUMN scopes text COLLATE "C";
ALTER TABLE tokens ADD COLUMN allowed_ips text COLLATE "C";

-- Bearer tokens of programs of the operator, by their SHA-256. `scopes` has spaces between.
CREATE TABLE operator_tokens (
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  hash text COLLATE "C" NOT NULL UNIQUE,
  name text COLLATE "C" NOT NULL UNIQUE,
  tail text COLLATE "C" NOT NULL,
  scopes text COLLATE "C" NOT NULL,
  made_at_ms bigint NOT NULL,
  made_by text COLLATE "C" NOT NULL,
  expires_at_ms bigint NOT NULL,
  last_used_at_ms bigint
);

-- Of what a program of the operator did: the name of its token, and the last characters.
ALTER TABLE acts ADD COLUMN operator_token text COLLATE "C";
