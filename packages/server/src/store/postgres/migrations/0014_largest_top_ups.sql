-- breaking: no

-- Finds the largest top-up of a reseller.
CREATE INDEX top_ups_by_amount ON top_ups (reseller, amount_cents);
