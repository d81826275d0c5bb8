-- breaking: no

-- What a reseller's person noted on a give or a take, by its request. Rows never change. It is a table of its own, so that
-- the ledger is written as before: programs, which move most of the money, write no notes.
CREATE TABLE movement_notes (
  request_id TEXT PRIMARY KEY,
  reseller TEXT NOT NULL,
  note TEXT NOT NULL
) STRICT, WITHOUT ROWID;
