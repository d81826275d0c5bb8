// A process on the client's machine of a routed network. It makes one call for each sub-user, within a short time
// during which the test switches the router off, and prints what each call reported.
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { BursarClient, type BursarError, OutcomeUnknownError } from '../../src/index.ts';

type CallKind = 'create' | 'give' | 'take' | 'reset';

/** What a call reported. */
export interface SaidCall {
	readonly kind: CallKind;
	readonly username: string;
	readonly isSoleWriter: boolean;
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
		return new BursarClient({ token, allowInsecureHttp: true, baseUrl, fetch });
	};
	const reader = clientOf(0);
	const names = Array.from({ length: calls }, (_, index) => `sub.${index}`);
	for (const [index, name] of names.entries()) {
		if (kindOf(index) === 'create') continue;
		await reader.createSubUser(name);
		await reader.giveBalance(name, FIRST_CENTS);
	}
	const before = await accounts(reader);
	const clients = names.map((_, index) => clientOf(index));
	// Opens as many kept connections as the calls will need.
	await Promise.all(clients.filter((_, index) => (index >> 3) % 2 === 0).map((client) => client.myInfo()));
	const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
	print({ before });
	await lines.next();

	const calling = names.map(async (username, index) => {
		await setTimeout((withinMs * index) / calls);
		return call(clients[index] as BursarClient, kindOf(index), username, (index >> 2) % 2 === 0);
	});
	await lines.next();
	outageHasBegun();
	print({ said: await Promise.all(calling) });
	await lines.next();
	print({ after: await accounts(reader), ownBalanceCents: (await reader.myInfo()).balanceCents });
	process.exit(0);
}

function holding(phase: Phase, outage: Promise<void>): typeof fetch {
	if (phase === 'none') return fetch;
	return async (input, init) => {
		const isLook = String(input).endsWith('/view_single');
		const isChange = !isLook && init?.method === 'POST';
		if (phase === 'looks' ? isLook : isChange) await outage;
		return fetch(input, init);
	};
}

function kindOf(index: number): CallKind {
	return KINDS[index % KINDS.length] as CallKind;
}

async function call(client: BursarClient, kind: CallKind, username: string, isSoleWriter: boolean): Promise<SaidCall> {
	const sinceMs = performance.now();
	const about = () => ({ kind, username, isSoleWriter, tookMs: Math.round(performance.now() - sinceMs) });
	const options = { soleWriter: isSoleWriter };
	try {
		let proxyAuthkey: string | undefined;
		let fee: SaidCall['fee'];
		if (kind === 'create') ({ fee } = await client.createSubUser(username, { ...options, maxFeeCents: 30 }));
		else if (kind === 'give') await client.giveBalance(username, GIVEN_CENTS, options);
		else if (kind === 'take') await client.takeBalance(username, GIVEN_CENTS, options);
		else ({ proxyAuthkey } = await client.resetAuthKey(username, options));
		return { ...about(), outcome: 'done', settled: undefined, error: undefined, proxyAuthkey, fee };
	} catch (error) {
		const { message, fee } = error as BursarError;
		const outcome = error instanceof OutcomeUnknownError ? 'unknown' : 'not_done';
		const said = { ...about(), outcome, error: message, proxyAuthkey: undefined, fee } as const;
		const settled =
			error instanceof OutcomeUnknownError && error.known.changeId !== undefined
				? await client.settle(error.known, { totalTimeoutMs: SETTLE_LIMIT_MS })
				: undefined;
		return { ...said, settled };
	}
}

async function accounts(client: BursarClient): Promise<SeenAccount[]> {
	const all = await client.viewAllSubUsers();
	return all.map(({ username, balanceCents, proxyAuthkey }) => ({ username, balanceCents, proxyAuthkey }));
}

function print(value: unknown): void {
	process.stdout.write(`${JSON.stringify(value)}\n`);
}
