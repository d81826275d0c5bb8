-- breaking: no

-- What an act did, with its values before and after, as JSON of at most 4 KiB; NULL for acts that say it all, and for older ones.
-- And the account that it is about, so that the acts of one sub-user are found; NULL for none, and if it is about several.
ALTER TABLE acts ADD COLUMN details TEXT;
ALTER TABLE acts ADD COLUMN username TEXT;
CREATE INDEX acts_by_account ON acts (reseller, username, number) WHERE username IS NOT NULL;
