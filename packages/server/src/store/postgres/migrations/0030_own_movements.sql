-- breaking: no

-- Finds the movements that changed the balance of the reseller itself. Most movements are bandwidth, which sub-users pay from
-- their own balances. It reads the whole table, so it is a script of its own, and locks nothing that reads need.
CREATE INDEX transfers_of_own_balance ON transfers (reseller, id) WHERE debit = reseller OR credit = reseller;
