import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBank } from '../../src/bank/bank.ts';
import { createExpiryClock } from '../../src/bank/expiry-clock.ts';
import { createSettledReads } from '../../src/bank/settled-reads.ts';
import { refuse } from '../../src/commands/command.ts';
import type { Command, Outcome } from '../../src/commands/registry.ts';
import { StoreUnavailableError } from '../../src/store/reading.ts';
import type { BatchAnswer } from '../../src/store/store.ts';
import { createSubUser, giveBalance, resetAuthKey, takeBalance } from '../support/commands.ts';
import { recordingObserver, storeWith, turn } from './controlled-run.ts';

const PAID = { ok: true, username: 'alice', balanceCents: 5 } as const;
const NOT_DONE = refuse('not_done');
const START_MS = 1_795_271_340_000;

/** A bank whose batches the test ends, with a clock that the test sets. */
function controlledBank({ batchesAtOnce = 1 } = {}) {
	const state = { nowMs: START_MS };
	const begun: { readonly commands: readonly Command[]; end(answer: BatchAnswer<Outcome>): void }[] = [];
	const clock = createExpiryClock(() => state.nowMs);
	const bank = createBank(
		storeWith({
			...{ nowMs: () => state.nowMs, batchesAtOnce },
			runCommands: (commands) => new Promise((end) => begun.push({ commands, end })),
		}),
		{ observer: recordingObserver().observer, clock },
	);
	return {
		bank,
		clock,
		state,
		begun,
		give: (expiresAtMs?: number) => bank.submit({ ...giveBalance('acme', 'alice', 5), expiresAtMs }),
		/** Ends the latest batch. */
		async end(answer?: BatchAnswer<Outcome>): Promise<void> {
			const batch = begun.at(-1);
			batch?.end(answer ?? { kind: 'committed', results: batch.commands.map(() => PAID), faults: [] });
			await turn();
		},
	};
}

test('an expired command is refused and never reaches the store; the rest of its batch does', async () => {
	const { bank, begun, end } = controlledBank();
	const commands = [
		giveBalance('acme', 'alice', 5),
		takeBalance('acme', 'alice', 5),
		resetAuthKey('acme', 'alice'),
		createSubUser('acme', 'bruno'),
	];
	const expired = commands.map((command) => bank.submit({ ...command, expiresAtMs: START_MS }));
	const live = commands.map((command) => bank.submit({ ...command, expiresAtMs: START_MS + 1 }));
	assert.deepEqual(await Promise.all(expired), [NOT_DONE, NOT_DONE, NOT_DONE, NOT_DONE]);
	assert.deepEqual(
		begun.map((batch) => batch.commands),
		[commands.map((command) => ({ ...command, expiresAtMs: START_MS + 1 }))],
	);
	await end();
	assert.ok((await Promise.all(live)).every(({ ok }) => ok));
	assert.equal(bank.waiting, 0);
	await bank.stop();
});

test('a command that expires while it waits for a batch is refused, even while that batch hangs', async () => {
	const { bank, begun, state, give, end } = controlledBank();
	const first = give();
	await turn();
	const waiting = give(START_MS + 1_000);
	const patient = give(START_MS + 60_000);
	state.nowMs += 1_000;
	assert.deepEqual(await waiting, NOT_DONE);
	assert.equal(begun.length, 1, 'the first batch still runs');
	await end();
	await end();
	assert.deepEqual(await Promise.all([first, patient]), [PAID, PAID]);
	assert.deepEqual(
		begun.map(({ commands }) => commands.length),
		[1, 1],
	);
	await bank.stop();
});

test('commands of a busy batch, or of a locked account, check their expiry again before the next attempt', async () => {
	for (const answer of [
		{ kind: 'busy' },
		{ kind: 'committed', results: [NOT_DONE, NOT_DONE], faults: [], held: new Set([0, 1]) },
	] as const) {
		const { bank, begun, state, give, end } = controlledBank();
		const [expiring, lasting] = [give(START_MS + 1_000), give(START_MS + 60_000)];
		await turn();
		assert.equal(begun[0]?.commands.length, 2);
		state.nowMs += 1_000;
		await end(answer);
		assert.deepEqual(await expiring, NOT_DONE);
		await end();
		assert.deepEqual(await lasting, PAID);
		assert.equal(begun[1]?.commands.length, 1);
		await bank.stop();
	}
});

test('a command that has expired by a time already answered is not begun, even if the clock is set back', async () => {
	const { bank, clock, begun, state, give, end } = controlledBank();
	assert.equal(clock.nowMs(), START_MS);
	state.nowMs -= 800;
	assert.deepEqual(await give(START_MS), NOT_DONE);
	const later = give(START_MS + 1);
	await turn();
	await end();
	assert.deepEqual(await later, PAID);
	state.nowMs = START_MS - 30_000;
	assert.deepEqual(await give(START_MS + 60_000), NOT_DONE, 'the command would expire later than its sender expects');
	const withoutExpiry = give();
	await turn();
	await end();
	assert.deepEqual(await withoutExpiry, PAID);
	assert.equal(begun.length, 2);
	await bank.stop();
});

test('`underWaySinceMs` is the start of the oldest running batch, and infinite without one', async () => {
	const { bank, begun, give, end } = controlledBank({ batchesAtOnce: 2 });
	assert.equal(bank.underWaySinceMs, Number.POSITIVE_INFINITY);
	const beforeMs = performance.now();
	const answers = [give()];
	await turn();
	const sinceMs = bank.underWaySinceMs;
	assert.ok(sinceMs >= beforeMs && sinceMs <= performance.now());
	answers.push(give());
	await turn();
	assert.equal(bank.underWaySinceMs, sinceMs);
	while (begun.length < answers.length) await end();
	await end();
	assert.deepEqual(await Promise.all(answers), [PAID, PAID]);
	assert.equal(bank.underWaySinceMs, Number.POSITIVE_INFINITY);
	await bank.stop();
});

test('accounts can be read unless a batch has run for too long', async () => {
	const state = { underWaySinceMs: Number.POSITIVE_INFINITY };
	const store = {
		findAccount: async () => undefined,
		listSubUsers: async () => [],
		listUsageDays: async () => [],
		findChange: async () => undefined,
		listRefusals: async () => [],
		listSubUsersInState: async () => ({ subUsers: [], next: null }),
		findDetails: async () => undefined,
		listMovements: async () => ({ rows: [], nextBefore: null, searchedToMs: null }),
		followMovements: async () => ({ rows: [], nextAfter: null }),
		findMovement: async () => undefined,
		findDebt: async () => undefined,
		findPrice: async () => undefined,
		readPairBounds: async () => new Map(),
		readUsed: async () => new Map(),
		readEvents: async () => undefined,
		listNewestEvents: async () => new Map(),
		listTokens: async () => [],
		listWebhooks: async () => [],
		listWebhookTries: async () => undefined,
		findPayment: async () => undefined,
		listPayments: async () => [],
	};
	const reads = createSettledReads(store, state);
	for (const sinceMs of [Number.POSITIVE_INFINITY, performance.now(), performance.now() - 1_000]) {
		state.underWaySinceMs = sinceMs;
		assert.equal(await reads.findAccount('acme', 'alice'), undefined);
		assert.deepEqual(await reads.listSubUsers('acme', '', 1), []);
	}
	state.underWaySinceMs = performance.now() - 3_500;
	await assert.rejects(reads.findAccount('acme', 'alice'), StoreUnavailableError);
	await assert.rejects(reads.listSubUsers('acme', '', 1), StoreUnavailableError);
	await assert.rejects(reads.findDetails('acme', 'alice'), StoreUnavailableError);
});
