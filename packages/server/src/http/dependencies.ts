import type { Logger } from 'pino';
import type { Bank } from '../bank/bank.ts';
import type { ResellerReads } from '../store/reseller-reads.ts';
import type { Authenticator } from './authenticator.ts';
import type { ListenerLimits } from './hardened-server.ts';
import type { RequestMetrics } from './metrics.ts';

/** All that the public side is built from. Each part of it takes of this what it needs. */
export interface AppDependencies {
	readonly store: ResellerReads;
	readonly bank: Bank;
	readonly authenticator: Authenticator;
	readonly logger: Logger;
	readonly metrics: RequestMetrics;
	/** Unix milliseconds. */
	readonly nowMs: () => number;
	/** Whether any content type, and amounts as decimal strings, are accepted. */
	readonly lenient: boolean;
	readonly version: string;
	/** Shorter ones are for tests. */
	readonly requestTimeouts?: RequestTimeouts | undefined;
}

/** The times of `ListenerLimits` that are about one request. */
export type RequestTimeouts = Pick<ListenerLimits, 'requestMs' | 'headersMs' | 'checkMs'>;
