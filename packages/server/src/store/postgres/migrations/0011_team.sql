-- breaking: no

-- What a person of a reseller may do: owner, manager or viewer. NULL: an operator, or an owner of a time before roles.
ALTER TABLE people ADD COLUMN role text CONSTRAINT people_role CHECK (role IN ('owner', 'manager', 'viewer'));

-- People who were removed, so that their acts still say who did them. Rows never change.
CREATE TABLE removed_people (
  id text COLLATE "C" PRIMARY KEY,
  email text COLLATE "C" NOT NULL,
  reseller text COLLATE "C",
  removed_at_ms bigint NOT NULL
);

-- `reseller` is now also that of the person, and the one that an act of an operator is about. Older versions write it for
-- programs only.
UPDATE acts SET reseller = people.reseller FROM people
WHERE people.id = acts.person AND people.reseller IS NOT NULL AND acts.reseller IS NULL;
CREATE INDEX acts_by_reseller ON acts (reseller, number);
