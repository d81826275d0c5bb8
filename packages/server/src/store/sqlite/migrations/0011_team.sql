-- breaking: no

-- What a person of a reseller may do: owner, manager or viewer. NULL: an operator, or an owner of a time before roles.
ALTER TABLE people ADD COLUMN role TEXT CONSTRAINT people_role CHECK (role IN ('owner', 'manager', 'viewer'));

-- People who were removed, so that their acts still say who did them. Rows never change.
CREATE TABLE removed_people (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  reseller TEXT,
  removed_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- `reseller` is now also that of the person, and the one that an act of an operator is about. Older versions write it for
-- programs only.
UPDATE acts SET reseller = (SELECT reseller FROM people WHERE people.id = acts.person)
WHERE person IS NOT NULL AND reseller IS NULL;
CREATE INDEX acts_by_reseller ON acts (reseller, number);
