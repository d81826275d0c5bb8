import assert from 'node:assert/strict';
import { mock, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { runVerification } from '../../src/bank/run-verification.ts';
import type { BookkeepingRecord, VerificationProgress } from '../../src/domain/bookkeeping/record.ts';
import type { LedgerVerification } from '../../src/store/tables/ledger/verifications.ts';

const SOUND: LedgerVerification = { accounts: 2, transfers: 3, problems: [] };

/** A verification whose progress, end and records the test controls. */
function controlled(t: TestContext, answer: () => boolean | Promise<boolean> = () => true) {
	const timers = mock.timers;
	timers.enable({ apis: ['setInterval'] });
	t.after(() => timers.reset());
	let nowMs = 1000;
	t.mock.method(performance, 'now', () => nowMs);
	const records: Omit<VerificationProgress, 'kind'>[] = [];
	const ending = Promise.withResolvers<LedgerVerification>();
	let onProgress: (done: number, steps: number) => void = () => {};
	const bank = {
		async keep(given: BookkeepingRecord) {
			const { kind, ...record } = given as VerificationProgress;
			assert.equal(kind, 'verification_progress');
			records.push(record);
			return (await answer()) ? { ok: true } : { ok: false, error: 'not_done' };
		},
	};
	const store = {
		verifyLedger(listener: typeof onProgress = () => {}) {
			onProgress = listener;
			return ending.promise;
		},
	};
	return {
		running: runVerification({ store, bank: bank as never }, 'v1'),
		records,
		end: ending,
		progress: (done: number, steps: number) => onProgress(done, steps),
		async seconds(count: number) {
			for (let second = 0; second < count; second++) {
				nowMs += 1000;
				timers.tick(1000);
				await setImmediate();
			}
		},
	};
}

test('progress is recorded at most once a second, and after ten seconds without any', async (t) => {
	const { running, records, end, progress, seconds } = controlled(t);
	progress(1, 14);
	progress(2, 14);
	await seconds(1);
	assert.deepEqual(records, [{ id: 'v1', done: 2, steps: 14, result: undefined }]);
	await seconds(9);
	assert.equal(records.length, 1);
	await seconds(1);
	assert.equal(records.length, 2);
	end.resolve(SOUND);
	assert.deepEqual(await running, { verification: SOUND, isStored: true });
	const result = JSON.stringify({ accounts: 2, transfers: 3, problems: 0, first_problems: [] });
	assert.deepEqual(records.at(-1), { id: 'v1', done: 2, steps: 14, result });
	await seconds(60);
	assert.equal(records.length, 3, 'nothing is recorded after the end');
});

test('a record that fails or hangs does not end the verification, and only one is under way', async (t) => {
	const hanging = Promise.withResolvers<boolean>();
	const answers: (boolean | Promise<boolean>)[] = [hanging.promise, false, false];
	const { running, records, end, progress, seconds } = controlled(t, () => answers.shift() ?? true);
	progress(1, 14);
	await seconds(30);
	assert.equal(records.length, 1);
	hanging.resolve(false);
	await seconds(10);
	assert.equal(records.length, 2);
	end.resolve(SOUND);
	assert.deepEqual(await running, { verification: SOUND, isStored: false });
});

test('a ledger that cannot be read is recorded as not finished, and the failure is thrown', async (t) => {
	const { running, records, end } = controlled(t);
	end.reject(new Error('no store'));
	await assert.rejects(running, /no store/);
	assert.deepEqual(records, [{ id: 'v1', done: 0, steps: 0, result: null }]);
});

test('the first hundred problems are recorded, each of a bounded length, with their number', async (t) => {
	const { running, records, end } = controlled(t);
	const problems = Array.from({ length: 130 }, (_, n) => ({ name: `${n}`, problem: '"'.repeat(5000) }));
	end.resolve({ ...SOUND, problems });
	assert.equal((await running).verification.problems.length, 130);
	const recorded = JSON.parse(records[0]?.result ?? '');
	assert.equal(recorded.problems, 130);
	assert.deepEqual([recorded.first_problems.length, recorded.first_problems[99].name], [100, '99']);
	assert.ok((records[0]?.result?.length ?? 0) < 100_000);
});
