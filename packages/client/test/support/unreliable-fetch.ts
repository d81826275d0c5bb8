/** What becomes of one request. */
export type Fate =
	| 'passed'
	/** It fails before it reaches the service. */
	| 'never_arrives'
	/** The service acts; its answer is lost. */
	| 'answer_lost'
	/** It fails at once, and reaches the service a while later. */
	| 'arrives_late'
	/** It fails at once, and reaches the service when the test says so. */
	| 'held'
	/** Something else answers, and the service hears nothing. */
	| (() => Response);

/** How long after it seems to have failed a late request reaches the service. */
export const LATE_MS = 150;

/** A `fetch` that lets some requests fail, and remembers what it was asked for. */
export interface UnreliableFetch {
	readonly fetch: typeof globalThis.fetch;
	/** The last part of the path of each request that was to be sent, in order. */
	readonly asked: string[];
	/** Lets what is held go on its way. Resolves with the answers, when every late request has arrived. */
	allArrived(): Promise<readonly Response[]>;
}

/** The fates are of the requests to the endpoint of that name, in order; all others pass. */
export function unreliableFetch(
	fates: Readonly<Record<string, readonly Fate[]>>,
	fetch: typeof globalThis.fetch = globalThis.fetch,
): UnreliableFetch {
	const left = new Map(Object.entries(fates).map(([endpoint, list]) => [endpoint, [...list]]));
	const asked: string[] = [];
	const late: Promise<Response>[] = [];
	const { promise: released, resolve: release } = Promise.withResolvers<void>();

	async function unreliable(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
		const endpoint = String(input).split('/').at(-1) as string;
		asked.push(endpoint);
		const fate = left.get(endpoint)?.shift() ?? 'passed';
		if (fate === 'passed') return fetch(input, init);
		if (typeof fate === 'function') return fate();
		const { signal: _, ...rest } = init ?? {};
		const send = async () => {
			const response = await fetch(input, rest);
			return new Response(await response.text(), response);
		};
		if (fate === 'answer_lost') await send();
		if (fate === 'held') late.push(released.then(send));
		if (fate === 'arrives_late') late.push(new Promise((resolve) => setTimeout(resolve, LATE_MS)).then(send));
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
