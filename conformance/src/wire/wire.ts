import { allEndpoints, endpoints } from '@bursar/contract';
import { Interrupted } from '../expect.ts';
import type { Spending } from '../run/spending.ts';
import { type Answer, type Basis, type ReceivedAnswer, readAnswer } from './answer.ts';
import type { AnswerWatch } from './answer-watch.ts';
import { CallError, sendCall } from './http-call.ts';
import { openSocket } from './raw-connection.ts';
import { keepSecrets, type Secrets } from './secrets.ts';

export interface CallOptions {
	/** By default POST if there is a body, otherwise GET. */
	readonly method?: string;
	/** Bytes and text are sent unchanged, other values as JSON. */
	readonly body?: unknown;
	/** Sent as the bearer token. */
	readonly token?: string | undefined;
	/** `null` leaves out a header that would be sent by default. */
	readonly headers?: Readonly<Record<string, string | null>>;
	/** Whether the body is sent in chunks. */
	readonly isChunked?: boolean;
}

/** All traffic to and from the service under test. */
export interface Wire {
	/** Makes one call. `path` is relative to the base address. */
	call(path: string, options?: CallOptions): Promise<Answer>;
	/** Opens a new connection for any bytes. */
	connect(requests: readonly RawRequest[]): Promise<RawConnection>;
	/** Refuses new calls until `open`. */
	close(): void;
	open(): void;
	/** Resolves when no call is in progress. */
	settled(): Promise<void>;
	readonly counts: WireCounts;
}

/** How many calls were made, and how many answers came. */
interface WireCounts {
	readonly asked: number;
	readonly answered: number;
}

/** A request as text, with what the suite must know about it. */
export interface RawRequest {
	readonly text: string | Uint8Array;
	readonly method: string;
	readonly path: string;
	/** The token, if the request is a call of create. */
	readonly createdBy: string | undefined;
}

interface RawConnection {
	/** Writes the requests that the connection was opened for, all at once. */
	sendAll(): void;
	/** At most `count` answers; fewer if the connection ends earlier. */
	answers(count: number, timeoutMs?: number): Promise<readonly Answer[]>;
	close(): void;
}

export interface WireParts {
	readonly baseUrl: URL;
	readonly heldTo: Basis;
	readonly secrets: Secrets;
	readonly spending: Spending;
	readonly watch: AnswerWatch;
	/** Breaks off calls in progress, and refuses new ones. */
	readonly abandon: AbortSignal;
}

const TIMEOUT_MS = 15_000;

export function createWire(parts: WireParts): Wire {
	const { secrets, spending, watch, abandon } = parts;
	const underWay = new Set<Promise<unknown>>();
	let isClosed = false;
	let asked = 0;
	let answered = 0;

	function track<Result>(work: Promise<Result>): Promise<Result> {
		const settled = work.then(
			() => {},
			() => {},
		);
		underWay.add(settled);
		void settled.then(() => underWay.delete(settled));
		return work.catch((error: Error) => {
			// A call that the suite broke off says nothing about the service.
			throw abandon.aborted && isClosed ? stopped() : error;
		});
	}

	function take(asked: Pick<RawRequest, 'method' | 'path' | 'createdBy'>, received: ReceivedAnswer): Answer {
		answered++;
		keepSecrets(secrets, received.text);
		const answer = readAnswer(parts.heldTo, asked.method, asked.path, received);
		if (asked.createdBy !== undefined)
			spending.created(asked.createdBy, answer, asked.path === endpoints.createSubUser.path);
		watch.see(answer);
		return answer;
	}

	function begin(): void {
		if (isClosed) throw stopped();
		if (abandon.aborted) throw new CallError('the run makes no more calls');
		asked++;
	}

	const limits = (timeoutMs: number) => ({ timeoutMs, abandon });

	return {
		async call(path, options = {}) {
			begin();
			const { method, headers, body } = prepare(options);
			const credentials = headers.authorization?.replace(/^\S+\s+/, '');
			if (credentials !== undefined) secrets.keep(credentials);
			const createdBy = creatorOf(method, path, options.token);
			if (createdBy !== undefined) spending.aboutToCreate();
			const { isChunked = false } = options;
			const sent = sendCall({ method, url: urlOf(parts.baseUrl, path), headers, body, isChunked }, limits(TIMEOUT_MS));
			return take({ method, path, createdBy }, await track(sent));
		},
		async connect(requests) {
			begin();
			for (const { createdBy } of requests) if (createdBy !== undefined) spending.aboutToCreate();
			const methods = requests.map(({ method }) => method);
			const socket = await track(openSocket(parts.baseUrl, methods, limits(TIMEOUT_MS)));
			let taken: readonly Answer[] = [];
			return {
				sendAll() {
					for (const { text } of requests) socket.write(text);
				},
				async answers(count, timeoutMs = TIMEOUT_MS) {
					const received = await track(socket.answers(count, limits(timeoutMs)));
					const fresh = received.slice(taken.length).map((answer, index) => {
						const asked = requests[taken.length + index] ?? { method: '?', path: '?', createdBy: undefined };
						return take(asked, answer);
					});
					taken = [...taken, ...fresh];
					return taken;
				},
				close: () => socket.close(),
			};
		},
		close() {
			isClosed = true;
		},
		open() {
			isClosed = false;
		},
		async settled() {
			await Promise.all(underWay);
		},
		get counts() {
			return { asked, answered };
		},
	};
}

function stopped(): Interrupted {
	return new Interrupted('the run is stopping');
}

/** The address of a path. The base address may have a path, too. */
export function urlOf(baseUrl: URL, path: string): URL {
	return new URL(baseUrl.href.replace(/\/$/, '') + path);
}

/** Only an authenticated POST counts as a call of create (docs/api.md 8.2), or of create_with (docs/api.md 11.10). */
export function creatorOf(method: string, path: string, token: string | undefined): string | undefined {
	return method === 'POST' && CREATES.includes(path) ? token : undefined;
}

const CREATES: readonly string[] = [endpoints.createSubUser.path, allEndpoints.createSubUserWith.path];

function prepare({ method, body, token, headers = {} }: CallOptions) {
	const sent: Record<string, string | null> = {
		accept: 'application/json',
		...(body !== undefined && { 'content-type': 'application/json' }),
		...(token !== undefined && { authorization: `Bearer ${token}` }),
		...headers,
	};
	return {
		method: method ?? (body === undefined ? 'GET' : 'POST'),
		headers: Object.fromEntries(
			Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== null),
		) as Readonly<Record<string, string>>,
		body: body === undefined ? undefined : bodyBytes(body),
	};
}

function bodyBytes(body: unknown): Uint8Array {
	if (body instanceof Uint8Array) return body;
	return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
