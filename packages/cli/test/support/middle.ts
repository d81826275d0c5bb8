import { createServer } from 'node:http';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Reply, relayHttp } from '@bursar/testing/http-relay';
import { listen } from '@bursar/testing/listen';

/** What happens to a request. */
type Fate =
	| 'pass'
	/** It arrives, and its answer is lost. */
	| 'lose_answer'
	/** It is lost. */
	| 'lose_request'
	/** It arrives this much later, even if its sender is gone. */
	| { readonly lateMs: number }
	/** It arrives then, even if its sender is gone. It expires in so many seconds if they are given. */
	| { readonly until: Promise<void>; readonly expiresIn?: number }
	/** The proxy answers instead of the service. */
	| { readonly status: number }
	/** The answer is `outcome_unknown`, and the service does not get the request. */
	| 'say_unknown';

export interface Middle {
	readonly url: string;
	/** Decides about each request. By default, all pass. */
	fateOf: (path: string) => Fate;
	/** Changes the body of each answer. */
	rewrite: (text: string) => string;
	/** The paths of all requests so far whose bodies have arrived completely. */
	readonly paths: string[];
	/** Those that the service has answered. */
	readonly answered: string[];
}

/**
 * A proxy between the client and the service. `few_headers`: it removes the expiry and the change id from requests, so that
 * the service seems to know neither.
 */
export async function startMiddle(
	test: TestContext,
	serviceUrl: string,
	passes: 'all_headers' | 'few_headers' = 'all_headers',
): Promise<Middle> {
	const paths: string[] = [];
	const answered: string[] = [];
	const server = createServer(
		relayHttp(serviceUrl, async (request, forward) => {
			const fate = middle.fateOf(request.path);
			paths.push(request.path);
			if (fate === 'lose_request') return undefined;
			if (fate === 'say_unknown') return unknown();
			if (typeof fate === 'object' && 'status' in fate) return { status: fate.status, headers: {}, body: 'busy' };
			if (typeof fate === 'object' && 'until' in fate) await fate.until;
			if (typeof fate === 'object' && 'lateMs' in fate) await setTimeout(fate.lateMs, undefined, { ref: false });
			const headers = headersFor(request.headers, fate);
			const { authorization = '', 'content-type': type = '' } = headers;
			const few = { authorization, 'content-type': type };
			const reply = await forward({ ...request, headers: passes === 'all_headers' ? headers : few });
			answered.push(request.path);
			return fate === 'lose_answer' ? undefined : { ...reply, body: middle.rewrite(reply.body) };
		}),
	);
	const { port } = await listen(test, server);
	const middle: Middle = {
		url: `http://127.0.0.1:${port}`,
		fateOf: () => 'pass',
		rewrite: (text) => text,
		paths,
		answered,
	};
	return middle;
}

function headersFor(sent: Readonly<Record<string, string>>, fate: Fate): Readonly<Record<string, string>> {
	if (typeof fate !== 'object' || !('until' in fate) || fate.expiresIn === undefined) return sent;
	return { ...sent, 'x-request-expires': `${Math.floor(Date.now() / 1000) + fate.expiresIn}` };
}

/** For `rewrite`: the answers come from a service whose clock is this many seconds ahead. */
export function withClockAhead(seconds: number): (text: string) => string {
	return (text) => text.replace(/"timestamp":(\d+)/, (_, timestamp) => `"timestamp":${Number(timestamp) + seconds}`);
}

function unknown(): Reply {
	const headers = { 'content-type': 'application/json', 'x-error-code': 'outcome_unknown' };
	const envelope = { status: 503, message: 'unknown', timestamp: Math.floor(Date.now() / 1000), data: null };
	return { status: 503, headers, body: JSON.stringify(envelope) };
}
