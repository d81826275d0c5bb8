import type { TestContext } from 'node:test';
import { resellerApi } from '@bursar/testing/api';
import { edgeApi } from '@bursar/testing/edge';
import { startTestService } from '@bursar/testing/service';
import type { ServiceParts } from '../../src/service.ts';

/** A service with the edge listener, the edge `gw`, and a reseller with the sub-user `alice`. */
export async function startEdgeService(
	t: TestContext,
	environment: Readonly<Record<string, string>> = {},
	parts: ServiceParts = {},
) {
	const service = await startTestService(t, { BURSAR_EDGE_PORT: '0', ...environment }, parts);
	const edgeUrl = service.edgeUrl as string;
	const { token } = await service.openReseller('acme', 100_000);
	const api = resellerApi(service.url, token);
	const alice = (await api.create({ username: 'alice' })).data.proxy_authkey as string;
	const key = await service.openEdge('gw');
	// By itself, the service would know the new edge after a second.
	await service.readEdges();
	return { ...service, edgeUrl, key, edge: edgeApi(edgeUrl, key), token, api, alice };
}

/** Waits until the service has read the new edge. */
export async function edgeIsKnown(edge: ReturnType<typeof edgeApi>): Promise<void> {
	const giveUpAtMs = performance.now() + 20_000;
	while ((await edge.usage({ counters: [] })).status === 401) {
		if (performance.now() > giveUpAtMs) throw new Error('the edge did not become known');
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
