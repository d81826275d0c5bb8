import type { TestContext } from 'node:test';
import { startTestService, type TestService } from '@bursar/testing/service';
import { BursarClient, type BursarClientOptions } from '../../src/index.ts';
import {
	type Fate,
	type UnreliableFetch,
	unreliableFetch,
	withoutChangeIds,
	withoutExpiry,
} from './unreliable-fetch.ts';

/** Longer than late requests take, and far less than the client's default. */
const SETTLE_MS = 400;
/** So that a request expires soon. */
const PATIENCE = { timeoutMs: 4_000, afterExpiryMs: 1_000 };

type Fates = Readonly<Record<string, readonly Fate[]>>;

interface UnreliableClient {
	readonly client: BursarClient;
	readonly way: UnreliableFetch;
}

/** A service with one reseller, and clients for it. */
export interface ServedReseller {
	readonly service: TestService;
	readonly token: string;
	/** A client whose requests never fail. */
	readonly reliable: BursarClient;
	/**
	 * A client whose requests meet the given fates, by the last part of their path. To it, the service does not seem
	 * to know change ids or expiry, so it waits `settleMs`: that is faster than waiting for an expiry.
	 */
	unreliable(fates: Fates, options?: BursarClientOptions): UnreliableClient;
	/** The same, but it sees that the service honours expiry. */
	expiring(fates: Fates, options?: BursarClientOptions): UnreliableClient;
	/** The same, but it also sees that the service knows change ids. */
	withIds(fates: Fates, options?: BursarClientOptions): UnreliableClient;
}

export async function serveReseller(test: TestContext, balanceCents = 10_000): Promise<ServedReseller> {
	const service = await startTestService(test);
	const { token } = await service.openReseller('acme', balanceCents);
	const options = { baseUrl: service.url, token, settleMs: SETTLE_MS };
	return {
		service,
		token,
		reliable: new BursarClient(options),
		unreliable(fates, more = {}) {
			const way = unreliableFetch(fates, withoutExpiry(fetch));
			return { client: new BursarClient({ ...options, fetch: way.fetch, ...more }), way };
		},
		expiring(fates, more = {}) {
			const way = unreliableFetch(fates, withoutChangeIds(fetch));
			return { client: new BursarClient({ ...options, ...PATIENCE, fetch: way.fetch, ...more }), way };
		},
		withIds(fates, more = {}) {
			const way = unreliableFetch(fates);
			return { client: new BursarClient({ ...options, ...PATIENCE, fetch: way.fetch, ...more }), way };
		},
	};
}

/** The same, with the sub-user alice. */
export async function serveAlice(test: TestContext, balanceCents?: number): Promise<ServedReseller> {
	const served = await serveReseller(test, balanceCents);
	await served.reliable.createSubUser('alice');
	return served;
}
