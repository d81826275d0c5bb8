import type { AccountRefusal } from '@bursar/contract/dashboard';
import { texts } from '../../preferences/catalogue.ts';

/** What proxies refused of an account. */
export const refusalTexts = texts('refusalTexts', {
	title: 'Refusals',
	refused: 'Refused {at} at {edge}: {reason}',
	/** A hit of the search. */
	found: '{reseller}, refused {at} at {edge}: {reason}',
	none: 'No proxy has refused it in the last 8 days.',
	last8Days: 'In the last 8 days',
	reason: 'Reason',
	times: 'Times',
	last: 'Last',
	edge: 'Edge',
	network: 'From',
	unknown: 'Not known',
	reasons: {
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
	} as const satisfies Record<AccountRefusal, string>,
});
