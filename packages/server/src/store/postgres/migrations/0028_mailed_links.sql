-- breaking: no

-- The secret of a link that is to be mailed, sealed under the master key for its hash. It is removed once the mail was sent.
-- The mail itself is a row of `outbox` of the kind `link`, which has no notices.
ALTER TABLE invitations ADD COLUMN sealed_secret text COLLATE "C";
