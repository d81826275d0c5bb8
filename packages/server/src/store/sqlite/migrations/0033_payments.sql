-- breaking: no

-- Payments through providers. A row is written before the provider hears of it. What the provider says of its object, such as
-- an invoice, is read again and again, and the difference to `booked_cents` is posted: see docs/decisions/0093.
CREATE TABLE payments (
  id TEXT NOT NULL PRIMARY KEY,
  reseller TEXT NOT NULL,
  provider TEXT NOT NULL,
  -- 1: it moves real money. 0: it is a test.
  is_live INTEGER NOT NULL,
  -- What was asked for.
  amount_cents INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  -- The reseller's own name for the change that made it.
  change_id TEXT,
  -- The id of the object at the provider, and what hints may also name it by. NULL while it is not known.
  object_id TEXT,
  intent_id TEXT,
  state TEXT NOT NULL,
  -- As the provider said it last.
  settled_cents INTEGER NOT NULL,
  refunded_cents INTEGER NOT NULL,
  disputed_cents INTEGER NOT NULL,
  -- What the ledger has of it, and in how many postings.
  booked_cents INTEGER NOT NULL,
  postings INTEGER NOT NULL,
  -- What does not fit, with spaces between. Empty: nothing.
  findings TEXT NOT NULL,
  -- Where it can be paid, and until when.
  page_url TEXT,
  expires_at_ms INTEGER,
  -- When the provider answered last, and how many reads have failed since.
  read_at_ms INTEGER,
  failed_reads INTEGER NOT NULL,
  -- When it is to be read again. NULL: only if somebody asks for it.
  next_read_at_ms INTEGER,
  -- How many reads have begun, and the number of the last one that was recorded.
  reads_begun INTEGER NOT NULL,
  last_read INTEGER NOT NULL,
  CHECK (booked_cents >= 0)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX payments_of_object ON payments (provider, object_id);
CREATE INDEX payments_of_intent ON payments (provider, intent_id);
CREATE INDEX payments_by_next_read ON payments (provider, is_live, next_read_at_ms) WHERE next_read_at_ms IS NOT NULL;
CREATE INDEX payments_by_time ON payments (created_at_ms, id);
CREATE INDEX payments_of_reseller ON payments (reseller, created_at_ms, id);
CREATE INDEX payments_waiting ON payments (reseller) WHERE state IN ('creating', 'open', 'processing');
CREATE INDEX payments_with_findings ON payments (created_at_ms, id) WHERE findings <> '';

-- Until when it was listed what had changed at each provider, in Unix milliseconds.
INSERT INTO meta (name, value) VALUES ('stripe_swept_ms', '0'), ('btcpay_swept_ms', '0');

-- The payment through a provider that brought it. NULL: a person or a program gave it.
ALTER TABLE top_ups ADD COLUMN payment TEXT;
CREATE INDEX top_ups_of_payment ON top_ups (payment) WHERE payment IS NOT NULL;
