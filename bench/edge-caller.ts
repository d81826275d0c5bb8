import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';

/** Posts a body to a path of the edge listener. Resolves to the answer, and rejects unless its status is 200. */
export type EdgeCaller = (path: string, body: string) => Promise<unknown>;

/** Keeps its connections. */
export function createEdgeCaller(edgeUrl: string, key: string, connections: number): EdgeCaller {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	return (path, body) => {
		const headers = {
			authorization: `Bearer ${key}`,
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
		};
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		const sent = request(edgeUrl + path, { method: 'POST', agent, headers }, (response) => {
			json(response).then((answer) => {
				if (response.statusCode === 200) resolve(answer);
				else reject(new Error(`${path} answered ${response.statusCode}: ${JSON.stringify(answer)}`));
			}, reject);
		});
		sent.on('error', reject);
		sent.end(body);
		return promise;
	};
}
