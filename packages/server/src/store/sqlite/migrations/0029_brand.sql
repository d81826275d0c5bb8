-- breaking: no

-- How the service looks, and who sends its statements and mails: one row, or none. `logo` is a PNG in base64, and `address`
-- has a line end between its lines.
CREATE TABLE brand (
  number INTEGER NOT NULL PRIMARY KEY CHECK (number = 1),
  name TEXT,
  color TEXT,
  logo TEXT,
  legal_name TEXT NOT NULL,
  address TEXT NOT NULL,
  tax_number TEXT NOT NULL
) STRICT, WITHOUT ROWID;
