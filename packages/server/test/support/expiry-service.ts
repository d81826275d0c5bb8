import type { TestContext } from 'node:test';
import { type CallOptions, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import type { Config } from '../../src/config.ts';
import { openStore } from '../../src/engine.ts';
import type { Store } from '../../src/store/store.ts';

/** What a test changes about the store while the service runs. */
interface StoreOverrides {
	/** Added to the store's time, in milliseconds. */
	shiftMs: number;
	/** The store's time if set, in Unix milliseconds. */
	fixedMs: number | undefined;
	/** Replaces functions of the store. */
	instead: Partial<Store>;
}

const AMOUNT = { username: 'alice', amount_usd_cents: 5 };

/** A service with a reseller `acme`, its sub-user `alice`, and a clock that the test can set. */
export async function startExpiryService(
	test: TestContext,
	environment: Readonly<Record<string, string>> = {},
	instead: Partial<Store> = {},
	log?: Parameters<typeof startTestService>[3],
) {
	const overrides: StoreOverrides = { shiftMs: 0, fixedMs: undefined, instead };
	const parts = {
		async openStore(config: Config) {
			const store = await openStore(config);
			const nowMs = () => overrides.fixedMs ?? store.nowMs() + overrides.shiftMs;
			return new Proxy(store, {
				get: (_, name: keyof Store) => overrides.instead[name] ?? (name === 'nowMs' ? nowMs : store[name]),
			});
		},
	};
	const service = await startTestService(test, environment, parts, log);
	const { token } = await service.openReseller('acme', 1000);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice' });
	await api.give({ username: 'alice', amount_usd_cents: 100 });
	return {
		...service,
		overrides,
		token,
		api,
		/** Every change that the API offers. Each call would succeed. */
		changes: {
			give: (options?: CallOptions) => api.give(AMOUNT, options),
			take: (options?: CallOptions) => api.take(AMOUNT, options),
			reset: (options?: CallOptions) => api.resetAuthKey({ username: 'alice' }, options),
			create: (options?: CallOptions) => api.create({ username: 'bruno' }, options),
		},
		/** Everything that the reseller can see, and the number of transfers. */
		async books() {
			const store = await openStore(service.config);
			const { transfers, problems } = await store.verifyLedger();
			await store.close();
			return { transfers, problems, info: (await api.myInfo()).data, all: (await api.viewAll()).data };
		},
	};
}

/** The timestamp of an answer, in Unix seconds. */
export async function answeredSeconds({ api }: Awaited<ReturnType<typeof startExpiryService>>): Promise<number> {
	return JSON.parse((await api.myInfo()).text).timestamp;
}

export function expiring(atSeconds: number | string) {
	return { headers: { 'x-request-expires': String(atSeconds) } };
}
