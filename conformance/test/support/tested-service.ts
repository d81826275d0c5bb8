import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { startStripe, stripeEnvironment } from '@bursar/testing/payment-providers/stripe';
import { startTestService, type TestReseller } from '@bursar/testing/service';
import { openStore } from '../../../packages/server/src/engine.ts';
import type { ServiceParts } from '../../../packages/server/src/service.ts';

const DAY_MS = 86_400_000;

/** A real service with everything that rules need: two resellers, usage, and a payment provider. */
export interface TestedService {
	readonly url: string;
	/** Has a sub-user with usage. */
	readonly acme: TestReseller;
	readonly bolt: TestReseller;
	/** The API as acme calls it. */
	readonly api: ReturnType<typeof resellerApi>;
	openReseller(username: string, balanceCents: number): Promise<TestReseller>;
}

export const OPENING_BALANCE_CENTS = 1_000_000;

/**
 * Starts it on an empty store: SQLite, unless the environment names a database. Most tests are about the suite, and not
 * about the store, so the store has no threads unless `parts` says so.
 */
export async function startTestedService(
	test: TestContext,
	environment: Readonly<Record<string, string>> = {},
	parts: ServiceParts = {},
): Promise<TestedService> {
	const payments = stripeEnvironment(await startStripe(test));
	const { url, config, openReseller } = await startTestService(test, { ...payments, ...environment }, parts);
	const acme = await openReseller('acme', OPENING_BALANCE_CENTS);
	const bolt = await openReseller('bolt', OPENING_BALANCE_CENTS);
	const api = resellerApi(url, acme.token);
	assert.equal((await api.create({ username: 'used.one' })).status, 200);
	const store = await openStore(config);
	const reports = Array.from({ length: 120 }, (_, index) => ({
		source: 'host',
		id: String(index),
		username: 'used.one',
		atMs: Date.now() - index * DAY_MS,
		bytesUp: index,
		bytesDown: 1_000_000,
	}));
	const { kind } = await store.recordUsage(reports, Date.now());
	await store.close();
	assert.equal(kind, 'committed');
	return { url, acme, bolt, api, openReseller };
}
