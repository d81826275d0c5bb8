import { normalizeAllowedIp } from './allowed-ips.ts';

/**
 * Why a proxy refuses a client that names an account, or cuts it off, in a few words. The names of the reasons are those of
 * `X-Bursar-Reason`.
 */
export const ACCOUNT_REFUSALS = {
	wrong_pair: 'wrong username or password',
	throttled: 'too many wrong passwords from its address',
	unavailable: 'the password could not be checked',
	suspended: 'suspended',
	expired: 'expired',
	address_not_allowed: 'address not allowed',
	exhausted: 'balance used up',
	limit_reached: 'limit of bandwidth reached',
	connection_limit_reached: 'limit of open connections reached',
	too_many_of_account: 'more connections than the proxy allows',
	no_room: 'the proxy serves too many accounts',
	mixed: 'two accounts on one connection',
	invalid_options: 'unknown options in the password',
	closed_port: 'port not allowed',
	refused_destination: 'destination not allowed',
	denied_destination: 'destination denied by the network',
} as const;

export type AccountRefusal = keyof typeof ACCOUNT_REFUSALS;
export const ACCOUNT_REFUSAL_REASONS = Object.keys(ACCOUNT_REFUSALS) as readonly AccountRefusal[];

/**
 * The network by which a client is told: the /24 of an IPv4 address, the /48 of an IPv6 address. `undefined` if the text is
 * no address, and no network in one of these.
 */
export function clientNetwork(text: string): string | undefined {
	const [address = '', bits] = normalizeAllowedIp(text)?.split('/') ?? [];
	const least = address.includes(':') ? 48 : 24;
	return bits !== undefined && Number(bits) < least ? undefined : normalizeAllowedIp(`${address}/${least}`);
}
