import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type {
	AddressCheckRequest,
	CheckAnswer,
	CheckRefusal,
	CheckRequest,
	CounterReading,
	OpenConnections,
	RefusedClients,
} from '@bursar/contract/edge';

export const EDGE_KEY = `bre_${'k'.repeat(46)}`;

/** A small service that keeps to the wire of the edge listener. It ends with the test. */
export interface FakeService {
	readonly url: string;
	/** The key of each account. */
	readonly keys: Map<string, string>;
	/** For how many bytes an account has paid, in all. Bandwidth costs the others nothing. */
	readonly paidBytes: Map<string, number>;
	/** What the answers about an account say beside that. */
	readonly limits: Map<string, Partial<CheckAnswer>>;
	/** Why an account is refused though its pair is right. */
	readonly refused: Map<string, CheckRefusal>;
	/** Everything that was reported of open connections. */
	readonly open: OpenConnections[];
	/** Everything that was reported of refused clients. */
	readonly refusedClients: RefusedClients[];
	/** The account that signs in from each address. */
	readonly signIns: Map<string, string>;
	/** What answers say of all addresses. `undefined`: it is an older service, and refuses checks by address. */
	signsInByAddress: boolean | undefined;
	/** Every check of a pair that arrived, and every address that was asked about. */
	readonly checks: CheckRequest[];
	readonly addresses: string[];
	/** How many requests arrived at each path. */
	readonly requests: Map<string, number>;
	/** What each counter has, at most once counted. */
	readonly counters: Map<string, { readonly username: string; readonly up: number; readonly down: number }>;
	/** What each account has used. */
	usedBy(username: string): { readonly up: number; readonly down: number };
	/** Bytes of each UTC day, as `username/2026-01-31`. */
	readonly days: Map<string, number>;
	/** Replaces the usual behaviour while it is set. */
	behaviour: Behaviour;
	/** Requests wait for it before anything is done. */
	held: Promise<void> | undefined;
	/** Reports are counted, and their answers wait for it. */
	reportAnswersHeld: Promise<void> | undefined;
	/** Refuses readings: the reason by counter. */
	readonly refusals: Map<string, string>;
	/** Ends all connections, and accepts none until `comeBack`. */
	goAway(): Promise<void>;
	comeBack(): Promise<void>;
}

/** `lose_answers`: does everything, and closes the connection instead of answering. `hang`: never answers. */
type Behaviour = 'usual' | 'lose_answers' | 'hang' | 'unavailable' | 'unauthorized' | 'throttled' | 'nonsense';

export async function startFakeService(test: TestContext): Promise<FakeService> {
	const sockets = new Set<Socket>();
	let server = newServer();

	function newServer() {
		const made = createServer((request, response) => {
			answer(request, response).catch(() => response.destroy());
		});
		made.on('connection', (socket) => {
			sockets.add(socket);
			socket.on('close', () => sockets.delete(socket));
		});
		return made;
	}

	async function listen(port: number): Promise<void> {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
	}

	async function close(): Promise<void> {
		server.close();
		for (const socket of sockets) socket.destroy();
	}

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = request.url ?? '';
		service.requests.set(path, (service.requests.get(path) ?? 0) + 1);
		const body = (await json(request)) as {
			readonly checks?: (CheckRequest | AddressCheckRequest)[];
			readonly counters?: CounterReading[];
			readonly open?: OpenConnections[];
			readonly refusals?: RefusedClients[];
		};
		const { behaviour } = service;
		await service.held;
		if (behaviour === 'hang') return;
		if (behaviour === 'unavailable') return fail(response, 503, 'unavailable');
		if (behaviour === 'nonsense') return void response.end('<html>');
		if (behaviour === 'unauthorized' || request.headers.authorization !== `Bearer ${EDGE_KEY}`) {
			return fail(response, 401, 'unauthorized');
		}
		service.open.push(...(body.open ?? []));
		service.refusedClients.push(...(body.refusals ?? []));
		const { signsInByAddress } = service;
		if (signsInByAddress === undefined && body.checks?.some((asked) => 'by_address' in asked)) {
			return fail(response, 400, 'invalid_request');
		}
		const hint = signsInByAddress !== undefined && { signs_in_by_address: signsInByAddress };
		const result = body.checks ? { checks: body.checks.map(check), ...hint } : take(body.counters ?? []);
		if (body.counters) await service.reportAnswersHeld;
		if (behaviour === 'lose_answers') return void response.destroy();
		response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
	}

	function check(asked: CheckRequest | AddressCheckRequest): CheckAnswer {
		if ('by_address' in asked) service.addresses.push(asked.client);
		else service.checks.push(asked);
		if (service.behaviour === 'throttled') return refusal('throttled');
		if ('by_address' in asked) {
			const username = service.signIns.get(asked.client);
			if (username === undefined) return refusal('wrong_pair');
			const answer = judge(username, `@${asked.client}`);
			return answer.ok ? answer : { ...answer, username };
		}
		const username = asked.username.toLowerCase();
		if (asked.key_id?.startsWith('@')) {
			const isGood = service.signIns.get(asked.key_id.slice(1)) === username;
			return isGood ? judge(username, asked.key_id) : refusal('wrong_pair');
		}
		const key = service.keys.get(username);
		const given = asked.password?.split('_')[0];
		const isGood = key !== undefined && (given === key || asked.key_id === `id-of-${key}`);
		return isGood ? judge(username, `id-of-${key}`) : refusal('wrong_pair');
	}

	function judge(username: string, key_id: string): CheckAnswer {
		const left_bytes = leftBytes(username);
		const refused = service.refused.get(username);
		if (refused !== undefined) return { ...refusal(refused), ...service.limits.get(username) };
		if (left_bytes !== null && left_bytes <= 0) return refusal('exhausted');
		const left_reason = left_bytes === null ? null : 'exhausted';
		const held = { ...NOTHING_TO_HOLD, left_bytes, left_reason, ...service.limits.get(username) } as const;
		return { ok: true, username, key_id, reseller: 'acme', reason: null, recheck_ms: 2_000, ...held };
	}

	function leftBytes(username: string): number | null {
		const { up, down } = service.usedBy(username);
		const paid = service.paidBytes.get(username);
		return paid === undefined ? null : paid - up - down;
	}

	function take(readings: readonly CounterReading[]) {
		const refused: { place: number; reason: string }[] = [];
		let counted = 0;
		for (const [index, { counter, username, up, down, at }] of readings.entries()) {
			const known = service.counters.get(counter);
			const isConflict = known !== undefined && known.username !== username;
			const reason = service.refusals.get(counter) ?? (isConflict ? 'conflict' : undefined);
			if (reason !== undefined) {
				refused.push({ place: index, reason });
				continue;
			}
			const { up: knownUp, down: knownDown } = known ?? { up: 0, down: 0 };
			const more = Math.max(0, up - knownUp) + Math.max(0, down - knownDown);
			const day = `${username}/${at.slice(0, 10)}`;
			service.days.set(day, (service.days.get(day) ?? 0) + more);
			service.counters.set(counter, { username, up: Math.max(up, knownUp), down: Math.max(down, knownDown) });
			counted++;
		}
		return { counted, repeated: 0, refused };
	}

	await listen(0);
	const { port } = server.address() as AddressInfo;
	test.after(close);
	const service: FakeService = {
		url: `http://127.0.0.1:${port}`,
		keys: new Map(),
		paidBytes: new Map(),
		limits: new Map(),
		refused: new Map(),
		open: [],
		refusedClients: [],
		signIns: new Map(),
		signsInByAddress: false,
		checks: [],
		addresses: [],
		requests: new Map(),
		counters: new Map(),
		usedBy(username) {
			const own = [...service.counters.values()].filter((counter) => counter.username === username);
			return {
				up: own.reduce((sum, { up }) => sum + up, 0),
				down: own.reduce((sum, { down }) => sum + down, 0),
			};
		},
		days: new Map(),
		behaviour: 'usual',
		held: undefined,
		reportAnswersHeld: undefined,
		refusals: new Map(),
		goAway: close,
		async comeBack() {
			server = newServer();
			await listen(port);
		},
	};
	return service;
}

const NOTHING_TO_HOLD = {
	left_bytes: null,
	left_reason: null,
	max_connections: null,
	max_bytes_per_second: null,
	ends_in_ms: null,
	allowed_ips: null,
};

function refusal(reason: CheckRefusal): CheckAnswer {
	return {
		ok: false,
		username: null,
		key_id: null,
		reseller: null,
		reason,
		recheck_ms: 2_000,
		...NOTHING_TO_HOLD,
	};
}

function fail(response: ServerResponse, status: number, code: string): void {
	response.writeHead(status, { 'x-error-code': code }).end(JSON.stringify({ error: code, message: code }));
}
