import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { OPERATOR_SCOPES, type OperatorScope } from '@bursar/contract/scopes';
import { createLogger, type DestinationStream } from '@bursar/terminal/logger';
import { type Bank, createBank } from '../../server/src/bank/bank.ts';
import type { CreateEdge } from '../../server/src/commands/edges/create.ts';
import type { RevokeEdge } from '../../server/src/commands/edges/revoke.ts';
import type { Command } from '../../server/src/commands/registry.ts';
import { type Config, readConfig } from '../../server/src/config.ts';
import { newEdgeKey, newOperatorToken, newProxyAuthkey, newToken, newTokenId } from '../../server/src/credentials.ts';
import { openStore } from '../../server/src/engine.ts';
import { type Service, type ServiceParts, startService } from '../../server/src/service.ts';
import type { Store } from '../../server/src/store/store.ts';

/** A service as `startService` builds it, on free ports and in a new folder. It begins to stop when the test ends. */
export interface TestService extends Service {
	readonly config: Config;
	/** Opens a reseller as the operator would, while the service runs. */
	openReseller(username: string, balanceCents: number): Promise<TestReseller>;
	/** Opens an edge as the operator would, and returns its key. */
	openEdge(name: string): Promise<string>;
	revokeEdge(name: string): Promise<void>;
	/** Makes a token of a program of the operator, for a day. */
	openOperatorToken(name: string, scopes?: readonly OperatorScope[]): Promise<string>;
	/** Sets what a GB costs a reseller, in micro-dollars, as the operator would. */
	setPrice(reseller: string, microUsdPerGb: number): Promise<void>;
	/** Gives a command, as the operator would. Throws if it is refused. */
	submit(command: WithoutRequest<Command>): Promise<void>;
}

type WithoutRequest<C extends Command> = C extends unknown ? Omit<C, 'requestId'> : never;

export interface TestReseller {
	readonly username: string;
	readonly token: string;
}

/**
 * A service that stops waits half a second for requests on idle connections. The next test does not wait for that, but the
 * process does.
 */
const stopping = new Set<Promise<void>>();
after(async () => {
	await Promise.all(stopping);
});

/**
 * Starts a service with the settings in `environment`, read as `serve` reads them. The dashboard takes half the time of
 * a start, so it is on only if `environment` says so. `log` gets the lines of the log.
 */
export async function startTestService(
	test: TestContext,
	environment: Readonly<Record<string, string>> = {},
	parts: ServiceParts = {},
	log?: DestinationStream,
): Promise<TestService> {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-test-'));
	let service: Service | undefined;
	let stopped: Promise<void> | undefined;
	const stop = async () => {
		stopped ??= service?.stop();
		await stopped;
	};
	test.after(() => {
		const removed = stop().then(() => rmSync(folder, { recursive: true }));
		// A failure is reported at the end, and not in the middle of another test.
		removed.catch(() => {});
		stopping.add(removed);
	});
	const config = readConfig({
		BURSAR_PORT: '0',
		BURSAR_OPS_PORT: '0',
		BURSAR_DATA_DIR: folder,
		BURSAR_LOG_LEVEL: 'silent',
		BURSAR_DASHBOARD: '0',
		...environment,
	});
	let store: Store | undefined;
	const ownStore = async () => {
		store = await openStore(config, { serves: true });
		return store;
	};
	service = await startService(config, createLogger(config.logLevel, log), { openStore: ownStore, ...parts });
	// A second store would start another thread. But a store that the test has made may have a fault, and the operator must
	// not.
	const bank = store && createBank(store, QUIET);
	const act = <Value>(work: (bank: Bank) => Promise<Value>) => (bank ? work(bank) : withBank(config, work));
	return {
		...service,
		stop,
		config,
		openReseller: (...args) => act((bank) => createReseller(bank, ...args)),
		openEdge: (name) => act((bank) => createEdge(bank, name)),
		setPrice: (reseller, microUsdPerGb) => act((bank) => submit(bank, { kind: 'set_price', reseller, microUsdPerGb })),
		submit: (command) => act((bank) => submit(bank, command)),
		openOperatorToken: (name, scopes = OPERATOR_SCOPES) => act((bank) => createOperatorToken(bank, name, scopes)),
		revokeEdge: (name) => act((bank) => changeEdges(bank, { kind: 'revoke_edge', name })),
	};
}

/** Opens a reseller in the store that the configuration names. */
export function openReseller(config: Config, username: string, balanceCents: number): Promise<TestReseller> {
	return withBank(config, (bank) => createReseller(bank, username, balanceCents));
}

/** Opens an edge in the store that the configuration names, and returns its key. */
export function openEdge(config: Config, name: string): Promise<string> {
	return withBank(config, (bank) => createEdge(bank, name));
}

/** Sets what a GB costs a reseller, in micro-dollars, in the store that the configuration names. */
export function setPrice(config: Config, reseller: string, microUsdPerGb: number): Promise<void> {
	return withBank(config, (bank) => submit(bank, { kind: 'set_price', reseller, microUsdPerGb }));
}

/** Acts in the store that the configuration names, beside a service that may use it. */
export async function withBank<Value>(config: Config, act: (bank: Bank) => Promise<Value>): Promise<Value> {
	const store = await openStore(config);
	try {
		await store.startWriting?.();
		return await act(createBank(store, QUIET));
	} finally {
		await store.close();
	}
}

const MOST_TRIES = 20;
const DAY_MS = 86_400_000;

const QUIET = { observer: { batchDone() {}, fault() {} } };

async function createReseller(bank: Bank, username: string, balanceCents: number): Promise<TestReseller> {
	const { token, ...kept } = newToken();
	const command = {
		kind: 'create_reseller',
		reseller: username,
		requestId: 'test',
		proxyAuthkey: newProxyAuthkey(),
		...kept,
		madeBy: 'operator',
		openingBalanceCents: balanceCents,
	} as const;
	const outcome = await untilDone(() => bank.submit(command));
	if (!outcome.ok) throw new Error(`the reseller could not be opened: ${outcome.error}`);
	return { username, token };
}

async function createEdge(bank: Bank, name: string): Promise<string> {
	const { key, ...kept } = newEdgeKey();
	await changeEdges(bank, { kind: 'create_edge', name, ...kept });
	return key;
}

async function createOperatorToken(bank: Bank, name: string, scopes: readonly OperatorScope[]): Promise<string> {
	const { token, ...made } = newOperatorToken();
	const outcome = await untilDone(() =>
		bank.changePerson({
			...{ kind: 'create_operator_token', id: newTokenId(), ...made, name, scopes },
			...{ endsAtMs: Date.now() + DAY_MS, madeBy: 'test' },
		}),
	);
	if (!outcome.ok) throw new Error(`the token could not be made: ${outcome.error}`);
	return token;
}

async function submit(bank: Bank, command: WithoutRequest<Command>): Promise<void> {
	const outcome = await untilDone(() => bank.submit({ ...command, requestId: 'test' } as Command));
	if (!outcome.ok) throw new Error(`${command.kind} was refused: ${outcome.error}`);
}

async function changeEdges(bank: Bank, command: CreateEdge | RevokeEdge): Promise<void> {
	const outcome = await untilDone(() => bank.changePerson(command));
	if (!outcome.ok) throw new Error(`the edge could not be changed: ${outcome.error}`);
}

/** On a busy machine the bank may refuse a command that it could not begin in time. Then nothing was done. */
async function untilDone<Outcome extends { readonly ok: true } | { readonly ok: false; readonly error: string }>(
	give: () => Promise<Outcome>,
): Promise<Outcome> {
	for (let count = 1; ; count++) {
		const outcome = await give();
		if (outcome.ok || outcome.error !== 'not_done' || count === MOST_TRIES) return outcome;
	}
}
