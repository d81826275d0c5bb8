import type { CheckRefusal } from '@bursar/contract/edge';
import type { NoCounter } from './account/account-counters.ts';

/** Why a request is refused, before or after its destination was tried. */
export interface Refusal {
	/** What the log and `X-Bursar-Reason` say. */
	readonly reason: RefusalReason;
	readonly status: number;
	readonly text: string;
	/** After how many seconds it is worth a try. */
	readonly retryAfterSeconds?: number | undefined;
}

export type RefusalReason =
	| CheckRefusal
	| NoCounter
	| 'mixed'
	| 'too_many_of_client'
	| 'refused_destination'
	| 'closed_port'
	| 'unresolvable'
	| 'invalid_options';

const REFUSALS: Readonly<Record<RefusalReason, readonly [status: number, text: string, retryAfterSeconds?: number]>> = {
	wrong_pair: [407, 'The username or the password is wrong.'],
	throttled: [429, 'Too many wrong passwords came from this address.', 10],
	unavailable: [503, 'The password cannot be checked now.', 2],
	exhausted: [402, 'Nothing is left of the balance of this account.'],
	suspended: [403, 'This account is suspended.'],
	expired: [403, 'This account has expired.'],
	address_not_allowed: [403, 'This account cannot be used from this address.'],
	limit_reached: [429, 'This account has reached a limit of its bytes or of its connections.', 2],
	no_room: [503, 'This proxy serves too many accounts.', 60],
	too_many_of_account: [429, 'This account has too many connections.', 2],
	mixed: [400, 'Requests of two accounts overlap on one connection.'],
	too_many_of_client: [429, 'This address has too many connections.', 2],
	invalid_options: [400, 'The options behind the key in the password are not known here, or cannot be read.'],
	refused_destination: [403, 'This destination is not served here.'],
	closed_port: [403, 'This port is not served here.'],
	unresolvable: [502, 'The host name has no address.'],
};

export function refusalOf(reason: RefusalReason): Refusal {
	const [status, text, retryAfterSeconds] = REFUSALS[reason];
	return { reason, status, text, retryAfterSeconds };
}
