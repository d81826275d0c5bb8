import type { PairRefusal } from '../agent/read-answers.ts';
import type { NoCounter } from './account/account-counters.ts';

/** Why a request is refused, before or after its destination was tried. */
export interface Refusal {
	/** The name of the reason in the log and in `X-Bursar-Reason`. */
	readonly reason: RefusalReason;
	readonly status: number;
	/** The reason in a few words. After a refused CONNECT, most clients show only this. */
	readonly phrase: string;
	readonly text: string;
	/** After how many seconds another try makes sense. */
	readonly retryAfterSeconds?: number | undefined;
}

export type RefusalReason = PairRefusal | NoCounter | 'mixed' | 'too_many_of_client' | NoWay;

/** Why a destination is not served. */
export type NoWay =
	| 'invalid_options'
	| 'closed_port'
	| 'denied_destination'
	| 'refused_destination'
	| 'unresolvable'
	| 'no_outgoing_address';

type Answer = readonly [status: number, phrase: string, text: string, retryAfterSeconds?: number];

const REFUSALS: Readonly<Record<RefusalReason, Answer>> = {
	wrong_pair: [407, 'Wrong username or password', 'The username or the password is wrong.'],
	throttled: [429, 'Too many wrong passwords', 'Too many wrong passwords came from this address.', 10],
	unavailable: [503, 'Password cannot be checked now', 'The password cannot be checked now.', 2],
	exhausted: [402, 'Balance used up', 'Nothing is left of the balance of this account.'],
	suspended: [403, 'Account suspended', 'This account is suspended.'],
	expired: [403, 'Account expired', 'This account has expired.'],
	address_not_allowed: [403, 'Address not allowed', 'This account cannot be used from this address.'],
	limit_reached: [429, 'Traffic limit reached', 'This account has reached a limit of its bytes.', 2],
	connection_limit_reached: [429, 'Too many connections', 'This account has as many connections as it may have.', 2],
	no_room: [503, 'Too many accounts', 'This proxy serves too many accounts.', 60],
	too_many_of_account: [
		429,
		'Too many connections of this account here',
		'This account has as many connections as this proxy allows.',
		2,
	],
	mixed: [400, 'Two accounts on one connection', 'Requests of two accounts overlap on one connection.'],
	too_many_of_client: [429, 'Too many connections of this address', 'This address has too many connections.', 2],
	invalid_options: [
		400,
		'Unknown options in the password',
		'The options behind the key in the password are not known here, or cannot be read.',
	],
	refused_destination: [403, 'Destination not allowed', 'This destination is not served here.'],
	denied_destination: [403, 'Destination denied', 'This network does not serve this destination.'],
	closed_port: [403, 'Port not allowed', 'This port is not served here.'],
	unresolvable: [502, 'Host name has no address', 'The host name has no address.'],
	no_outgoing_address: [
		502,
		'No outgoing address of this family',
		'The destination has only IPv4 addresses, or only IPv6 ones, and connections from here leave from the other kind.',
	],
};

export function refusalOf(reason: RefusalReason): Refusal {
	const [status, phrase, text, retryAfterSeconds] = REFUSALS[reason];
	return { reason, status, phrase, text, retryAfterSeconds };
}
