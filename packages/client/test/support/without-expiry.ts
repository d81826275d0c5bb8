import { REQUEST_EXPIRES_HEADER } from '@bursar/contract/expiry';

/** A `fetch` to which every service looks like one that does not know expiry. */
export function withoutExpiry(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
	return async (input, init) => {
		const headers = new Headers(init?.headers);
		headers.delete(REQUEST_EXPIRES_HEADER);
		const response = await fetch(input, { ...init, headers });
		// The headers of a Response from `fetch` cannot be changed.
		const bare = new Response(response.body, response);
		bare.headers.delete(REQUEST_EXPIRES_HEADER);
		return bare;
	};
}
