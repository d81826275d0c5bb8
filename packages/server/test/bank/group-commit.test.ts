import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { createGroupCommit, type GroupCommitOptions } from '../../src/bank/group-commit.ts';
import { controlledRun, recordingObserver, turn } from './controlled-run.ts';

const NOT_DONE = { ok: false, error: 'not_done' } as const;
const OUTCOME_UNKNOWN = { ok: false, error: 'outcome_unknown' } as const;

function setUp(options: Partial<GroupCommitOptions<string, string>> = {}) {
	const control = controlledRun();
	const recorded = recordingObserver();
	const defaults = { run: control.run, observer: recorded.observer, maxWaitMs: 60_000, ownerOf: () => 'acme' };
	const commits = createGroupCommit<string, string>({ ...defaults, ...options });
	return { control, commits, submitAll: (items: string) => Array.from(items, commits.submit), ...recorded };
}

test('items that find an empty queue start at once; those that come meanwhile follow in batches of a maximum size', async () => {
	const { control, commits, submitAll, sizes } = setUp({ maxBatch: 3 });
	const answers = submitAll('ab');
	await turn();
	for (const item of 'cdef') {
		answers.push(...submitAll(item));
		await turn();
	}
	assert.deepEqual(control.batches, [['a', 'b']], 'there is never a parallel batch');
	assert.equal(commits.waiting, 4);
	for (let i = 0; i < 3; i++) await control.end();
	assert.deepEqual(control.batches, [['a', 'b'], ['c', 'd', 'e'], ['f']]);
	assert.equal(commits.waiting, 0);
	assert.deepEqual(await Promise.all(answers), [...'ABCDEF']);
	assert.deepEqual(sizes, [2, 3, 1]);
});

test('items beyond a full queue are refused at once and never run, and the queue goes on', async () => {
	const { control, submitAll } = setUp({ maxWaiting: 2 });
	const first = submitAll('a');
	await turn();
	const [b, c, ...excess] = submitAll('bcdef');
	assert.deepEqual(await Promise.all(excess), [NOT_DONE, NOT_DONE, NOT_DONE]);
	await control.end();
	await control.end();
	assert.deepEqual(await Promise.all([...first, b, c]), ['A', 'B', 'C']);
	assert.deepEqual(control.batches, [['a'], ['b', 'c']]);
});

test('a busy batch runs again before later items, in its order', async () => {
	const { control, submitAll, faults, sizes } = setUp({ maxBatch: 2 });
	const answers = submitAll('abc');
	await turn();
	answers.push(...submitAll('d'));
	await control.end({ kind: 'busy' });
	await control.end({ kind: 'busy' });
	await control.end();
	await control.end();
	assert.deepEqual(control.batches, [
		['a', 'b'],
		['a', 'b'],
		['a', 'b'],
		['c', 'd'],
	]);
	assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C', 'D']);
	assert.deepEqual([faults, sizes], [[], [2, 2]]);
});

test('a batch answers whether it was certainly not done, its outcome is unknown, or it can never be done', async () => {
	for (const [kind, expected, isDefect] of [
		['not_done', NOT_DONE, false],
		['outcome_unknown', OUTCOME_UNKNOWN, false],
		// Like a bug, so that nobody tries it again.
		['not_done', { ok: false, error: 'rules_failed' }, true],
	] as const) {
		const { control, submitAll, faults, sizes } = setUp();
		const answers = submitAll('ab');
		await turn();
		const later = submitAll('c');
		await control.end({ kind, cause: 'the disk', ...(isDefect && { isDefect }) });
		assert.deepEqual(await Promise.all(answers), [expected, expected]);
		assert.deepEqual([faults, sizes], [[{ cause: 'the disk', kind }], []]);
		// The later item was not part of the batch. Of the next one, an item fails alone.
		await control.end({ kind: 'committed', results: ['failed'], faults: ['a bug'] });
		assert.deepEqual(await Promise.all(later), ['failed']);
		assert.deepEqual(faults.at(-1), { cause: 'a bug', kind: 'failed_alone' });
		assert.deepEqual(control.batches, [['a', 'b'], ['c']]);
	}
});

test('stop refuses new items, and waits until all earlier items are answered', async () => {
	const { control, submitAll, commits } = setUp({ maxBatch: 1 });
	const answers = submitAll('ab');
	let stopped = false;
	const stopping = Promise.all([commits.stop(), commits.stop()]).then(() => {
		stopped = true;
	});
	assert.deepEqual(await Promise.all(submitAll('c')), [NOT_DONE]);
	await turn();
	await control.end();
	assert.equal(stopped, false);
	await control.end({ kind: 'busy' });
	assert.equal(stopped, false);
	await control.end();
	await stopping;
	assert.deepEqual(await Promise.all(answers), ['A', 'B']);
	assert.deepEqual(control.batches, [['a'], ['b'], ['b']]);
	await commits.stop();
});

test('for random items and batch results, every item is answered once and run in order', async (t) => {
	const step = fc.constantFrom('submit', 'submit', 'submit', 'turn', 'commit', 'busy', 'not_done', 'outcome_unknown');
	const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
		const { control, commits } = setUp({ maxBatch: 3, maxWaiting: 5 });
		const answers: Promise<unknown>[] = [];
		const expected = new Map<string, unknown>();
		const end = async (kind: string) => {
			const items = control.batches.at(-1) ?? [];
			if (items.length === 0 || expected.has(items[0] as string)) return;
			if (kind === 'commit') for (const item of items) expected.set(item, item.toUpperCase());
			if (kind === 'not_done') for (const item of items) expected.set(item, NOT_DONE);
			if (kind === 'outcome_unknown') for (const item of items) expected.set(item, OUTCOME_UNKNOWN);
			await control.end(kind === 'commit' ? undefined : { kind: kind as 'not_done', cause: kind });
		};
		for (const kind of steps) {
			if (kind === 'submit') answers.push(commits.submit(`item ${answers.length}`));
			else if (kind === 'turn') await turn();
			else await end(kind);
		}
		const stopping = commits.stop();
		for (let i = 0; i < answers.length + 2; i++) {
			await turn();
			await end('commit');
		}
		await stopping;
		const results = await Promise.all(answers);
		for (const [index, result] of results.entries()) {
			assert.deepEqual(result, expected.get(`item ${index}`) ?? NOT_DONE);
		}
		const indexes = control.batches.flat().map((item) => Number(item.split(' ')[1]));
		const firstRuns = [...new Set(indexes)];
		assert.deepEqual(
			firstRuns,
			firstRuns.toSorted((a, b) => a - b),
		);
		assert.ok(control.batches.every((items) => items.length <= 3));
	});
	await fc.assert(property, { seed: printedSeed(t), numRuns: 300 });
});

test('with two batches at once, the second starts when the first has begun, and a third waits for an answer', async () => {
	const { control, commits } = setUp({ atOnce: 2 });
	const answers = [commits.submit('a')];
	await turn();
	answers.push(commits.submit('b'));
	await turn();
	assert.deepEqual(control.batches, [['a']], 'the first batch has not begun yet');
	control.begun[0]?.begin();
	await turn();
	assert.deepEqual(control.batches, [['a'], ['b']]);
	control.begun[1]?.begin();
	answers.push(commits.submit('c'));
	await turn();
	assert.deepEqual(control.batches, [['a'], ['b']], 'two batches are the maximum');
	control.begun[0]?.end({ kind: 'committed', results: ['A'], faults: [] });
	await turn();
	assert.deepEqual(control.batches, [['a'], ['b'], ['c']]);
	await control.end();
	const stopping = commits.stop();
	control.begun[1]?.end({ kind: 'committed', results: ['B'], faults: [] });
	await stopping;
	assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C']);
});

test('a batch that has begun and is then busy goes to the head of the queue', async () => {
	const { control, commits } = setUp({ atOnce: 2 });
	const answers = [commits.submit('a')];
	await turn();
	control.begun[0]?.begin();
	answers.push(commits.submit('b'));
	await turn();
	answers.push(commits.submit('c'));
	await turn();
	control.begun[0]?.end({ kind: 'busy' });
	await turn();
	assert.deepEqual(control.batches, [['a'], ['b']], 'the second has not begun');
	control.begun[1]?.end({ kind: 'committed', results: ['B'], faults: [] });
	await turn();
	assert.deepEqual(control.batches, [['a'], ['b'], ['a', 'c']]);
	await control.end();
	assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C']);
});

test('beside a large batch, a small one waits until it has grown or the large one is answered', async () => {
	const { control, commits, submitAll } = setUp({ atOnce: 2 });
	const answers = submitAll('abcd');
	await turn();
	control.begun[0]?.begin();
	answers.push(commits.submit('e'));
	await turn();
	assert.deepEqual(control.batches, [['a', 'b', 'c', 'd']]);
	answers.push(commits.submit('f'));
	await turn();
	assert.deepEqual(control.batches, [
		['a', 'b', 'c', 'd'],
		['e', 'f'],
	]);
	control.begun[1]?.begin();
	control.begun[0]?.end({ kind: 'committed', results: [...'ABCD'], faults: [] });
	await turn();
	control.begun[1]?.end({ kind: 'committed', results: [...'EF'], faults: [] });
	answers.push(commits.submit('g'));
	await turn();
	await control.end();
	assert.deepEqual(await Promise.all(answers), [...'ABCDEFG']);
});

test('owners take turns in filling a batch, however many items one of them has', async () => {
	const { control, submitAll } = setUp({ maxBatch: 4, ownerOf: (item) => (item < 'u' ? 'acme' : item) });
	const answers = submitAll('abcdefghu');
	await turn();
	assert.deepEqual(control.batches, [['a', 'u', 'b', 'c']]);
	answers.push(...submitAll('v'));
	await control.end();
	assert.deepEqual(control.batches[1], ['d', 'v', 'e', 'f']);
	await control.end();
	await control.end();
	assert.deepEqual(await Promise.all(answers), [...'ABCDEFGHUV']);
});

test('each owner has a limit of waiting items: only its own excess is refused', async () => {
	const { control, submitAll } = setUp({ maxOfOwner: 2, ownerOf: (item) => (item < 'u' ? 'acme' : item) });
	const first = submitAll('a');
	await turn();
	const [b, c, d, u] = submitAll('bcdu');
	assert.deepEqual(await d, { ...NOT_DONE, isCallerBusy: true });
	await control.end();
	await control.end();
	assert.deepEqual(await Promise.all([...first, b, c, u]), ['A', 'B', 'C', 'U']);
});

test('a held item is handed on, and the rest of its batch gets its results', async () => {
	const held: string[] = [];
	const { control, submitAll } = setUp({ onHeld: ({ item }) => held.push(item) });
	const [a, , c] = submitAll('abc');
	await turn();
	await control.end({ kind: 'committed', results: ['A', 'not run', 'C'], faults: [], held: new Set([1]) });
	assert.deepEqual(await Promise.all([a, c]), ['A', 'C']);
	assert.deepEqual(held, ['b']);
});

test('the other waiting items of the same owner are held too, before the next batch is filled', async () => {
	const { control, submitAll } = setUp({
		maxBatch: 2,
		ownerOf: (item) => (item < 'u' ? 'acme' : item),
		onHeld: ({ item, answer }) => answer(`${item} is held`),
	});
	const answers = submitAll('aubcv');
	await turn();
	await control.end({ kind: 'committed', results: ['not run', 'U'], faults: [], held: new Set([0]) });
	assert.deepEqual(control.batches, [['a', 'u'], ['v']]);
	await control.end();
	assert.deepEqual(await Promise.all(answers), ['a is held', 'U', 'b is held', 'c is held', 'V']);
});

test('with one owner a batch, owners take turns', async () => {
	const { control, submitAll } = setUp({
		oneOwner: true,
		maxBatch: 2,
		ownerOf: (item) => (item < 'u' ? 'acme' : item),
	});
	const answers = submitAll('abcuv');
	await turn();
	for (let i = 0; i < 4; i++) await control.end();
	assert.deepEqual(control.batches, [['a', 'b'], ['u'], ['v'], ['c']]);
	assert.deepEqual(await Promise.all(answers), [...'ABCUV']);
});

test('an item submitted with an earlier start is refused after the maximum wait, anywhere in the queue', async () => {
	const { control, commits } = setUp({ maxWaitMs: 1000 });
	void commits.submit('runs');
	await turn();
	const fresh = commits.submit('fresh');
	const old = new Promise((answer) => commits.enter({ item: 'old', sinceMs: performance.now() - 2000, answer }));
	await control.end();
	assert.deepEqual(await old, NOT_DONE);
	await control.end();
	assert.equal(await fresh, 'FRESH');
	assert.deepEqual(control.batches, [['runs'], ['fresh']]);
});
