/** A suspended sub-user is `suspended`, expired or not. */
export const SUB_USER_STATES = ['active', 'suspended', 'expired'] as const;
export type SubUserState = (typeof SUB_USER_STATES)[number];

/**
 * Whether the proxies accept the pair of an account, and if not, why. In the order of this list, the first reason that is
 * true is given. `no_balance`: it has never paid for bandwidth, and has no balance. `exhausted`: its balance is used up.
 */
export const PAIR_STATES = [
	'active',
	'suspended',
	'reseller_suspended',
	'expired',
	'reseller_in_debt',
	'no_balance',
	'exhausted',
	'limit_reached',
] as const;
export type PairState = (typeof PAIR_STATES)[number];

/**
 * Why the proxies refuse a pair, as programs are told it. The first reason that is true is given. `suspended` and `exhausted` may
 * also hold for the reseller.
 */
export const UNUSABLE_REASONS = ['suspended', 'expired', 'exhausted', 'limit_reached'] as const satisfies PairState[];
export type UnusableReason = (typeof UNUSABLE_REASONS)[number];

/** The limits of a sub-user, as `set_limits` names them. */
export const LIMIT_NAMES = [
	'day_bytes',
	'month_bytes',
	'total_bytes',
	'connections',
	'bytes_per_second',
	'allowed_ips',
	'expires_at',
] as const;

/** The kind of a movement in the statement. */
export const MOVEMENT_KINDS = [
	'top_up',
	'adjustment',
	'create_fee',
	'give',
	'take',
	'usage',
	'debt',
	'debt_payment',
	'debt_forgiven',
	'refund_debt',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];
