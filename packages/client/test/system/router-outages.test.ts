import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertLedgerInOrder, startServer } from '@bursar/testing/bursar-process';
import { openRoutedNetwork, type RoutedNetwork } from '@bursar/testing/routed-network';
import { openReseller } from '@bursar/testing/service';
import { sqliteBooks } from '@bursar/testing/sqlite-books';
import type { TransferRow } from '@bursar/testing/stored-books';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readConfig } from '../../../server/src/config.ts';
import { GIVEN_CENTS, type SaidCall, type SeenAccount, type WalkSettings } from '../support/outage-walk.ts';

// A router drops real packets for a while. The kernel goes on sending requests that its program gave up.

const CALLS = 192;
/**
 * The calls begin within this time, and the outage in the middle of it. Some calls hold their change, or their looks,
 * until the outage has begun, so that it strikes each phase of a call.
 */
const WITHIN_MS = 600;
const OPENING_CENTS = 10_000_000;

describe('calls through an outage', { concurrency: true, timeout: 600_000 }, () => {
	for (const seconds of [5, 14, 30, 60]) {
		test(`of ${seconds} s, while others write: the reports are true, and no outcome stays unknown`, async (t) => {
			const findings = await strike(t, seconds * 1000);
			report(t, findings);
			assert.deepEqual(findings.wrong, []);
			const struck = struckOf(findings);
			assert.ok(struck.length >= CALLS / 8, 'the outage struck calls');
			const unknown = struck.filter(({ outcome }) => outcome === 'unknown');
			if (seconds <= 30) assert.deepEqual(unknown, [], 'calls outlast an outage of half a minute');
			const unsettled = unknown.filter(({ settled }) => settled === undefined);
			assert.deepEqual(unsettled, [], 'after the outage, the ids of all changes tell their outcome');
		});
	}
});

interface Findings {
	readonly said: readonly SaidCall[];
	/** Reports that are not true. */
	readonly wrong: readonly string[];
}

/** Makes the calls, lets the outage strike them, waits until nothing is on its way, and checks the reports. */
async function strike(t: TestContext, outageMs: number): Promise<Findings> {
	const network = await openRoutedNetwork(t);
	const { token, dataDir } = await serve(t, network);
	const [kept, fresh] = network.serverAddresses.map((address) => `http://${address}:8080`) as [string, string];
	const walk = startWalk(t, network, {
		token,
		baseUrls: [kept, fresh],
		calls: CALLS,
		withinMs: WITHIN_MS,
	});
	const { before } = await walk.next<{ before: SeenAccount[] }>();
	const others = startOthers(t, network, token, before);
	walk.goOn();
	await setTimeout(WITHIN_MS / 2);
	await network.setForwarding(false);
	walk.goOn();
	await setTimeout(outageMs);
	await network.setForwarding(true);
	const { said } = await walk.next<{ said: SaidCall[] }>();
	await network.quiet();
	// Requests that have arrived end within this time.
	await setTimeout(2_000);
	await others.stop();
	walk.goOn();
	const { after, ownBalanceCents } = await walk.next<{ after: SeenAccount[]; ownBalanceCents: number }>();
	await assertLedgerInOrder(t, dataDir);
	const moves = await sqliteBooks(dataDir).transfersBehind({});
	const wrong = [
		...contradictions(said, before, after, moves),
		...feeContradictions(said, before, after, ownBalanceCents),
	];
	return { said, wrong };
}

/** A service on the server's machine. */
async function serve(t: TestContext, network: RoutedNetwork) {
	const dataDir = temporaryFolder(t);
	const { token } = await openReseller(readConfig({ BURSAR_DATA_DIR: dataDir }), 'acme', OPENING_CENTS);
	const environment = { BURSAR_HOST: '0.0.0.0', BURSAR_PORT: '8080' };
	await startServer(t, dataDir, { under: network.onServer, environment });
	return { token, dataDir };
}

function startWalk(t: TestContext, network: RoutedNetwork, settings: WalkSettings) {
	const child = spawnOn(t, network.onClient, ['support/outage-walk.ts'], { WALK: JSON.stringify(settings) });
	const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
	return {
		async next<Value>(): Promise<Value> {
			const { value, done } = await lines.next();
			if (done) assert.fail('the process of the client has ended early');
			return JSON.parse(value);
		},
		goOn: () => void child.stdin?.write('\n'),
	};
}

/** Others who move balance of the same sub-users, and do not meet the outage. */
function startOthers(t: TestContext, network: RoutedNetwork, token: string, accounts: readonly SeenAccount[]) {
	const usernames = accounts.map(({ username }) => username);
	const script = 'support/outage-others.ts' as const;
	const child = spawnOn(t, network.onServer, [script, 'http://127.0.0.1:8080', token, ...usernames], {});
	const said = text(child.stdout as NodeJS.ReadableStream);
	return {
		async stop() {
			child.stdin?.write('\n');
			assert.ok(Number(await said) > accounts.length, 'others moved balance of the same sub-users');
		},
	};
}

function spawnOn(
	t: TestContext,
	machine: readonly string[],
	[file, ...args]: readonly [string, ...string[]],
	environment: Readonly<Record<string, string>>,
): ChildProcess {
	const [program, ...rest] = [...machine, process.execPath, join(import.meta.dirname, '..', file), ...args];
	const child = spawn(program as string, rest, {
		env: { PATH: process.env.PATH ?? '', ...environment },
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	t.after(() => child.kill('SIGKILL'));
	return child;
}

/** Each call has a sub-user of its own. No other client moves the same amount. */
function contradictions(
	said: readonly SaidCall[],
	before: readonly SeenAccount[],
	after: readonly SeenAccount[],
	moves: readonly TransferRow[],
): string[] {
	return said.flatMap((call) => {
		const [was, is] = [before, after].map((list) => list.find(({ username }) => username === call.username));
		const times = timesDone(call, was, is, moves);
		const outcome = call.settled ?? call.outcome;
		const isSo =
			(outcome === 'unknown' && (times === 0 || times === 1)) ||
			(outcome === 'done' && times === 1) ||
			(outcome === 'not_done' && times === 0);
		const isKey = call.proxyAuthkey === undefined || call.proxyAuthkey === is?.proxyAuthkey;
		return isSo && isKey ? [] : [`${call.kind} said ${outcome} (${call.error}), done ${times} times, key ${isKey}`];
	});
}

function timesDone(
	{ kind, username }: SaidCall,
	was: SeenAccount | undefined,
	is: SeenAccount | undefined,
	moves: readonly TransferRow[],
): number {
	if (kind === 'create') return is === undefined ? 0 : 1;
	if (was === undefined || is === undefined) return Number.NaN;
	if (kind === 'reset') return was.proxyAuthkey === is.proxyAuthkey ? 0 : 1;
	const isOwn = (row: TransferRow) => row.kind === kind && row.amountCents === GIVEN_CENTS;
	return moves.filter((row) => isOwn(row) && [row.debit, row.credit].includes(username)).length;
}

/** The fees that the reseller has paid must lie within the sum of the reported ranges. */
function feeContradictions(
	said: readonly SaidCall[],
	before: readonly SeenAccount[],
	after: readonly SeenAccount[],
	ownBalanceCents: number,
): string[] {
	const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);
	const held = sum(after.map(({ balanceCents }) => balanceCents));
	const paid = OPENING_CENTS - ownBalanceCents - held - before.length * 10;
	const least = sum(said.map(({ fee }) => fee?.minCents ?? 0));
	const most = sum(said.map(({ fee }) => fee?.maxCents ?? 0));
	return paid >= least && paid <= most ? [] : [`fees of ${paid} cents were paid, and ${least} to ${most} reported`];
}

function struckOf({ said }: Findings): SaidCall[] {
	return said.filter(({ tookMs }) => tookMs > 1_000);
}

function report(t: TestContext, { said, wrong }: Findings): void {
	const counts: Record<string, number> = {};
	for (const { kind, outcome, settled, tookMs } of said) {
		const told = settled === undefined ? outcome : `${outcome}, settled as ${settled}`;
		const name = `${kind}: ${told}${tookMs > 1_000 ? ', struck' : ''}`;
		counts[name] = (counts[name] ?? 0) + 1;
	}
	t.diagnostic(JSON.stringify(counts));
	t.diagnostic(`longest call: ${Math.max(...said.map(({ tookMs }) => tookMs))} ms; wrong: ${wrong.length}`);
}
