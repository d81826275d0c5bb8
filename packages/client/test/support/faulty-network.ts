import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { REQUEST_ID_HEADER } from '@bursar/contract';
import { firstMessage, type HttpMessage } from './http-message.ts';
import { type Chance, FATES, type Fate } from './network-fates.ts';
import { openServerSide, type ServerSide } from './server-side.ts';

/** What became of one request. */
export interface Passage {
	/** The number of the operation that sent it. */
	readonly operation: number;
	readonly path: string;
	readonly fate: Fate;
	/** Whether the server was sent all of it. */
	readonly wasSent: boolean;
	/** What the server answered, whether the client got to see it or not. */
	readonly answer: { readonly status: number; readonly requestId: string } | undefined;
}

/** A way to a server that loses, delays and tears what passes. It ends with the test. */
export interface FaultyNetwork {
	/** The URL of the server, by this way. */
	readonly url: string;
	/** Resolves once nothing is on its way any more: with all that has passed. */
	quiet(): Promise<readonly Passage[]>;
}

/** In it a client says which operation a request belongs to. */
export const OPERATION_HEADER = 'x-test-operation';

/** Less than the server's own, so that no request meets a connection that the server is just closing. */
const LONGEST_IDLE_MS = 20_000;

export async function openFaultyNetwork(
	test: TestContext,
	serverUrl: string,
	chanceOf: (operation: number) => Chance,
): Promise<FaultyNetwork> {
	const passages: Passage[] = [];
	const underWay = new Set<Promise<void>>();
	const sockets = new Set<Socket>();
	const network = createServer((client) => {
		sockets.add(client);
		client.setNoDelay(true);
		client.on('error', () => {});
		client.on('close', () => sockets.delete(client));
		const server = openServerSide(Number(new URL(serverUrl).port), sockets);
		forEachRequest(client, server, async (request) => {
			const operation = Number(request.headers.get(OPERATION_HEADER));
			const chance = chanceOf(operation);
			const passing = pass(client, server, request, chance).then((answer) => {
				const path = request.startLine.split(' ')[1] as string;
				const wasSent = !['never', 'in_part'].includes(FATES[chance.fate].reaches);
				passages.push({ operation, path, fate: chance.fate, wasSent, answer: answer && summary(answer) });
			});
			underWay.add(passing);
			await passing;
			underWay.delete(passing);
		});
	});
	network.listen(0, '127.0.0.1');
	await once(network, 'listening');
	test.after(() => {
		network.close();
		for (const socket of sockets) socket.destroy();
	});
	return {
		url: `http://127.0.0.1:${(network.address() as AddressInfo).port}`,
		async quiet() {
			while (underWay.size > 0) await Promise.all(underWay);
			return passages;
		},
	};
}

/** Ends the server's side with the client's, but only once what the client has sent has run its course. */
function forEachRequest(client: Socket, server: ServerSide, handle: (request: HttpMessage) => Promise<void>): void {
	let received = Buffer.alloc(0);
	let isBusy = false;
	client.on('data', async (bytes: Buffer) => {
		received = Buffer.concat([received, bytes]);
		const request = firstMessage(received);
		if (request === undefined) return;
		received = received.subarray(request.bytes.length);
		isBusy = true;
		await handle(request);
		isBusy = false;
		if (client.destroyed) server.close();
	});
	client.setTimeout(LONGEST_IDLE_MS, () => isBusy || client.destroy());
	client.on('close', () => isBusy || server.close());
	server.onEnd(() => isBusy || client.destroy());
}

/** Lets a request meet its fate. Resolves with the server's answer once that is over, or nothing where none will come. */
async function pass(
	client: Socket,
	server: ServerSide,
	{ bytes }: HttpMessage,
	{ fate, delayMs, page }: Chance,
): Promise<HttpMessage | undefined> {
	const { reaches, shows } = FATES[fate];
	const isAnsweredFirst = reaches === 'never' || reaches === 'in_part' || reaches === 'late';
	if (reaches === 'in_part') server.sendPart(bytes.subarray(0, -1 - (delayMs % (bytes.length - 1))));
	if (isAnsweredFirst) show(client, shows, page, undefined);
	if (reaches === 'never' || reaches === 'in_part') return undefined;
	if (reaches === 'soon' || reaches === 'late') await setTimeout(delayMs);
	const answer = await server.ask(bytes);
	if (shows === 'answer_late') await setTimeout(delayMs);
	if (!isAnsweredFirst) show(client, shows, page, answer);
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
			// A client that is gone already cannot be reset: the socket would never close.
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
