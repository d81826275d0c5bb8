-- breaking: no

-- SQLite takes this index only if it also has the column of its condition. Otherwise it reads all counters of the edge.
DROP INDEX usage_counters_lasting;
CREATE INDEX usage_counters_lasting ON usage_counters (edge, seen_day) WHERE seen_day IS NULL;
