import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createGroupCommit, type GroupCommitOptions } from '../../src/bank/group-commit.ts';
import { controlledRun, recordingObserver, turn } from './controlled-run.ts';

const NOT_DONE = { ok: false, error: 'not_done' } as const;
const OUTCOME_UNKNOWN = { ok: false, error: 'outcome_unknown' } as const;
const MAX_WAIT_MS = 300;
const ANSWER_LIMIT_MS = 600;

function setUp(maxBatch = 512, onHeld?: GroupCommitOptions<string, string>['onHeld']) {
	const control = controlledRun();
	const { observer, faults } = recordingObserver();
	const limits = { maxBatch, maxWaitMs: MAX_WAIT_MS, answerLimitMs: ANSWER_LIMIT_MS, ownerOf: () => 'acme' };
	const commits = createGroupCommit<string, string>({
		run: control.run,
		observer,
		...limits,
		...(onHeld && { onHeld }),
	});
	return { control, commits, faults };
}

test('while a batch hangs, waiting items are refused after a while, and never run, nor do those that did not fit into it', async () => {
	for (const maxBatch of [512, 1]) {
		const { control, commits } = setUp(maxBatch);
		const hanging = commits.submit('hangs');
		const beside = maxBatch === 1 ? [commits.submit('b')] : [];
		await turn();
		const sinceMs = performance.now();
		assert.deepEqual(await commits.submit('c'), NOT_DONE);
		assert.deepEqual(await Promise.all(beside), Array(beside.length).fill(NOT_DONE));
		assert.ok(performance.now() - sinceMs >= MAX_WAIT_MS - 1);
		await control.end();
		assert.equal(await hanging, 'HANGS');
		assert.deepEqual(control.batches, [['hangs']]);
	}
});

test('an item whose batch is busy for too long is refused, and not run again; a later one is served', async () => {
	const { control, commits } = setUp();
	let isAnswered = false;
	const answer = commits.submit('a').finally(() => {
		isAnswered = true;
	});
	await turn();
	while (!isAnswered) {
		await setTimeout(20);
		await control.end({ kind: 'busy' });
	}
	assert.deepEqual(await answer, NOT_DONE);
	const runs = control.begun.length;
	await turn();
	assert.equal(control.begun.length, runs);
	const later = commits.submit('b');
	await turn();
	await control.end();
	assert.equal(await later, 'B');
});

test('stop does not wait for items that were refused because they waited too long', async () => {
	const { control, commits } = setUp();
	void commits.submit('hangs');
	await turn();
	const late = commits.submit('b');
	const stopping = commits.stop();
	assert.deepEqual(await late, NOT_DONE);
	await control.end();
	await stopping;
	assert.deepEqual(control.batches, [['hangs']]);
});

test('the items of a batch that hangs are answered in time, once, and its late end changes nothing for them', async () => {
	const { control, commits, faults } = setUp();
	const answers = ['a', 'b'].map(commits.submit);
	await turn();
	const sinceMs = performance.now();
	assert.deepEqual(await Promise.all(answers), [OUTCOME_UNKNOWN, OUTCOME_UNKNOWN]);
	assert.ok(commits.underWaySinceMs <= sinceMs, 'the batch goes on');
	assert.deepEqual(
		faults.map(({ kind }) => kind),
		['outcome_unknown'],
		'one fault for the batch',
	);
	await setTimeout(250);
	await control.end();
	assert.equal(commits.underWaySinceMs, Number.POSITIVE_INFINITY);
	assert.deepEqual(await Promise.all(answers), [OUTCOME_UNKNOWN, OUTCOME_UNKNOWN]);
	assert.equal(faults.length, 1);
	const later = commits.submit('c');
	await turn();
	await control.end();
	assert.equal(await later, 'C');
	assert.deepEqual(control.batches, [['a', 'b'], ['c']]);
});

test('an item that was answered while its batch hung is not run again, if the batch was busy or held it', async () => {
	for (const end of [
		{ kind: 'busy' },
		{ kind: 'committed', results: ['not run'], faults: [], held: new Set([0]) },
	] as const) {
		const apart = setUp();
		const { control, commits } = setUp(512, apart.commits.enter);
		const answer = commits.submit('a');
		await turn();
		assert.deepEqual(await answer, OUTCOME_UNKNOWN);
		await control.end(end);
		await turn();
		assert.deepEqual([control.batches, apart.control.batches], [[['a']], []]);
		await Promise.all([commits.stop(), apart.commits.stop()]);
	}
});

test('stop waits for the end of a batch whose items were answered', async () => {
	const { control, commits } = setUp();
	const answer = commits.submit('a');
	await turn();
	let stopped = false;
	const stopping = commits.stop().then(() => {
		stopped = true;
	});
	assert.deepEqual(await answer, OUTCOME_UNKNOWN);
	assert.equal(stopped, false);
	await control.end();
	await stopping;
});
