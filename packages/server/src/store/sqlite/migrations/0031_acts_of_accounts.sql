-- breaking: no

-- The accounts of older acts.
UPDATE acts SET username = substr(target || ' ', 1, instr(target || ' ', ' ') - 1)
WHERE username IS NULL AND target <> '' AND NOT (kind = 'show_auth_key' AND instr(target, ' ') > 0)
  AND kind IN ('create_sub_user', 'give_balance', 'take_balance', 'show_auth_key', 'reset_auth_key', 'suspend_sub_user',
    'resume_sub_user', 'set_limits', 'set_note', 'delete_sub_user', 'correct_usage');
