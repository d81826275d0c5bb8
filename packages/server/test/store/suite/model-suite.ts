import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Store } from '../../../src/store/store.ts';
import { NOON_MS } from '../../support/commands.ts';
import { assertSoundLedger, type Engine, type OpenedEngine, run } from './engine.ts';
import {
	CHANGE_IDS,
	ipOf,
	type ModelBatch,
	modelSequence,
	prefixed,
	RESELLERS,
	SUB_USERS,
	tokenHashAt,
} from './model-commands.ts';
import { createReferenceModel } from './reference-model.ts';

type Model = ReturnType<typeof createReferenceModel>;

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';
const LONG_RUNS = 5_000;
const VERIFY_EVERY = 100;

/**
 * Runs random sequences of batches on an engine and on the reference model, and compares all results.
 * All sequences share one store. Their names differ, so they do not affect each other.
 */
export function modelSuite(engine: Engine, shortRuns: number): void {
	test(`the store on ${engine.name} does what the reference model does`, async (t) => {
		const seed = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
		const numRuns = Number(process.env.MODEL_RUNS ?? (isLong ? LONG_RUNS : shortRuns));
		t.diagnostic(`MODEL_SEED=${seed} MODEL_RUNS=${numRuns}`);
		const opened = await engine.open(t);
		const another = await opened.openAnother();
		let sequences = 0;
		let commands = 0;
		const property = fc.asyncProperty(modelSequence, async (batches) => {
			const prefix = `m${sequences++}.`;
			commands += await runSequence(opened, another, batches, prefix);
			if (sequences % VERIFY_EVERY === 0) await assertSoundLedger(opened.store);
		});
		await fc.assert(property, { seed, numRuns });
		await assertSoundLedger(opened.store);
		const { accounts, transfers } = await another.verifyLedger();
		t.diagnostic(`${sequences} sequences, ${commands} commands, ${accounts} accounts, ${transfers} transfers`);
	});
}

async function runSequence(opened: OpenedEngine, another: Store, batches: readonly ModelBatch[], prefix: string) {
	const model = createReferenceModel();
	let nowMs = NOON_MS;
	let count = 0;
	for (const { commands: plain, throughAnother, waitMs } of batches) {
		nowMs += waitMs;
		const commands = plain.map((command, index) => prefixed(command, prefix, count + index));
		const [writer, reader] = throughAnother ? [another, opened.store] : [opened.store, another];
		const outcomes = await run(writer, commands, nowMs);
		const expected = commands.map((command) => model.run(command, nowMs));
		assert.deepEqual(outcomes, expected);
		await compareAccounts(reader, model, prefix);
		await compareChanges(reader, model, prefix);
		await compareSignIns(reader, model, prefix);
		count += commands.length;
	}
	await compareTokens(opened.store, model, prefix, count);
	await compareLists(another, model, prefix);
	for (const reseller of RESELLERS) await compareLedger(opened, model, prefix + reseller);
	return count;
}

/** Compares every account, as each reseller sees it. */
async function compareAccounts(store: Store, model: Model, prefix: string): Promise<void> {
	const usernames = [...RESELLERS, ...SUB_USERS].map((name) => prefix + name);
	const pairs = RESELLERS.flatMap((name) => usernames.map((username) => [prefix + name, username] as const));
	const found = await Promise.all(pairs.map((pair) => store.findAccount(...pair)));
	const expected = pairs.map(([reseller, username]) => {
		const account = model.account(username);
		return account?.reseller === reseller ? account : undefined;
	});
	assert.deepEqual(found, expected);
}

async function compareChanges(store: Store, model: Model, prefix: string): Promise<void> {
	const pairs = RESELLERS.flatMap((name) => CHANGE_IDS.map((id) => [prefix + name, id] as const));
	const found = await Promise.all(pairs.map((pair) => store.findChange(...pair)));
	assert.deepEqual(
		found,
		pairs.map((pair) => model.change(...pair)),
	);
}

/** Compares who signs in from each address. */
async function compareSignIns(store: Store, model: Model, prefix: string): Promise<void> {
	const clients = ['10.0.0.1', '10.0.0.2', 'fd00::1', 'fd00::2', 'fd00::3'].map((ip) => ipOf(prefix, ip));
	const found = await Promise.all(clients.map((client) => store.findSignIn({ edge: 'edge', client })));
	assert.deepEqual(
		found.map((signIn) => signIn?.username),
		clients.map((client) => model.signedIn(client)),
	);
}

async function compareTokens(store: Store, model: Model, prefix: string, count: number): Promise<void> {
	const hashes = Array.from({ length: count }, (_, index) => tokenHashAt(prefix, index));
	const found = await Promise.all(hashes.map((hash) => store.findToken(hash)));
	assert.deepEqual(
		found,
		hashes.map((hash) => model.token(hash)),
	);
}

async function compareLists(store: Store, model: Model, prefix: string): Promise<void> {
	for (const reseller of [...RESELLERS, ...SUB_USERS].map((name) => prefix + name)) {
		const expected = model.subUsersOf(reseller);
		assert.deepEqual(await store.listSubUsers(reseller, '', 100), expected);
		const firstTwo = await store.listSubUsers(reseller, '', 2);
		const rest = await store.listSubUsers(reseller, firstTwo.at(-1)?.username ?? '', 100);
		assert.deepEqual([...firstTwo, ...rest], expected);
	}
	const limit = RESELLERS.length + SUB_USERS.length;
	const found = await store.listResellersBy({ search: prefix, by: 'name', descends: false, limit });
	const expected = [...RESELLERS, ...SUB_USERS]
		.map((name) => model.account(prefix + name))
		.filter((account) => account?.reseller === account?.username)
		.filter((account) => account !== undefined);
	assert.deepEqual(
		found.map(({ username, balanceCents, createdAtMs }) => ({ username, balanceCents, createdAtMs })),
		expected.map(({ username, balanceCents, createdAtMs }) => ({ username, balanceCents, createdAtMs })),
	);
}

/** Compares the ledger rows of a reseller with the model, and with the balances. */
async function compareLedger(opened: OpenedEngine, model: Model, reseller: string): Promise<void> {
	const { store } = opened;
	const rows = await opened.transfers(reseller);
	const named = await opened.rows(
		`SELECT id, change_id AS "changeId", reference FROM transfers WHERE reseller = '${reseller}' ORDER BY id`,
	);
	assert.deepEqual(
		rows.map(({ debit, credit, amountCents }, index) => {
			return { reseller, from: debit, to: credit, cents: BigInt(amountCents), ...named[index] };
		}),
		model.entriesOf(reseller).map((entry, index) => ({ ...entry, id: index + 1 })),
	);
	const sums = new Map<string, bigint>();
	const add = (side: string, cents: bigint, after: number | null) => {
		const sum = (sums.get(side) ?? 0n) + cents;
		sums.set(side, sum);
		if (after === null) assert.match(side, /^platform:/);
		else assert.ok(sum === BigInt(after) && sum >= 0n);
	};
	for (const row of rows) {
		add(row.debit, -BigInt(row.amountCents), row.debitBalanceCents);
		add(row.credit, BigInt(row.amountCents), row.creditBalanceCents);
	}
	let all = 0n;
	for (const [side, sum] of sums) {
		all += sum;
		if (side.startsWith('platform:')) continue;
		if (model.isDeleted(side)) assert.equal(sum, 0n);
		else assert.equal(BigInt((await store.findAccount(reseller, side))?.balanceCents ?? -1), sum);
	}
	assert.equal(all, 0n);
}
