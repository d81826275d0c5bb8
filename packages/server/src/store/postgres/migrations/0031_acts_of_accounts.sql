-- breaking: no

-- The accounts of older acts. It is a script of its own, because it takes long, and what 0031 locks would keep readers waiting.
UPDATE acts SET username = split_part(target, ' ', 1)
WHERE username IS NULL AND target <> '' AND NOT (kind = 'show_auth_key' AND strpos(target, ' ') > 0)
  AND kind IN ('create_sub_user', 'give_balance', 'take_balance', 'show_auth_key', 'reset_auth_key', 'suspend_sub_user',
    'resume_sub_user', 'set_limits', 'set_note', 'delete_sub_user', 'correct_usage');
