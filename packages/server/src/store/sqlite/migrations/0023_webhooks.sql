-- breaking: no

-- Where resellers want their events to be sent, and how far each webhook is. There is no queue: the events are in the log.
CREATE TABLE webhook_endpoints (
  id TEXT NOT NULL PRIMARY KEY,
  reseller TEXT NOT NULL,
  url TEXT NOT NULL,
  -- The types of events that it wants, with commas between them. NULL: all.
  types TEXT,
  -- Why it is switched off. NULL: it is on.
  off_reason TEXT,
  sealed_secret TEXT NOT NULL,
  -- The secret before the present one, and until when both sign.
  sealed_previous_secret TEXT,
  previous_until_ms INTEGER,
  -- The event that it has reached. The id is NULL if it is not known.
  reached_number INTEGER NOT NULL,
  reached_id TEXT,
  -- The first failed try since the last delivery, and how many have failed since.
  failing_since_ms INTEGER,
  failed_tries INTEGER NOT NULL DEFAULT 0,
  -- Before this time, nothing is sent.
  next_at_ms INTEGER NOT NULL,
  -- When a test event was asked for. NULL: none is to be sent.
  test_at_ms INTEGER,
  -- How many tries there were, ever.
  all_tries INTEGER NOT NULL DEFAULT 0,
  -- The process that delivers to it, and until when no other one does.
  lease_owner TEXT,
  lease_until_ms INTEGER NOT NULL DEFAULT 0,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_endpoints_of_reseller ON webhook_endpoints (reseller);

-- The last tries of each webhook. A new one takes the slot of the oldest.
CREATE TABLE webhook_tries (
  webhook TEXT NOT NULL,
  slot INTEGER NOT NULL,
  event_number INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  -- The status of the answer. NULL: there was none, and this is why.
  status INTEGER,
  failure TEXT,
  took_ms INTEGER NOT NULL,
  -- The beginning of the answer, or a sentence about the failure.
  answer TEXT NOT NULL,
  PRIMARY KEY (webhook, slot)
) STRICT, WITHOUT ROWID;
