-- breaking: no

-- How the service looks, and who sends its statements and mails: one row, or none. `logo` is a PNG in base64, and `address`
-- has a line end between its lines.
CREATE TABLE brand (
  number bigint NOT NULL PRIMARY KEY CHECK (number = 1),
  name text COLLATE "C",
  color text COLLATE "C",
  logo text COLLATE "C",
  legal_name text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  tax_number text COLLATE "C" NOT NULL
);
