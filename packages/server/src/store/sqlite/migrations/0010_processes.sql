-- breaking: no

-- What `open_connections` has, for edges that name their processes: one row for each process. Edges that name none, and
-- older versions, go on with `open_connections`.
CREATE TABLE open_in_processes (
  username TEXT NOT NULL,
  edge TEXT NOT NULL,
  process TEXT NOT NULL,
  open INTEGER NOT NULL CONSTRAINT open_in_processes_not_negative CHECK (open >= 0),
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (username, edge, process)
) STRICT, WITHOUT ROWID;
CREATE INDEX open_in_processes_by_time ON open_in_processes (at_ms);
