import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { checkEnvelope } from '@bursar/testing/api';

/** Generous, for a machine that is busy with other tests. */
const LIMIT_MS = 20_000;

/** An answer as it came over the wire. */
export interface RawAnswer {
	readonly status: number;
	readonly headers: Headers;
	readonly body: string;
}

/** A connection on which a test writes any bytes. */
interface RawConnection {
	readonly socket: Socket;
	write(bytes: string | Uint8Array): void;
	/** Waits for the first `count` answers. 1xx answers count. */
	answers(count: number): Promise<readonly RawAnswer[]>;
	/** Waits until the service ends the connection cleanly, and returns all answers. */
	closed(): Promise<readonly RawAnswer[]>;
	/** Everything received so far. */
	readonly received: string;
}

interface RawOptions {
	/** The method of each request. Answers to HEAD and CONNECT have no body. */
	readonly methods?: readonly string[];
}

/** Connects to the service. The connection ends with the test. */
export async function rawConnection(
	test: TestContext,
	url: string,
	{ methods = [] }: RawOptions = {},
): Promise<RawConnection> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
	test.after(() => socket.destroy());
	let received = '';
	let ended = false;
	let failure: Error | undefined;
	const activity = new EventEmitter().setMaxListeners(0);
	socket.setEncoding('utf8');
	socket.on('data', (chunk) => {
		received += chunk;
		activity.emit('change');
	});
	socket.on('end', () => {
		ended = true;
		activity.emit('change');
	});
	socket.on('error', (error) => {
		failure = error;
		activity.emit('change');
	});

	/** Checks again after each event on the connection. */
	async function until(check: () => readonly RawAnswer[] | undefined, what: string): Promise<readonly RawAnswer[]> {
		const limit = AbortSignal.timeout(LIMIT_MS);
		for (;;) {
			const answers = check();
			if (answers) return answers;
			if (failure || ended) assert.fail(`${what}: ${failure?.message ?? 'the connection ended'} after ${received}`);
			await once(activity, 'change', { signal: limit });
		}
	}

	return {
		socket,
		write: (bytes) => void socket.write(bytes),
		answers: (count) =>
			until(() => {
				const answers = parseAnswers(received, methods);
				return answers.length >= count ? answers.slice(0, count) : undefined;
			}, `expected ${count} answers`),
		closed: () =>
			until(() => (ended ? parseAnswers(received, methods) : undefined), 'expected a clean end of the connection'),
		get received() {
			return received;
		},
	};
}

/** Sends bytes on a new connection, and reads the first answer. */
export async function rawCall(
	test: TestContext,
	url: string,
	bytes: string | Uint8Array,
	method = '',
): Promise<RawAnswer> {
	const connection = await rawConnection(test, url, { methods: [method] });
	connection.write(bytes);
	const [answer] = await connection.answers(1);
	connection.socket.destroy();
	return answer as RawAnswer;
}

/** The text of a request. `headers` are lines. Adds `Host` and the headers of the body. */
export function requestText(method: string, path: string, headers: readonly string[] = [], body?: string): string {
	const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers];
	if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
	return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** Throws unless the answer is the expected failure, with the envelope and its headers. */
export function assertRawFailure(answer: RawAnswer | undefined, status: number, code: string): void {
	assert.ok(answer, 'there is no answer');
	const checked = checkEnvelope(answer.status, answer.headers, answer.body);
	assert.deepEqual([checked.status, checked.errorCode], [status, code]);
	assert.ok(answer.headers.get('date'), 'the answer has no Date');
}

/** The complete answers. Leaves out an answer that is still arriving. */
function parseAnswers(text: string, methods: readonly string[]): RawAnswer[] {
	const answers: RawAnswer[] = [];
	let rest = text;
	let request = 0;
	for (;;) {
		const headEnd = rest.indexOf('\r\n\r\n');
		if (headEnd === -1) return answers;
		const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n');
		const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? assert.fail(`no status line: ${statusLine}`));
		const headers = new Headers(
			lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
		);
		const isInterim = status < 200;
		const hasBody = !isInterim && !['HEAD', 'CONNECT'].includes(methods[request] ?? '');
		const parsed = hasBody ? parseBody(rest.slice(headEnd + 4), headers) : { body: '', length: 0 };
		if (!parsed) return answers;
		answers.push({ status, headers, body: parsed.body });
		rest = rest.slice(headEnd + 4 + parsed.length);
		if (!isInterim) request++;
	}
}

/** The bodies are ASCII, so a character is a byte. */
function parseBody(text: string, headers: Headers): { body: string; length: number } | undefined {
	if (headers.get('transfer-encoding') !== 'chunked') {
		const length = Number(headers.get('content-length'));
		return text.length < length ? undefined : { body: text.slice(0, length), length };
	}
	let body = '';
	let at = 0;
	for (;;) {
		const sizeEnd = text.indexOf('\r\n', at);
		if (sizeEnd === -1) return undefined;
		const size = Number.parseInt(text.slice(at, sizeEnd), 16);
		const end = sizeEnd + 2 + size;
		if (text.length < end + 2) return undefined;
		body += text.slice(sizeEnd + 2, end);
		at = end + 2;
		if (size === 0) return { body, length: at };
	}
}
