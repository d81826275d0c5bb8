import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
	DASHBOARD_API,
	type DashboardChanges,
	type DashboardErrorCode,
	type DashboardReads,
} from '@bursar/contract/dashboard';

type ReadPath = keyof DashboardReads;
type ChangePath = keyof DashboardChanges;
type AnswerOf<Path> = Path extends ReadPath
	? DashboardReads[Path]['answer']
	: Path extends ChangePath
		? DashboardChanges[Path]['answer']
		: never;

/** A call that the page has sent. A read has its query as the body. */
export interface SentCall {
	readonly path: string;
	readonly body: Readonly<Record<string, unknown>>;
}

type Reply = (call: SentCall) => Response | Promise<Response>;

/** Answers the page instead of the service, by the contract. A call for which the test gave no answer fails the test. */
export function startService(test: TestContext) {
	const sent: SentCall[] = [];
	const replies = new Map<string, Reply>();
	const givenUp: SentCall[] = [];
	const once = new Map<string, Reply[]>();

	test.mock.method(globalThis, 'fetch', async (address: string, { body, signal }: RequestInit) => {
		const { pathname, searchParams } = new URL(address, window.location.href);
		const path = pathname.slice(DASHBOARD_API.length);
		const call = { path, body: typeof body === 'string' ? JSON.parse(body) : Object.fromEntries(searchParams) };
		sent.push(call);
		signal?.addEventListener('abort', () => givenUp.push(call));
		const reply = once.get(path)?.shift() ?? replies.get(path) ?? assert.fail(`the page has called ${path}`);
		return reply(call);
	});

	function next(path: ChangePath | ReadPath, reply: Reply): void {
		once.set(path, [...(once.get(path) ?? []), reply]);
	}

	return {
		/** All calls to a path, the oldest first. */
		calls: (path: ChangePath | ReadPath) => sent.filter((call) => call.path === path).map(({ body }) => body),
		/** The reads that the page has given up. */
		givenUp: (path: ReadPath) => givenUp.filter((call) => call.path === path).map(({ body }) => body),
		paths: () => sent.map(({ path }) => path),
		/** From now on, a path answers this. */
		answers<Path extends ReadPath | ChangePath>(
			path: Path,
			answer: AnswerOf<Path> | ((body: SentCall['body']) => AnswerOf<Path>),
		): void {
			replies.set(path, ({ body }) => envelope(200, typeof answer === 'function' ? answer(body) : answer));
		},
		/** Refuses the next call. */
		refuses(path: ReadPath | ChangePath, code: DashboardErrorCode, status = 409): void {
			next(path, () => envelope(status, null, { 'x-error-code': code }));
		},
		/** From now on, a path refuses. */
		always(path: ReadPath | ChangePath, code: DashboardErrorCode, status: number): void {
			replies.set(path, () => envelope(status, null, { 'x-error-code': code }));
		},
		/** Loses the answer to the next call. */
		loses(path: ReadPath | ChangePath): void {
			next(path, () => Promise.reject(new TypeError('the connection was lost')));
		},
		/** Keeps the next call waiting until the function that it returns is called, and answers it then. */
		holds<Path extends ReadPath | ChangePath>(path: Path): (answer: AnswerOf<Path>) => void {
			const held = Promise.withResolvers<Response>();
			next(path, () => held.promise);
			return (answer) => held.resolve(envelope(200, answer));
		},
	};
}

function envelope(status: number, data: unknown, headers: Record<string, string> = {}): Response {
	const timestamp = Math.floor(Date.now() / 1000);
	return Response.json({ status, message: '', data, timestamp }, { status, headers });
}
