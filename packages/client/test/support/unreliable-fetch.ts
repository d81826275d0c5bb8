import { type ErrorCode, errors, failureEnvelope } from '@bursar/contract';
import { CHANGE_ID_HEADER } from '@bursar/contract/change-id';
import { REQUEST_EXPIRES_HEADER } from '@bursar/contract/expiry';

/** What happens to one request. */
export type Fate =
	| 'passed'
	/** It fails before it reaches the service. */
	| 'never_arrives'
	/** The service acts, but its answer is lost. */
	| 'answer_lost'
	/** It fails at once, and reaches the service a while later. */
	| 'arrives_late'
	/** It fails at once, and reaches the service when the test calls `allArrived`. */
	| 'held'
	/** It passes when this has resolved. */
	| Promise<void>
	/** Something else answers, and the request never reaches the service. */
	| (() => Response | Promise<Response>);

/** How long after its failure a late request reaches the service. */
const LATE_MS = 150;

/** A `fetch` that makes some requests fail, and records all of them. */
export interface UnreliableFetch {
	readonly fetch: typeof globalThis.fetch;
	/** The last part of the path of each request, in order. */
	readonly asked: string[];
	/** Sends the held requests. Resolves with the answers to all late requests. */
	allArrived(): Promise<readonly Response[]>;
}

/** Requests to each endpoint meet its fates in order; all others pass. */
export function unreliableFetch(
	fates: Readonly<Record<string, readonly Fate[]>>,
	fetch: typeof globalThis.fetch = globalThis.fetch,
): UnreliableFetch {
	const left = new Map(Object.entries(fates).map(([endpoint, list]) => [endpoint, [...list]]));
	const asked: string[] = [];
	const late: Promise<Response>[] = [];
	const onTheirWay = new Set<Promise<Response>>();
	const { promise: released, resolve: release } = Promise.withResolvers<void>();

	async function unreliable(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
		const endpoint = String(input).split('/').at(-1) as string;
		asked.push(endpoint);
		const fate = left.get(endpoint)?.shift() ?? 'passed';
		if (fate === 'passed' || fate instanceof Promise) {
			await fate;
			// If this process was slow, the timers of a late request and of this one fired together. The late one is first.
			await Promise.allSettled(onTheirWay);
			return fetch(input, init);
		}
		if (typeof fate === 'function') return fate();
		const { signal: _, ...rest } = init ?? {};
		const send = async () => {
			const response = await fetch(input, rest);
			return new Response(await response.text(), response);
		};
		const sendLate = () => {
			const sent = send();
			onTheirWay.add(sent);
			return sent.finally(() => onTheirWay.delete(sent));
		};
		if (fate === 'answer_lost') await send();
		if (fate === 'held') late.push(released.then(sendLate));
		if (fate === 'arrives_late') late.push(new Promise((resolve) => setTimeout(resolve, LATE_MS)).then(sendLate));
		throw new TypeError('fetch failed', { cause: new Error('other side closed') });
	}

	return {
		fetch: unreliable as typeof fetch,
		asked,
		async allArrived() {
			release();
			return Promise.all(late);
		},
	};
}

/** A `fetch` to which every service looks like one that does not know these headers. */
export function withoutHeaders(fetch: typeof globalThis.fetch, names: readonly string[]): typeof globalThis.fetch {
	return async (input, init) => {
		const headers = new Headers(init?.headers);
		for (const name of names) headers.delete(name);
		const response = await fetch(input, { ...init, headers });
		// The headers of a Response from `fetch` cannot be changed.
		const bare = new Response(response.body, response);
		for (const name of names) bare.headers.delete(name);
		return bare;
	};
}

/** What the service says if it was not told an id and an expiry. */
export const HONOURED = { [REQUEST_EXPIRES_HEADER]: 'honoured', [CHANGE_ID_HEADER]: 'honoured' };

/** The service's answer for an error code, with further headers. */
export function envelopeOf(code: ErrorCode, headers: Readonly<Record<string, string>> = {}): Response {
	return Response.json(failureEnvelope(code, Date.now()), {
		status: errors[code].status,
		headers: { 'X-Error-Code': code, 'X-Request-Id': crypto.randomUUID(), ...HONOURED, ...headers },
	});
}
