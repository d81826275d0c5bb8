-- breaking: no

-- Find the sub-users of which a reseller was told that they are unusable (also the suspended ones), and those that have an end.
CREATE INDEX accounts_told ON accounts (reseller, username, told_reason) WHERE told_reason IS NOT NULL;
DROP INDEX accounts_suspended;
DROP INDEX accounts_that_expire;
CREATE INDEX accounts_that_expire ON accounts (reseller, username, expires_at_ms, suspended_at_ms)
WHERE expires_at_ms IS NOT NULL;
