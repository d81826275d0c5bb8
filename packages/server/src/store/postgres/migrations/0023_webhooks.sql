-- breaking: no

-- Where resellers want their events to be sent, and how far each webhook is. There is no queue: the events are in the log.
CREATE TABLE webhook_endpoints (
  id text COLLATE "C" NOT NULL PRIMARY KEY,
  reseller text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  -- The types of events that it wants, with commas between them. NULL: all.
  types text COLLATE "C",
  -- Why it is switched off. NULL: it is on.
  off_reason text COLLATE "C",
  sealed_secret text COLLATE "C" NOT NULL,
  -- The secret before the present one, and until when both sign.
  sealed_previous_secret text COLLATE "C",
  previous_until_ms bigint,
  -- The event that it has reached. The id is NULL if it is not known.
  reached_number bigint NOT NULL,
  reached_id text COLLATE "C",
  -- The first failed try since the last delivery, and how many have failed since.
  failing_since_ms bigint,
  failed_tries bigint NOT NULL DEFAULT 0,
  -- Before this time, nothing is sent.
  next_at_ms bigint NOT NULL,
  -- When a test event was asked for. NULL: none is to be sent.
  test_at_ms bigint,
  -- How many tries there were, ever.
  all_tries bigint NOT NULL DEFAULT 0,
  -- The process that delivers to it, and until when no other one does.
  lease_owner text COLLATE "C",
  lease_until_ms bigint NOT NULL DEFAULT 0,
  created_at_ms bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX webhook_endpoints_of_reseller ON webhook_endpoints (reseller);

-- The last tries of each webhook. A new one takes the slot of the oldest.
CREATE TABLE webhook_tries (
  webhook text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  event_number bigint NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  at_ms bigint NOT NULL,
  -- The status of the answer. NULL: there was none, and this is why.
  status bigint,
  failure text COLLATE "C",
  took_ms bigint NOT NULL,
  -- The beginning of the answer, or a sentence about the failure.
  answer text COLLATE "C" NOT NULL,
  PRIMARY KEY (webhook, slot)
);
