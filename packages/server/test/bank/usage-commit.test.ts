import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBank } from '../../src/bank/bank.ts';
import { USAGE_STEP } from '../../src/bank/usage-commit.ts';
import type { UsageReport, UsageVerdict } from '../../src/domain/usage.ts';
import type { BatchAnswer } from '../../src/store/store.ts';
import { recordingObserver, storeWith, turn } from './controlled-run.ts';

/** A bank whose usage batches the test ends. */
function controlledUsage(batchesAtOnce = 1) {
	const begun: { readonly ids: readonly string[]; end(answer: BatchAnswer<UsageVerdict>): void }[] = [];
	const recorded = recordingObserver();
	const bank = createBank(
		storeWith({
			batchesAtOnce,
			recordUsage: (reports) =>
				new Promise((end) =>
					begun.push({ ids: reports.map((report) => ('id' in report ? report.id : 'another')), end }),
				),
		}),
		{ observer: recorded.observer },
	);
	return {
		bank,
		begun,
		recorded,
		/** Ends the latest batch. */
		async end(answer: BatchAnswer<UsageVerdict>): Promise<void> {
			begun.at(-1)?.end(answer);
			await turn();
		},
		/** Ends all batches, also those that begin meanwhile. A step that still waits keeps its process alive. */
		async countAll(): Promise<void> {
			for (const { ids, end } of begun) {
				end({ kind: 'committed', results: ids.map(() => 'counted'), faults: [] });
				await turn();
			}
		},
	};
}

function report(id: string): UsageReport {
	return { source: 'host', id, username: 'alice', atMs: 0, bytesUp: 1, bytesDown: 1 };
}

test('steps that wait together become one batch, and each gets its own verdicts', async () => {
	const { bank, begun, end } = controlledUsage();
	const answers = Promise.all([
		bank.recordUsage('edge-1', [report('a'), report('b')]),
		bank.recordUsage('edge-2', []),
		bank.recordUsage('edge-2', [report('c')]),
	]);
	await turn();
	assert.deepEqual(
		begun.map(({ ids }) => ids),
		[['a', 'b', 'c']],
	);
	await end({ kind: 'committed', results: ['counted', 'repeated', { refused: 'unknown_username' }], faults: [] });
	assert.deepEqual(await answers, [
		{ ok: true, verdicts: ['counted', 'repeated'] },
		{ ok: true, verdicts: [] },
		{ ok: true, verdicts: [{ refused: 'unknown_username' }] },
	]);
});

test('a batch has at most four steps, and senders take turns', async () => {
	const { bank, begun, countAll } = controlledUsage();
	const step = (sender: string, id: string) => void bank.recordUsage(sender, [report(id)]);
	for (const id of ['a1', 'a2', 'a3', 'a4', 'a5']) step('a', id);
	for (const id of ['b1', 'b2']) step('b', id);
	await turn();
	await countAll();
	assert.deepEqual(
		begun.map(({ ids }) => ids),
		[
			['a1', 'b1', 'a2', 'b2'],
			['a3', 'a4', 'a5'],
		],
	);
});

test('as many batches run at once as the store allows', async () => {
	const { bank, begun, countAll } = controlledUsage(2);
	for (const id of ['a', 'b', 'c']) {
		void bank.recordUsage('edge', [report(id)]);
		await turn();
	}
	assert.deepEqual(
		begun.map(({ ids }) => ids),
		[['a'], ['b']],
	);
	await countAll();
	assert.deepEqual(begun.at(-1)?.ids, ['c']);
});

test('a batch that was not done refuses its reports, and after the stop nothing is recorded', async () => {
	const { bank, begun, recorded, end } = controlledUsage();
	const record = () => bank.recordUsage('edge', [report('a')]);
	const first = record();
	await turn();
	await end({ kind: 'busy' });
	await end({ kind: 'not_done', cause: 'the disk' });
	assert.deepEqual(await first, { ok: false, error: 'not_done' });
	assert.equal(begun.length, 2);
	assert.deepEqual(recorded.faults, [{ cause: 'the disk', kind: 'not_done' }]);
	await bank.stop();
	assert.deepEqual(await record(), { ok: false, error: 'not_done' });
});

test('commands and reads do not wait for usage', async () => {
	const { bank, end } = controlledUsage();
	const usage = bank.recordUsage('edge', Array(USAGE_STEP).fill(report('a')));
	await turn();
	assert.equal(bank.underWaySinceMs, Number.POSITIVE_INFINITY);
	assert.equal(bank.waiting, 0);
	await end({ kind: 'committed', results: Array(USAGE_STEP).fill('counted'), faults: [] });
	assert.ok((await usage).ok);
});
