import type { Bank } from '../../bank/bank.ts';
import type { TopUps } from '../../payments/top-ups.ts';
import type { ApiReads } from '../../store/tables/accounts/reads.ts';
import type { ClientAddresses } from '../server/client-address.ts';
import type { Authenticator } from './authenticator.ts';

/** Everything that the reseller routes are built from. Each route takes only what it needs. */
export interface ResellerDependencies {
	readonly store: ApiReads;
	readonly bank: Bank;
	readonly topUps: TopUps;
	readonly authenticator: Authenticator;
	readonly addressOf: ClientAddresses;
	/** Unix milliseconds. */
	readonly nowMs: () => number;
	/** Whether any content type, and amounts as decimal strings, are accepted. */
	readonly lenient: boolean;
	/** Whether webhooks may go to `http://127.0.0.1` and `http://localhost`. */
	readonly webhooksLoopback: boolean;
	/** How often the store is asked for requests that wait for events, in milliseconds. For tests. */
	readonly eventLookMs?: number | undefined;
}
