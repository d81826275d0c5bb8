import type { TestContext } from 'node:test';
import { pass, startRelay } from '@bursar/testing/relay';

/**
 * A proxy that closes the connection in place of the answer to the first give, after the service has acted.
 * Resolves with the URL of the proxy, which ends with the test.
 */
export async function startCuttingProxy(t: TestContext, serviceUrl: string): Promise<string> {
	let hasCut = false;
	const { url } = await startRelay(t, serviceUrl, ({ client, server }) => {
		let cutsNext = false;
		const toServer = pass(client, server, (bytes) => {
			if (!hasCut && bytes.includes('give_balance')) hasCut = cutsNext = true;
			return bytes;
		});
		return Promise.all([toServer, pass(server, client, (bytes) => (cutsNext ? undefined : bytes))]);
	});
	return url;
}
