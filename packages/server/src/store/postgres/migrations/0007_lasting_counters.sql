-- breaking: no

-- Counts the counters of an edge that are never forgotten, without its other counters.
CREATE INDEX usage_counters_lasting ON usage_counters (edge) WHERE seen_day IS NULL;
