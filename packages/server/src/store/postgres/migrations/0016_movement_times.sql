-- breaking: no

-- Finds the movements of a day. Rows are added in the order of their times, so a few bytes for each megabyte of rows are
-- enough, and writing a movement costs nothing more.
CREATE INDEX transfers_by_time ON transfers USING brin (at_ms) WITH (autosummarize = on);
