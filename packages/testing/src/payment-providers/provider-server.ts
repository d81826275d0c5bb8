import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { listen } from '../listen.ts';
import { sendRequest } from '../send-request.ts';

/** A request that a payment provider has seen. */
export interface SeenRequest {
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

/** What is sent to a request. The body goes as JSON. */
export interface ProviderAnswer {
	readonly status: number;
	readonly body: unknown;
}

/** A webhook of the provider, before it is signed and sent. */
export interface Hint {
	readonly type: string;
	readonly body: string;
	/** The status that the service answered to each sending. `undefined`: it gave no answer. */
	readonly answers: (number | undefined)[];
}

/** What goes wrong with the requests of the service. A test changes it at any time. */
interface Faults {
	/** Connections are reset, and nothing is done. */
	isAway: boolean;
	/** Everything is answered with this status and an error, and nothing is done. */
	refusal: number | undefined;
	/** The next requests that make something, or read something, are done, and their answers are lost. */
	lostCreates: number;
	lostReads: number;
	/** Requests wait for this before anything is done. */
	held: Promise<unknown> | undefined;
}

/** Whether hints are sent when they arise, are lost, or are kept in `hints` for the test to send. */
type HintDelivery = 'at_once' | 'lost' | 'kept';

/** What is the same for all payment providers that tests stand in for. */
export interface ProviderServer {
	/** The address of the API. */
	readonly url: string;
	/** What the service has asked, oldest first. */
	readonly requests: readonly SeenRequest[];
	readonly faults: Faults;
	/** Where hints go. Without it they are kept. */
	hintsUrl: string | undefined;
	hintDelivery: HintDelivery;
	/** All hints that were not lost, oldest first. */
	readonly hints: readonly Hint[];
	/** Sends a hint, newly signed. A hint may be sent several times, and in any order. Returns the status of the answer. */
	send(hint: Hint): Promise<number | undefined>;
	/** Notes a hint, and sends it if that is how hints are delivered. */
	announce(type: string, body: unknown): Promise<void>;
}

export interface ProviderServerOptions {
	answer(request: SeenRequest): ProviderAnswer;
	/** The headers that prove where a hint comes from. */
	sign(body: string): Readonly<Record<string, string>>;
	/** The body of an error, as the provider forms it. */
	errorBody(status: number, message: string): unknown;
}

/** Starts a server for the API of a provider. It ends with the test, and outlives any restart of the service. */
export async function startProviderServer(
	t: TestContext,
	{ answer, sign, errorBody }: ProviderServerOptions,
): Promise<ProviderServer> {
	const requests: SeenRequest[] = [];
	const hints: Hint[] = [];
	const faults: Faults = { isAway: false, refusal: undefined, lostCreates: 0, lostReads: 0, held: undefined };

	function isLost(method: string): boolean {
		const fault = method === 'POST' ? 'lostCreates' : 'lostReads';
		if (faults[fault] === 0) return false;
		faults[fault]--;
		return true;
	}

	async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
		const request = await readRequest(message);
		requests.push(request);
		await faults.held;
		if (faults.isAway) return void message.socket.resetAndDestroy();
		const { refusal } = faults;
		const reply =
			refusal === undefined ? answer(request) : { status: refusal, body: errorBody(refusal, 'This is refused.') };
		if (isLost(request.method)) return void message.socket.resetAndDestroy();
		response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
	}

	const server = createServer((message, response) => {
		message.on('error', () => {});
		// The service may end a connection at any time.
		handle(message, response).catch(() => message.socket.destroy());
	});
	const { port } = await listen(t, server);

	const provider: ProviderServer = {
		url: `http://127.0.0.1:${port}`,
		requests,
		faults,
		hintsUrl: undefined,
		hintDelivery: 'at_once',
		hints,
		async send(hint) {
			if (provider.hintsUrl === undefined) throw new Error('`hintsUrl` is not set');
			const headers = { 'content-type': 'application/json', ...sign(hint.body) };
			const status = await sendRequest(provider.hintsUrl, { method: 'POST', headers, body: hint.body }).then(
				(received) => received.status,
				() => undefined,
			);
			hint.answers.push(status);
			return status;
		},
		async announce(type, body) {
			if (provider.hintDelivery === 'lost') return;
			const hint: Hint = { type, body: JSON.stringify(body), answers: [] };
			hints.push(hint);
			if (provider.hintDelivery === 'at_once' && provider.hintsUrl !== undefined) await provider.send(hint);
		},
	};
	return provider;
}

async function readRequest(message: IncomingMessage): Promise<SeenRequest> {
	const { pathname, searchParams } = new URL(message.url ?? '/', 'http://provider');
	const body = await text(message);
	return { method: message.method ?? '', path: pathname, query: searchParams, headers: message.headers, body };
}
