/**
 * Why a webhook is off. `switched_off`: by its reseller. `gone`: the receiver has answered 410. `failing`: for three days.
 * `events_expired`, `events_rewound`: the log does not have what comes next, so it wants a position. `copied`: the store is a
 * copy. `secret_lost`: the master key was lost, and the secret with it.
 */
export const OFF_REASONS = [
	'switched_off',
	'gone',
	'failing',
	'events_expired',
	'events_rewound',
	'copied',
	'secret_lost',
] as const;
export type OffReason = (typeof OFF_REASONS)[number];
