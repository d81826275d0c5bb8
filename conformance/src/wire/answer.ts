import { ERROR_CODE_HEADER } from '@bursar/contract';

/** Who says a rule: the contract of the API, or Bursar, which settles what the contract leaves open. */
export type Basis = 'contract' | 'bursar';

/** A response as it came over the wire. */
export interface ReceivedAnswer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
}

/** A complete answer of the service under test. The service may be wrong, so nothing in it is checked. */
export interface Answer extends ReceivedAnswer {
	/** By `contract`, only what the contract states is checked. */
	readonly heldTo: Basis;
	/** Method and path, for messages. */
	readonly asked: string;
	/** False for answers to HEAD and CONNECT. */
	readonly hasBody: boolean;
	/** The body, if it is a JSON object. */
	readonly envelope: Readonly<Record<string, unknown>> | undefined;
	/** The stable code of a failure; `null` if the answer has none. */
	readonly errorCode: string | null;
	/** `data` of the envelope; `undefined` if the answer has none. */
	readonly data: unknown;
}

export function readAnswer(heldTo: Basis, method: string, path: string, received: ReceivedAnswer): Answer {
	const envelope = jsonObject(received.text);
	return {
		...received,
		heldTo,
		asked: `${method} ${path}`,
		hasBody: method !== 'HEAD' && method !== 'CONNECT',
		envelope,
		errorCode: received.headers.get(ERROR_CODE_HEADER),
		data: envelope?.data,
	};
}

/** Leaves out invalid headers, which a wrong service may send. */
export function lenientHeaders(pairs: Iterable<readonly [name: string, value: string]>): Headers {
	const headers = new Headers();
	for (const [name, value] of pairs) {
		try {
			headers.append(name, value);
		} catch {}
	}
	return headers;
}

function jsonObject(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && !Array.isArray(value)
			? (value as Record<string, unknown>)
			: undefined;
	} catch {
		return undefined;
	}
}
