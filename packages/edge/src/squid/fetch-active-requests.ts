import { get } from 'node:http';
import { type ActiveRequest, readActiveRequests } from './active-requests.ts';

const PATH = '/squid-internal-mgr/active_requests';
const LIMIT_MS = 10_000;
/** Squid tells about 600 bytes about a request, and more if its address is long. */
const MAX_BYTES = 1 << 27;

/** Asks Squid's manager. Rejects if it does not answer, or not with this list. */
export function fetchActiveRequests(manager: URL): Promise<readonly ActiveRequest[]> {
	return new Promise((resolve, reject) => {
		const signal = AbortSignal.timeout(LIMIT_MS);
		const request = get(new URL(PATH, manager), { agent: false, signal }, (response) => {
			const parts: Buffer[] = [];
			let bytes = 0;
			response.on('data', (part: Buffer) => {
				bytes += part.length;
				if (bytes > MAX_BYTES) response.destroy(new Error('the answer is too long'));
				else parts.push(part);
			});
			response.on('error', reject);
			response.on('end', () => {
				if (response.statusCode !== 200) return reject(new Error(`the manager answered ${response.statusCode}`));
				resolve(readActiveRequests(Buffer.concat(parts).toString('latin1')));
			});
		});
		request.on('error', reject);
	});
}
