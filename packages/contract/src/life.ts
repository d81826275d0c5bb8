/** A suspended sub-user is `suspended`, expired or not. */
export const SUB_USER_STATES = ['active', 'suspended', 'expired'] as const;
export type SubUserState = (typeof SUB_USER_STATES)[number];

/** The limits of a sub-user, as `set_limits` names them. */
export const LIMIT_NAMES = [
	'day_bytes',
	'month_bytes',
	'total_bytes',
	'connections',
	'allowed_ips',
	'expires_at',
] as const;
