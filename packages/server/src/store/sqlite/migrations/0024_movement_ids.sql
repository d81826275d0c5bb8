-- breaking: yes

-- Movements are counted for each reseller. Those that were made before keep their ids: of one reseller, they are unique, grow
-- with time, and have gaps. `position`: among the movements of all resellers, in the order of time. `counted`: the id of a
-- movement that was counted.
ALTER TABLE transfers RENAME COLUMN id TO position;
ALTER TABLE transfers ADD COLUMN counted INTEGER;
ALTER TABLE transfers ADD COLUMN id INTEGER GENERATED ALWAYS AS (COALESCE(counted, position)) VIRTUAL;
-- The reseller's own name for the change that made the movement.
ALTER TABLE transfers ADD COLUMN change_id TEXT;
-- Of a give or a take: what it is for, as the reseller names it.
ALTER TABLE transfers ADD COLUMN reference TEXT;

-- A process of an older version does not count. It stops once it sees this migration, and writes no movement until then.
CREATE TRIGGER transfers_are_counted BEFORE INSERT ON transfers WHEN NEW.counted IS NULL
BEGIN SELECT RAISE(ABORT, 'each movement of a reseller has a number'); END;

DROP INDEX transfers_by_reseller;
CREATE UNIQUE INDEX transfers_by_reseller ON transfers (reseller, id);
-- Operators search over all resellers.
CREATE INDEX transfers_by_reference ON transfers (reference, reseller, id) WHERE reference IS NOT NULL;

-- Of a reseller's own account: the id of the newest movement of its money.
ALTER TABLE accounts ADD COLUMN newest_movement INTEGER NOT NULL DEFAULT 0;
UPDATE accounts
SET newest_movement = COALESCE((SELECT max(id) FROM transfers WHERE transfers.reseller = accounts.reseller), 0)
WHERE username = reseller;
