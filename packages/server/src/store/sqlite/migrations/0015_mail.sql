-- breaking: no

-- The mails of each kind to each person: what is to be told (`notices` of it, the first of them in `told` as lines of
-- JSON), and the mail that is being sent, which has these of it. So there are never more rows than people and kinds. A
-- row is added in the transaction of what it tells, and never deleted before its person.
CREATE TABLE outbox (
  person TEXT NOT NULL,
  kind TEXT NOT NULL,
  notices INTEGER NOT NULL CONSTRAINT outbox_notices_not_negative CHECK (notices >= 0),
  told TEXT NOT NULL,
  -- How many mails were begun.
  number INTEGER NOT NULL DEFAULT 0,
  -- The mail that is being sent; 0 notices if there is none.
  mail_notices INTEGER NOT NULL DEFAULT 0,
  mail_told TEXT NOT NULL DEFAULT '',
  begun_at_ms INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  failure TEXT,
  given_up INTEGER NOT NULL DEFAULT 0,
  -- Before this time, nobody takes the mail, or makes the next one.
  next_at_ms INTEGER NOT NULL,
  PRIMARY KEY (person, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_by_time ON outbox (next_at_ms) WHERE notices > 0 OR mail_notices > 0;

-- Which mails people have chosen, or said no to. For the others, the default of their kind counts.
CREATE TABLE mail_choices (
  person TEXT NOT NULL,
  kind TEXT NOT NULL,
  wanted INTEGER NOT NULL CONSTRAINT mail_choices_yes_or_no CHECK (wanted IN (0, 1)),
  PRIMARY KEY (person, kind)
) STRICT, WITHOUT ROWID;

-- What lasts and was told: a reseller whose balance is low, an edge that is silent, a verification that failed.
CREATE TABLE alarms (
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  since_ms INTEGER NOT NULL,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;

-- `on` if the service that was started last sends mail. Otherwise nothing is written into the outbox.
INSERT INTO meta (name, value) VALUES ('mail', 'off');
