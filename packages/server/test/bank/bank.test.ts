import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createBank } from '../../src/bank/bank.ts';
import { refuse } from '../../src/commands/command.ts';
import type { Command, Outcome } from '../../src/commands/registry.ts';
import type { BatchAnswer } from '../../src/store/store.ts';
import { createReseller, endToken, giveBalance, postUsage, revokeToken } from '../support/commands.ts';
import { countTry } from '../support/person-commands.ts';
import { tokenUse } from '../support/records.ts';
import { recordingObserver, storeWith } from './controlled-run.ts';

const PAID = { ok: true, username: 'bob', balanceCents: 5 } as const;

function bankOver(answers: readonly BatchAnswer<Outcome>[], { maxWaitMs = 1000, runMs = 0 } = {}) {
	const asked: { readonly commands: readonly Command[]; readonly nowMs: number }[] = [];
	let clockMs = 1000;
	const store = storeWith({
		nowMs: () => clockMs++,
		maxWaitMs,
		async runCommands(commands, nowMs) {
			asked.push({ commands, nowMs });
			if (runMs > 0) await setTimeout(runMs);
			return answers[asked.length - 1] as BatchAnswer<Outcome>;
		},
	});
	const bank = createBank(store, { observer: recordingObserver().observer });
	return { bank, asked };
}

test("commands reach the store as one batch; each attempt takes its time from the store's clock", async () => {
	const paid = { ok: true, username: 'alice', balanceCents: 5 } as const;
	const taken = { ok: false, error: 'username_taken' } as const;
	const { bank, asked } = bankOver([
		...([{ kind: 'busy' }, { kind: 'committed', results: [paid, taken], faults: [] }] as const),
		...([
			{ kind: 'not_done', cause: 'no room' },
			{ kind: 'outcome_unknown', cause: 'no answer' },
		] as const),
	]);
	const commands = [giveBalance('acme', 'alice', 5), createReseller('acme', 0)] as const;
	assert.deepEqual(await Promise.all(commands.map((command) => bank.submit(command))), [paid, taken]);
	assert.deepEqual(asked, [
		{ commands, nowMs: 1000 },
		{ commands, nowMs: 1001 },
	]);
	assert.equal(bank.waiting, 0);
	for (const error of ['not_done', 'outcome_unknown'] as const) {
		assert.deepEqual(await bank.submit(commands[0]), { ok: false, error });
	}
	await bank.stop();
	assert.deepEqual(await bank.submit(commands[0]), { ok: false, error: 'not_done' });
});

test('batches are counted by what they consist of, and changes by their reseller', async () => {
	const done: [kind: string, size: number][] = [];
	const changed: string[] = [];
	const bank = createBank(
		storeWith({
			runCommands: async () => ({ kind: 'committed', results: [PAID], faults: [] }),
			runPersonCommands: async () => ({ kind: 'committed', results: [{ ok: true }], faults: [] }),
			recordUsage: async () => ({ kind: 'committed', results: ['counted', 'counted'], faults: [] }),
			writeRecords: async () => ({ kind: 'committed', results: [{ ok: true }], faults: [] }),
		}),
		{
			observer: {
				batchDone: (size, _durationMs, kind) => done.push([kind, size]),
				changed: (reseller) => changed.push(reseller),
				fault() {},
			},
		},
	);
	await bank.submit(giveBalance('acme', 'alice', 5));
	await bank.submit(postUsage('acme', 'alice'));
	await bank.changePerson(countTry('ada'));
	await bank.recordUsage('eu-1', []);
	await bank.keep(tokenUse('token', 5));
	assert.deepEqual(done, [
		['accounts', 1],
		['accounts', 1],
		['people', 1],
		['usage', 1],
		['bookkeeping', 1],
	]);
	assert.deepEqual(changed, ['acme']);
});

test('a person who ends a token does not wait behind a flood of the same reseller, even if its line is full', async () => {
	const ran: Command['kind'][] = [];
	const bank = createBank(
		storeWith({
			async runCommands(commands) {
				ran.push(...commands.map(({ kind }) => kind));
				await setTimeout(1);
				return { kind: 'committed', results: commands.map(() => PAID), faults: [] };
			},
		}),
		{ observer: recordingObserver().observer, maxBatch: 4 },
	);
	const program = { address: '192.0.2.1', tokenTail: 'tail' };
	// A thief can end tokens too.
	for (const flooding of [giveBalance('acme', 'alice', 1), { ...endToken('acme', 'hash'), program }]) {
		ran.length = 0;
		const flood = Array.from({ length: 3000 }, () => bank.submit(flooding));
		const ends = [bank.submit(revokeToken('acme', 'hash')), bank.submit(endToken('acme', 'other'))];
		assert.deepEqual(
			(await Promise.all(ends)).map(({ ok }) => ok),
			[true, true],
		);
		assert.ok(ran.length < 20, `${ran.length} commands came first`);
		const outcomes = await Promise.all(flood);
		assert.ok(outcomes.some(({ ok }) => !ok));
	}
});

test('commands of a reseller whose account is locked wait apart, and other resellers go on', async () => {
	const ran: string[][] = [];
	let isHeld = true;
	const bank = createBank(
		storeWith({
			async runCommands(commands) {
				ran.push(commands.map(({ reseller }) => reseller));
				const held = new Set(commands.keys().filter((index) => isHeld && commands[index]?.reseller === 'acme'));
				await setTimeout(held.size > 0 ? 30 : 1);
				const results = commands.map((_, index) => (held.has(index) ? refuse('not_done') : PAID));
				return { kind: 'committed', results, faults: [], held };
			},
		}),
		{ observer: recordingObserver().observer },
	);
	const first = [bank.submit(giveBalance('acme', 'alice', 5)), bank.submit(giveBalance('bolt', 'bob', 5))] as const;
	assert.deepEqual(await first[1], PAID);
	assert.deepEqual(ran.shift(), ['acme', 'bolt']);
	const later = bank.submit(giveBalance('acme', 'alice', 6));
	for (let i = 0; i < 10; i++) assert.deepEqual(await bank.submit(giveBalance('bolt', 'bob', 5)), PAID);
	assert.ok(ran.length > 10);
	assert.ok(
		ran.every((batch) => new Set(batch).size === 1),
		'no batch has commands of both resellers',
	);
	isHeld = false;
	assert.deepEqual(await Promise.all([first[0], later]), [PAID, PAID]);
	const ranBefore = ran.length;
	await Promise.all([bank.submit(giveBalance('acme', 'alice', 7)), bank.submit(giveBalance('bolt', 'bob', 5))]);
	assert.deepEqual(
		ran.slice(ranBefore).sort(),
		[['acme'], ['bolt']],
		'the account could be locked again, so it still has its own batch',
	);
});

test('a command whose account is locked for too long is refused, and so is the next command on that account', async () => {
	const { bank } = bankOver(
		Array(50).fill({ kind: 'committed', results: [refuse('not_done')], faults: [], held: new Set([0]) }),
		{ maxWaitMs: 50, runMs: 10 },
	);
	assert.deepEqual(await bank.submit(giveBalance('acme', 'alice', 5)), refuse('not_done'));
	assert.deepEqual(await bank.submit(giveBalance('acme', 'alice', 5)), refuse('not_done'));
	await bank.stop();
});
