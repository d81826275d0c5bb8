import { createServer } from 'node:http';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Reply, relayHttp } from '@bursar/testing/http-relay';
import { listen } from '@bursar/testing/listen';

/** What becomes of a request on its way. */
type Fate =
	| 'pass'
	/** It arrives, and its answer is lost. */
	| 'lose_answer'
	/** It is lost. */
	| 'lose_request'
	/** It arrives so many milliseconds later, whether its sender is still there or not. */
	| { readonly lateMs: number }
	/** Another answers in place of the service. */
	| { readonly status: number }
	/** The service itself says that it could not learn what became of it. */
	| 'say_unknown';

export interface Middle {
	readonly url: string;
	/** Decides over each request; all pass at first. */
	fateOf: (path: string) => Fate;
	/** Changes what the service answers. */
	rewrite: (text: string) => string;
	/** The paths of all requests so far, whose bodies have arrived whole. */
	readonly paths: string[];
}

/** Something that stands between the client and the service. The service does not hear from it that changes expire. */
export async function startMiddle(test: TestContext, serviceUrl: string): Promise<Middle> {
	const paths: string[] = [];
	const server = createServer(
		relayHttp(serviceUrl, async (request, forward) => {
			const fate = middle.fateOf(request.path);
			paths.push(request.path);
			if (fate === 'lose_request') return undefined;
			if (fate === 'say_unknown') return unknown();
			if (typeof fate === 'object' && 'status' in fate) return { status: fate.status, headers: {}, body: 'busy' };
			if (typeof fate === 'object') await setTimeout(fate.lateMs, undefined, { ref: false });
			const { authorization = '', 'content-type': type = '' } = request.headers;
			const reply = await forward({ ...request, headers: { authorization, 'content-type': type } });
			return fate === 'lose_answer' ? undefined : { ...reply, body: middle.rewrite(reply.body) };
		}),
	);
	const { port } = await listen(test, server);
	const middle: Middle = {
		url: `http://127.0.0.1:${port}`,
		fateOf: () => 'pass',
		rewrite: (text) => text,
		paths,
	};
	return middle;
}

function unknown(): Reply {
	const headers = { 'content-type': 'application/json', 'x-error-code': 'outcome_unknown' };
	const envelope = { status: 503, message: 'nobody knows', timestamp: Math.floor(Date.now() / 1000), data: null };
	return { status: 503, headers, body: JSON.stringify(envelope) };
}
