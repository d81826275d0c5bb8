import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import {
	type CounterReading,
	EDGE_ERROR_CODES,
	type EdgeErrorCode,
	edgeRoutes,
	type OpenConnections,
	type RefusedClients,
	type UsageAnswer,
} from '@bursar/contract/edge';
import type { AnyCheck } from './check-gathering.ts';
import { type CheckAnswers, readCheckAnswers, readJoinAnswer, readUsageAnswer } from './read-answers.ts';

/** Why a request has no answer. `unreachable`: no connection, or it broke. `bad_answer`: not an answer of the service. */
type EdgeFailureCode = EdgeErrorCode | 'unreachable' | 'timeout' | 'bad_answer';

type EdgeResult<Value> =
	| { readonly ok: true; readonly value: Value }
	| { readonly ok: false; readonly code: EdgeFailureCode; readonly message: string };

/** Speaks to the edge listener of the service. */
export interface EdgeClient {
	/** The answers, in the order of the checks. May be repeated. At most `MAX_CHECKS`. */
	check(checks: readonly AnyCheck[]): Promise<EdgeResult<CheckAnswers>>;
	/**
	 * Takes at most `MAX_COUNTERS` readings, and `MAX_OPEN_ACCOUNTS` and `MAX_REFUSALS` of the others. A result `ok` comes
	 * after the commit. Refusals would count twice in a repeat. All else may be repeated.
	 */
	report(counters: readonly CounterReading[], others?: OtherReports): Promise<EdgeResult<UsageAnswer>>;
	/** Gives the edge of the link the key that this client uses. May be repeated. Resolves to the name of the edge. */
	join(link: string): Promise<EdgeResult<string>>;
	/** Closes the connections. */
	close(): void;
}

interface OtherReports {
	readonly open?: readonly OpenConnections[];
	readonly refusals?: readonly RefusedClients[];
}

export interface EdgeClientOptions {
	/** Base address of the edge listener. */
	readonly url: URL;
	/** Called for each request, so that a new key in a file is used without a restart. */
	readonly key: () => string;
	/** The name of this process, if the edge has several. It goes with checks and with the numbers of open connections. */
	readonly process?: string | undefined;
	readonly checkTimeoutMs?: number;
	readonly reportTimeoutMs?: number;
}

/**
 * The service answers a check within about half a second, even while its store hangs.
 * @bound A check is answered: then it counts as unanswered.
 */
const CHECK_TIMEOUT_MS = 2_000;
/**
 * The service answers a report, and a join, within five seconds.
 * @bound A report or a join is answered: then it counts as unanswered.
 */
const REPORT_TIMEOUT_MS = 10_000;
/** @bound Connections to the service: further requests wait. */
const MAX_CONNECTIONS = 8;
/**
 * Twice what the largest answer needs: 1,000 checks, each with 32 networks.
 * @bound An answer of the service: a longer one counts as none.
 */
const MAX_ANSWER_BYTES = 4 << 20;

/** Creates a client with at most 8 connections. Further requests wait for one, within their own time limit. */
export function createEdgeClient(options: EdgeClientOptions): EdgeClient {
	const { url, key, process, checkTimeoutMs = CHECK_TIMEOUT_MS, reportTimeoutMs = REPORT_TIMEOUT_MS } = options;
	const isHttps = url.protocol === 'https:';
	const agent = new (isHttps ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
	const base = url.pathname.replace(/\/$/, '');

	function post(path: string, body: string, signal: AbortSignal): Promise<Reply> {
		return new Promise((resolve, reject) => {
			const request = (isHttps ? requestHttps : requestHttp)({
				agent,
				signal,
				method: 'POST',
				protocol: url.protocol,
				// Without the brackets of an IPv6 address.
				hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
				port: url.port,
				path: base + path,
				headers: {
					authorization: `Bearer ${key()}`,
					'content-type': 'application/json',
					'content-length': Buffer.byteLength(body),
				},
			});
			request.on('response', (response) => {
				readReply(response).then(resolve, reject);
			});
			// Without this, neither an answer nor an error would come.
			request.on('upgrade', ({ statusCode: status = 0 }, socket) => {
				socket.destroy();
				resolve({ status, error: undefined, text: '' });
			});
			request.on('error', (cause: NodeJS.ErrnoException) => {
				// The service may close an idle connection at the moment in which it is used.
				const wasIdle = request.reusedSocket && cause.code === 'ECONNRESET';
				if (wasIdle) post(path, body, signal).then(resolve, reject);
				else reject(cause);
			});
			request.end(body);
		});
	}

	async function ask<Value>(
		path: string,
		body: unknown,
		timeoutMs: number,
		read: (answer: unknown) => Value | undefined,
	): Promise<EdgeResult<Value>> {
		const signal = AbortSignal.timeout(timeoutMs);
		try {
			const reply = await post(path, JSON.stringify(body), signal);
			if (reply.status !== 200) return failureIn(reply);
			const value = read(JSON.parse(reply.text));
			if (value !== undefined) return { ok: true, value };
			return { ok: false, code: 'bad_answer', message: 'the answer has not the form that it should have' };
		} catch (cause) {
			if (signal.aborted) return { ok: false, code: 'timeout', message: `no answer within ${timeoutMs} ms` };
			if (cause instanceof SyntaxError) return { ok: false, code: 'bad_answer', message: 'the answer is not JSON' };
			const { code, message } = cause as NodeJS.ErrnoException;
			return { ok: false, code: 'unreachable', message: code ?? message };
		}
	}

	return {
		check: (checks) =>
			ask(edgeRoutes.check.path, { checks: checks.map((check) => ({ ...check, process })) }, checkTimeoutMs, (answer) =>
				readCheckAnswers(answer, checks.length),
			),
		report: (counters, others) =>
			ask(edgeRoutes.usage.path, { counters, ...others, process }, reportTimeoutMs, (answer) =>
				readUsageAnswer(answer, counters.length),
			),
		join: (link) => ask(edgeRoutes.join.path, { link }, reportTimeoutMs, readJoinAnswer),
		close: () => agent.destroy(),
	};
}

interface Reply {
	readonly status: number;
	/** `X-Error-Code`. */
	readonly error: string | undefined;
	readonly text: string;
}

async function readReply(response: IncomingMessage): Promise<Reply> {
	const parts: Buffer[] = [];
	let bytes = 0;
	for await (const part of response) {
		bytes += part.length;
		// Leaving the loop closes the connection.
		if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
		parts.push(part);
	}
	const error = response.headers['x-error-code'];
	return {
		status: response.statusCode ?? 0,
		error: typeof error === 'string' ? error : undefined,
		text: Buffer.concat(parts).toString('utf8'),
	};
}

/** Only the service sets this header. A proxy in between may answer with the same status. */
function failureIn({ status, error }: Reply): EdgeResult<never> {
	const code = EDGE_ERROR_CODES.find((known) => known === error) ?? 'bad_answer';
	return { ok: false, code, message: `status ${status}` };
}
