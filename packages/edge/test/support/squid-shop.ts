import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { edgeApi } from '@bursar/testing/edge';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { type CountingRelay, startCountingRelay } from './counting-relay.ts';
import { startOrigins } from './origins.ts';
import { type SquidHost, startSquidHost } from './squid-host.ts';

const EDGE_KNOWN_WITHIN_MS = 20_000;
const COUNTED_WITHIN_MS = 60_000;

interface ShopOptions {
	/** Whether connections of refused users are ended. */
	readonly cuts?: boolean;
	/** Whether the kernel lets `squid-usage` end connections. */
	readonly mayEnd?: boolean;
	/** Puts something between the proxy host and the service. */
	readonly between?: (edgeUrl: string) => Promise<string>;
}

/** Where a proxy host finds its service, and its key there. */
interface ShopService {
	readonly url: string;
	/** Of a reseller without sub-users. */
	readonly token: string;
	readonly edgeUrl: string;
	readonly key: string;
}

/** A service with an edge, a reseller with the sub-users `alice` and `bob.42`, a proxy host and what is behind it. */
export async function openSquidShop(t: TestContext, options: ShopOptions = {}) {
	const service = await startTestService(t, { BURSAR_EDGE_PORT: '0' });
	const { token } = await service.openReseller('acme', 100_000);
	const key = await service.openEdge('squid-1');
	const { url, edgeUrl = '' } = service;
	return { service, ...(await openSquidShopOf(t, { url, token, edgeUrl, key }, options)) };
}

/** The same with a service that runs already. */
export async function openSquidShopOf(
	t: TestContext,
	{ url, token, edgeUrl, key }: ShopService,
	options: ShopOptions = {},
) {
	const api = resellerApi(url, token);
	const pairOf = async (username: string) =>
		[username, (await api.create({ username })).data.proxy_authkey as string] as const;
	const [alice, bob] = [await pairOf('alice'), await pairOf('bob.42')];
	const edge = edgeApi(edgeUrl, key);
	await eventually(async () => assert.equal((await edge.usage({ counters: [] })).status, 200), EDGE_KNOWN_WITHIN_MS);
	const origins = await startOrigins(t);
	const { between = async (direct) => direct, cuts = false, mayEnd = true } = options;
	const host = await startSquidHost(t, { edgeUrl: await between(edgeUrl), key, cuts, mayEnd });
	return { api, alice, bob, origins, host, relay: await startRelayOf(t, host), ...usageOf(api) };
}

/** A relay in front of Squid. Each account that is measured has its own. */
export function startRelayOf(t: TestContext, host: SquidHost): Promise<CountingRelay> {
	return startCountingRelay(t, host.port);
}

export function usageOf(api: ReturnType<typeof resellerApi>) {
	async function usage(username: string): Promise<{ up: number; down: number }> {
		const { data } = await api.viewTxs({ username });
		const days = data as readonly { bandwidth: { up: number; down: number } }[];
		return {
			up: days.reduce((sum, { bandwidth }) => sum + bandwidth.up, 0),
			down: days.reduce((sum, { bandwidth }) => sum + bandwidth.down, 0),
		};
	}
	return {
		usage,
		/** Waits until the account's usage is what the relay has counted, to the byte. */
		async assertCounted(username: string, { bytes }: Pick<CountingRelay, 'bytes'>): Promise<void> {
			await eventually(async () => assert.deepEqual(await usage(username), bytes), COUNTED_WITHIN_MS);
		},
	};
}
