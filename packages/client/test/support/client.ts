import type { TestContext } from 'node:test';
import { startTestService, type TestService } from '@bursar/testing/service';
import { Bursar, type BursarOptions } from '../../src/index.ts';
import { type Fate, type UnreliableFetch, unreliableFetch } from './unreliable-fetch.ts';

/** So that a request expires soon. */
const PATIENCE = { timeoutMs: 4_000, afterExpiryMs: 1_000 };

/** A service with one reseller, and clients for it. */
export interface ServedReseller {
	readonly service: TestService;
	readonly token: string;
	/** A client whose requests never fail. */
	readonly reliable: Bursar;
	/** A client whose requests meet the given fates, by the last part of their path. */
	unreliable(
		fates: Readonly<Record<string, readonly Fate[]>>,
		options?: BursarOptions,
	): { readonly client: Bursar; readonly way: UnreliableFetch };
}

export async function serveReseller(
	test: TestContext,
	balanceCents = 10_000,
	environment: Readonly<Record<string, string>> = {},
): Promise<ServedReseller> {
	const service = await startTestService(test, environment);
	const { token } = await service.openReseller('acme', balanceCents);
	const options = { baseUrl: service.url, token };
	return {
		service,
		token,
		reliable: new Bursar(options),
		unreliable(fates, more = {}) {
			const way = unreliableFetch(fates);
			return { client: new Bursar({ ...options, ...PATIENCE, fetch: way.fetch, ...more }), way };
		},
	};
}

/** The same, with the sub-user alice. */
export async function serveAlice(test: TestContext, balanceCents?: number): Promise<ServedReseller> {
	const served = await serveReseller(test, balanceCents);
	await served.reliable.subUsers.create('alice');
	return served;
}
