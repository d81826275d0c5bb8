-- breaking: no

-- Finds movements by their references. Operators search over all resellers. It reads the whole table, so it is a script of its
-- own, and locks nothing that reads need.
CREATE INDEX transfers_by_reference ON transfers (reference, reseller, id) WHERE reference IS NOT NULL;
