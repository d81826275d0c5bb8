import { ERROR_CODE_HEADER } from '@bursar/contract';

/** What came back over the wire, before anybody has looked at it. */
export interface ReceivedAnswer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
}

/** An answer of the service under test, read whole. Nothing in it is certain. */
export interface Answer extends ReceivedAnswer {
	/** Method and path, for people. */
	readonly asked: string;
	/** False for what is asked with HEAD or CONNECT. */
	readonly hasBody: boolean;
	/** The body, where it is a JSON object. */
	readonly envelope: Readonly<Record<string, unknown>> | undefined;
	/** The stable code of a failure; `null` where there is none. */
	readonly errorCode: string | null;
	/** `data` of the envelope; `undefined` where there is none. */
	readonly data: unknown;
}

export function readAnswer(method: string, path: string, received: ReceivedAnswer): Answer {
	const envelope = jsonObject(received.text);
	return {
		...received,
		asked: `${method} ${path}`,
		hasBody: method !== 'HEAD' && method !== 'CONNECT',
		envelope,
		errorCode: received.headers.get(ERROR_CODE_HEADER),
		data: envelope?.data,
	};
}

/** Headers as a wrong service may send them: those that cannot be headers are left out. */
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
