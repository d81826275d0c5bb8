import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/**
 * A way to a service that closes the connection in place of the answer to the first give: the service
 * has acted by then. Resolves to the URL of the service by this way, which ends with the test.
 */
export async function startCuttingProxy(t: TestContext, serviceUrl: string): Promise<string> {
	const sockets = new Set<Socket>();
	let hasCut = false;
	const proxy = createServer((client) => {
		const service = connect(Number(new URL(serviceUrl).port), '127.0.0.1');
		let cutsNext = false;
		for (const socket of [client, service]) {
			sockets.add(socket);
			socket.on('error', () => {});
		}
		client.on('data', (bytes) => {
			if (!hasCut && bytes.includes('give_balance')) {
				hasCut = true;
				cutsNext = true;
			}
			service.write(bytes);
		});
		service.on('data', (bytes) => {
			if (cutsNext) client.end();
			else client.write(bytes);
		});
		client.on('close', () => service.destroy());
		service.on('close', () => client.destroy());
	});
	t.after(() => {
		proxy.close();
		for (const socket of sockets) socket.destroy();
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
