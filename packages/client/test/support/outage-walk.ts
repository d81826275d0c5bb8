// A process on the client's machine of a routed network. It makes one call for each sub-user, within a short time
// during which the test switches the router off, and prints what each call reported.
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Bursar, type BursarError, OutcomeUnknownError } from '../../src/index.ts';

type CallKind = 'create' | 'give' | 'take' | 'reset';

/** What a call reported. */
export interface SaidCall {
	readonly kind: CallKind;
	readonly username: string;
	readonly outcome: 'done' | 'not_done' | 'unknown';
	/** What the id of a change told after an unknown outcome. */
	readonly settled: 'done' | 'not_done' | undefined;
	readonly error: string | undefined;
	/** The key that a reset returned. */
	readonly proxyAuthkey: string | undefined;
	readonly fee: { readonly minCents: number; readonly maxCents: number } | undefined;
	readonly tookMs: number;
}

/** The state of a sub-user before or after the calls. */
export interface SeenAccount {
	readonly username: string;
	readonly balanceCents: number;
	readonly proxyAuthkey: string;
}

export interface WalkSettings {
	readonly token: string;
	/** The client has kept connections to the first when the calls begin, and none to the second. */
	readonly baseUrls: readonly [string, string];
	readonly calls: number;
	/** The calls begin one after the other within this time, in milliseconds. */
	readonly withinMs: number;
}

export const GIVEN_CENTS = 70;
const FIRST_CENTS = 1_000;
/** Longer than any outage. */
const SETTLE_LIMIT_MS = 180_000;
const KINDS: readonly CallKind[] = ['give', 'take', 'create', 'reset'];

/** Which requests of a call are held until the outage has begun, so that it certainly strikes them. */
type Phase = 'none' | 'changes' | 'looks';
const PHASES: readonly Phase[] = ['none', 'changes', 'changes', 'looks'];

if (process.argv[1] === import.meta.filename) await walk(JSON.parse(process.env.WALK as string));

async function walk({ token, baseUrls, calls, withinMs }: WalkSettings): Promise<void> {
	const { promise: outage, resolve: outageHasBegun } = Promise.withResolvers<void>();
	const clientOf = (index: number) => {
		const baseUrl = baseUrls[(index >> 3) % 2] as string;
		const fetch = holding(PHASES[(index >> 4) % PHASES.length] as Phase, outage);
		return new Bursar({ token, allowInsecureHttp: true, baseUrl, fetch });
	};
	const reader = clientOf(0);
	const names = Array.from({ length: calls }, (_, index) => `sub.${index}`);
	for (const [index, name] of names.entries()) {
		if (kindOf(index) === 'create') continue;
		await reader.subUsers.create(name);
		await reader.subUsers.give(name, FIRST_CENTS);
	}
	const before = await accounts(reader);
	const clients = names.map((_, index) => clientOf(index));
	// Opens as many kept connections as the calls will need.
	await Promise.all(clients.filter((_, index) => (index >> 3) % 2 === 0).map((client) => client.account.retrieve()));
	const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
	print({ before });
	await lines.next();

	const calling = names.map(async (username, index) => {
		await setTimeout((withinMs * index) / calls);
		return call(clients[index] as Bursar, kindOf(index), username);
	});
	await lines.next();
	outageHasBegun();
	print({ said: await Promise.all(calling) });
	await lines.next();
	print({ after: await accounts(reader), ownBalanceCents: (await reader.account.retrieve()).balanceCents });
	process.exit(0);
}

function holding(phase: Phase, outage: Promise<void>): typeof fetch {
	if (phase === 'none') return fetch;
	return async (input, init) => {
		const isLook = String(input).endsWith('/changes/view');
		const isChange = /(create|give_balance|take_balance|reset_auth_key)$/.test(String(input));
		if (phase === 'looks' ? isLook : isChange) await outage;
		return fetch(input, init);
	};
}

function kindOf(index: number): CallKind {
	return KINDS[index % KINDS.length] as CallKind;
}

async function call(client: Bursar, kind: CallKind, username: string): Promise<SaidCall> {
	const sinceMs = performance.now();
	const about = () => ({ kind, username, tookMs: Math.round(performance.now() - sinceMs) });
	try {
		let proxyAuthkey: string | undefined;
		let fee: SaidCall['fee'];
		if (kind === 'create') ({ fee } = await client.subUsers.create(username));
		else if (kind === 'give') await client.subUsers.give(username, GIVEN_CENTS);
		else if (kind === 'take') await client.subUsers.take(username, GIVEN_CENTS);
		else ({ proxyAuthkey } = await client.subUsers.resetAuthKey(username));
		return { ...about(), outcome: 'done', settled: undefined, error: undefined, proxyAuthkey, fee };
	} catch (error) {
		const { message, fee } = error as BursarError;
		const outcome = error instanceof OutcomeUnknownError ? 'unknown' : 'not_done';
		const said = { ...about(), outcome, error: message, proxyAuthkey: undefined, fee } as const;
		if (!(error instanceof OutcomeUnknownError)) return { ...said, settled: undefined };
		const recorded = await client.changes.settle(error.known, { totalTimeoutMs: SETTLE_LIMIT_MS });
		return { ...said, settled: recorded ? 'done' : 'not_done' };
	}
}

async function accounts(client: Bursar): Promise<SeenAccount[]> {
	const all: SeenAccount[] = [];
	for await (const { username, balanceCents, proxyAuthkey } of client.subUsers.list()) {
		all.push({ username, balanceCents, proxyAuthkey });
	}
	return all;
}

function print(value: unknown): void {
	process.stdout.write(`${JSON.stringify(value)}\n`);
}
