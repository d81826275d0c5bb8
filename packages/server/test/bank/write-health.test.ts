import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { createWriteHealth } from '../../src/bank/write-health.ts';
import type { RecordOutcome } from '../../src/domain/bookkeeping/record.ts';

const LOOK_MS = 10;
const SLOW_MS = 150;
const OK = { ok: true } as const;
const NOT_DONE = { ok: false, error: 'not_done' } as const;

function setUp(write: () => Promise<RecordOutcome>) {
	const bank = {
		underWaySinceMs: Number.POSITIVE_INFINITY,
		writes: 0,
		keep() {
			bank.writes++;
			return write();
		},
	};
	return { bank, health: createWriteHealth(bank, { lookMs: LOOK_MS, slowMs: SLOW_MS }) };
}

test('a failed batch makes it try a write; as long as that fails it says why, and it finds the end by itself', async () => {
	let outcome: RecordOutcome = NOT_DONE;
	const { bank, health } = setUp(async () => outcome);
	health.batchFailed(new Error('the disk is full'));
	await eventually(async () => assert.equal(health.failure, 'changes cannot be written: the disk is full'));
	outcome = OK;
	await eventually(async () => assert.equal(health.failure, undefined));
	const { writes } = bank;
	await new Promise((resolve) => setTimeout(resolve, 5 * LOOK_MS));
	assert.equal(bank.writes, writes, 'nothing is tried while all is well');
	health.close();
});

test('a batch that fails alone is no failure of all writes', async () => {
	const { bank, health } = setUp(async () => OK);
	health.batchFailed(new Error('a corrupt row'));
	await eventually(async () => assert.equal(bank.writes, 1));
	assert.equal(health.failure, undefined);
	health.close();
});

test('while a batch hangs, and until a write has ended in time, it says so; one write is tried at a time', async () => {
	let end: (outcome: RecordOutcome) => void = () => {};
	const { bank, health } = setUp(
		() =>
			new Promise((resolve) => {
				end = resolve;
			}),
	);
	bank.underWaySinceMs = performance.now();
	assert.equal(health.failure, undefined);
	await eventually(async () => assert.match(String(health.failure), /has not ended/));
	await eventually(async () => assert.equal(bank.writes, 1));
	await new Promise((resolve) => setTimeout(resolve, SLOW_MS + 5 * LOOK_MS));
	assert.equal(bank.writes, 1);
	bank.underWaySinceMs = Number.POSITIVE_INFINITY;
	end(OK);
	await eventually(async () => assert.equal(bank.writes, 2));
	assert.match(String(health.failure), /has not ended/, 'the first write took too long');
	end(OK);
	await eventually(async () => assert.equal(health.failure, undefined));
	health.close();
});
