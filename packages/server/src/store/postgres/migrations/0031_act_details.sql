-- breaking: no

-- What an act did, with its values before and after, as JSON of at most 4 KiB; NULL for acts that say it all, and for older ones.
-- And the account that it is about, so that the acts of one sub-user are found; NULL for none, and if it is about several.
ALTER TABLE acts ADD COLUMN details text;
ALTER TABLE acts ADD COLUMN username text COLLATE "C";
UPDATE acts SET username = split_part(target, ' ', 1)
WHERE target <> '' AND NOT (kind = 'show_auth_key' AND strpos(target, ' ') > 0)
  AND kind IN ('create_sub_user', 'give_balance', 'take_balance', 'show_auth_key', 'reset_auth_key', 'suspend_sub_user',
    'resume_sub_user', 'set_limits', 'set_note', 'delete_sub_user', 'correct_usage');
CREATE INDEX acts_by_account ON acts (reseller, username, number) WHERE username IS NOT NULL;
