import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { REQUEST_ID_HEADER } from '@bursar/contract';
import { messagesFrom, type RelayedConnection, send, startRelay } from '@bursar/testing/relay';
import { type Chance, FATES, type Fate } from './network-fates.ts';

/** One request and its outcome. */
export interface Passage {
	/** The number of the operation that sent it. */
	readonly operation: number;
	readonly path: string;
	readonly fate: Fate;
	/** Whether the server received all of it. */
	readonly wasSent: boolean;
	/** The server's answer, whether or not the client received it. */
	readonly answer: { readonly status: number; readonly requestId: string } | undefined;
}

/** A relay to a server that loses, delays and cuts messages. It ends with the test. */
export interface FaultyNetwork {
	/** The URL of the relay. */
	readonly url: string;
	/** Resolves once nothing is on its way any more, with all requests so far. */
	quiet(): Promise<readonly Passage[]>;
}

/** The header with the number of the operation that a request belongs to. */
export const OPERATION_HEADER = 'x-test-operation';

/** Less than the server's limit, so that no request meets a connection that the server is closing. */
const LONGEST_IDLE_MS = 20_000;

export async function openFaultyNetwork(
	test: TestContext,
	serverUrl: string,
	chanceOf: (operation: number) => Chance,
): Promise<FaultyNetwork> {
	const passages: Passage[] = [];
	const underWay = new Set<Promise<void>>();
	const { url } = await startRelay(test, serverUrl, async (connection) => {
		const { client, server } = connection;
		const answers = messagesFrom(server, firstMessage);
		let isBusy = false;
		const closeIdle = () => isBusy || client.destroy();
		client.setTimeout(LONGEST_IDLE_MS, closeIdle);
		server.once('end', closeIdle).once('close', closeIdle);
		// The connection to the server stays open until the request of the client has ended.
		for await (const request of messagesFrom(client, firstMessage)) {
			isBusy = true;
			const operation = Number(request.headers.get(OPERATION_HEADER));
			const chance = chanceOf(operation);
			const passing = meetFate(connection, answers, request, chance).then((answer) => {
				const path = request.startLine.split(' ')[1] as string;
				const wasSent = !['never', 'in_part'].includes(FATES[chance.fate].reaches);
				passages.push({ operation, path, fate: chance.fate, wasSent, answer: answer && summary(answer) });
			});
			underWay.add(passing);
			await passing;
			underWay.delete(passing);
			isBusy = false;
		}
	});
	return {
		url,
		async quiet() {
			while (underWay.size > 0) await Promise.all(underWay);
			return passages;
		},
	};
}

/** Resolves at the end with the server's first answer, or with nothing if the server gives none. */
async function meetFate(
	{ client, server, delay }: RelayedConnection,
	answers: AsyncGenerator<HttpMessage, undefined>,
	{ bytes }: HttpMessage,
	{ fate, delayMs, page }: Chance,
): Promise<HttpMessage | undefined> {
	const { reaches, shows } = FATES[fate];
	const isAnsweredFirst = reaches === 'never' || reaches === 'in_part' || reaches === 'late';
	if (reaches === 'in_part') {
		await send(server, bytes.subarray(0, -1 - (delayMs % (bytes.length - 1))));
		server.destroy();
	}
	if (isAnsweredFirst) show(client, shows, page, undefined);
	if (reaches === 'never' || reaches === 'in_part') return undefined;
	if (reaches === 'soon' || reaches === 'late') await delay(delayMs);
	await send(server, bytes);
	const { value: answer } = await answers.next();
	if (reaches === 'twice') await send(server, bytes);
	const shown = reaches === 'twice' ? (await answers.next()).value : answer;
	if (shows === 'answer_late') await delay(delayMs);
	if (!isAnsweredFirst) show(client, shows, page, shown);
	return answer;
}

function show(
	client: Socket,
	shows: (typeof FATES)[Fate]['shows'],
	page: string,
	answer: HttpMessage | undefined,
): void {
	switch (shows) {
		case 'silence':
			return;
		case 'reset':
			// If the client is gone already, a reset would never close the socket.
			if (client.writable) client.resetAndDestroy();
			else client.destroy();
			return;
		case 'close':
			client.end();
			return;
		case 'page':
			client.end(page);
			return;
	}
	if (answer === undefined) {
		client.destroy();
		return;
	}
	const { bytes, headLength } = answer;
	if (shows === 'cut_head') client.end(bytes.subarray(0, headLength >> 1));
	else if (shows === 'cut_body') client.end(bytes.subarray(0, (headLength + bytes.length) >> 1));
	else client.write(bytes);
}

function summary({ startLine, headers }: HttpMessage): NonNullable<Passage['answer']> {
	return { status: Number(startLine.split(' ')[1]), requestId: headers.get(REQUEST_ID_HEADER) ?? '' };
}

/** A request or an answer, whole. */
interface HttpMessage {
	readonly bytes: Buffer;
	/** `POST /path HTTP/1.1` for a request, `HTTP/1.1 200 OK` for an answer. */
	readonly startLine: string;
	readonly headers: Headers;
	readonly headLength: number;
}

const HEAD_END = '\r\n\r\n';

const LAST_CHUNK = '\r\n0\r\n\r\n';

/** The first message in the bytes, once it is complete. Bodies are JSON, so no chunk of a body holds a line end. */
function firstMessage(bytes: Buffer): HttpMessage | undefined {
	const headEnd = bytes.indexOf(HEAD_END);
	if (headEnd < 0) return undefined;
	const [startLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
	const headers = new Headers(
		lines.map((line): [string, string] => {
			const colon = line.indexOf(':');
			return [line.slice(0, colon), line.slice(colon + 1).trim()];
		}),
	);
	const headLength = headEnd + HEAD_END.length;
	const length = headers.has('transfer-encoding')
		? endOf(bytes, LAST_CHUNK, headLength)
		: headLength + Number(headers.get('content-length') ?? 0);
	if (length === undefined || bytes.length < length) return undefined;
	return { bytes: bytes.subarray(0, length), startLine, headers, headLength };
}

function endOf(bytes: Buffer, text: string, from: number): number | undefined {
	const start = bytes.indexOf(text, from);
	return start < 0 ? undefined : start + text.length;
}
