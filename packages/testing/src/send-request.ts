import { Agent, type IncomingMessage, request } from 'node:http';

/** A complete answer. */
export interface Received {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
}

export interface Sent {
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string | Uint8Array | undefined;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request, and reads the complete answer. It costs a third of the processor time of `fetch`. */
export function sendRequest(url: string, { method, headers, body }: Sent): Promise<Received> {
	return new Promise((resolve, reject) => {
		const sent = request(url, { method, headers, agent }, (response) => {
			let text = '';
			response.setEncoding('utf8').on('error', reject);
			response.on('data', (chunk: string) => {
				text += chunk;
			});
			response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text }));
		});
		sent.on('error', reject).end(body);
	});
}

/** Strings and bytes as they are; anything else as JSON. */
export function bodyOf(body: unknown): string | Uint8Array | undefined {
	return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
	const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
		values.map((value): [string, string] => [name, value]),
	);
	return new Headers(headers);
}
