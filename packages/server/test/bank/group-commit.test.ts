import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { createGroupCommit, type GroupCommitOptions, HELD } from '../../src/bank/group-commit.ts';
import { controlledRun, rememberingObserver, turn } from './controlled-run.ts';

const NOT_DONE = { ok: false, error: 'not_done' } as const;
const OUTCOME_UNKNOWN = { ok: false, error: 'outcome_unknown' } as const;

function setUp(options: Partial<GroupCommitOptions<string, string>> = {}) {
	const control = controlledRun();
	const remembered = rememberingObserver();
	const defaults = { run: control.run, observer: remembered.observer, maxWaitMs: 5000, ownerOf: () => 'acme' };
	const commits = createGroupCommit<string, string>({ ...defaults, ...options });
	return { control, commits, submitAll: (items: string) => Array.from(items, commits.submit), ...remembered };
}

test('an item that finds nobody before it starts at once, alone', async () => {
	const { control, commits } = setUp();
	const answer = commits.submit('a');
	await turn();
	assert.deepEqual(control.batches, [['a']]);
	await control.end();
	assert.equal(await answer, 'A');
});

test('items that arrive together share one batch, in the order in which they came', async () => {
	const { control, submitAll, sizes } = setUp();
	const answers = submitAll('abcde');
	await turn();
	assert.deepEqual(control.batches, [['a', 'b', 'c', 'd', 'e']]);
	await control.end();
	assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C', 'D', 'E']);
	assert.deepEqual(sizes, [5]);
});

test('all that comes while a batch runs becomes the next one, and never a second beside it', async () => {
	const { control, commits, submitAll } = setUp();
	const answers = submitAll('a');
	await turn();
	for (const item of 'bcd') {
		answers.push(...submitAll(item));
		await turn();
	}
	assert.deepEqual(control.batches, [['a']]);
	assert.equal(commits.waiting, 3);
	await control.end();
	assert.deepEqual(control.batches, [['a'], ['b', 'c', 'd']]);
	assert.equal(commits.waiting, 0);
	await control.end();
	assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C', 'D']);
});

test('a batch holds no more than its bound, and the rest follows in order', async () => {
	const { control, submitAll } = setUp({ maxBatch: 2 });
	const answers = submitAll('abcde');
	await turn();
	for (let i = 0; i < 3; i++) await control.end();
	assert.deepEqual(control.batches, [['a', 'b'], ['c', 'd'], ['e']]);
	assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C', 'D', 'E']);
});

test('what comes on top of a full queue is shed at once and never run, and the queue is not harmed', async () => {
	const { control, submitAll } = setUp({ maxWaiting: 2 });
	const first = submitAll('a');
	await turn();
	const [b, c, ...shed] = submitAll('bcdef');
	assert.deepEqual(await Promise.all(shed), [NOT_DONE, NOT_DONE, NOT_DONE]);
	await control.end();
	await control.end();
	assert.deepEqual(await Promise.all([...first, b, c]), ['A', 'B', 'C']);
	assert.deepEqual(control.batches, [['a'], ['b', 'c']]);
});

test('a busy batch is tried again before all that came later, with its order kept', async () => {
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

test('a batch that was certainly not done answers unavailable; one whose outcome is unknown says so', async () => {
	for (const [kind, expected] of [
		['not_done', NOT_DONE],
		['outcome_unknown', OUTCOME_UNKNOWN],
	] as const) {
		const { control, submitAll, faults, sizes } = setUp();
		const answers = submitAll('ab');
		await turn();
		const later = submitAll('c');
		await control.end({ kind, cause: 'the disk' });
		assert.deepEqual(await Promise.all(answers), [expected, expected]);
		assert.deepEqual([faults, sizes], [[{ cause: 'the disk', kind }], []]);
		// What came later was not part of it.
		await control.end();
		assert.deepEqual(await Promise.all(later), ['C']);
		assert.deepEqual(control.batches, [['a', 'b'], ['c']]);
	}
});

test('items that failed alone are told of, and the others of their batch are answered as ever', async () => {
	const { control, submitAll, faults } = setUp();
	const answers = submitAll('ab');
	await turn();
	await control.end({ kind: 'committed', results: ['A', 'failed'], faults: ['a bug'] });
	assert.deepEqual(await Promise.all(answers), ['A', 'failed']);
	assert.deepEqual(faults, [{ cause: 'a bug', kind: 'failed_alone' }]);
});

test('stop takes nothing more, and waits until all that was taken has been answered', async () => {
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

test('whatever comes when, and whatever becomes of the batches, every item is answered once and run in order', async (t) => {
	const step = fc.constantFrom('submit', 'submit', 'submit', 'turn', 'commit', 'busy', 'not_done', 'outcome_unknown');
	const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
		const { control, commits } = setUp({ maxBatch: 3, maxWaiting: 5 });
		const answers: Promise<unknown>[] = [];
		const fates = new Map<string, unknown>();
		const end = async (kind: string) => {
			const items = control.batches.at(-1) ?? [];
			if (items.length === 0 || fates.has(items[0] as string)) return;
			if (kind === 'commit') for (const item of items) fates.set(item, item.toUpperCase());
			if (kind === 'not_done') for (const item of items) fates.set(item, NOT_DONE);
			if (kind === 'outcome_unknown') for (const item of items) fates.set(item, OUTCOME_UNKNOWN);
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
		for (const [place, result] of results.entries()) {
			assert.deepEqual(result, fates.get(`item ${place}`) ?? NOT_DONE);
		}
		const places = control.batches.flat().map((item) => Number(item.split(' ')[1]));
		const firstRuns = [...new Set(places)];
		assert.deepEqual(
			firstRuns,
			firstRuns.toSorted((a, b) => a - b),
		);
		assert.ok(control.batches.every((items) => items.length <= 3));
	});
	await fc.assert(property, { seed: printedSeed(t), numRuns: 300 });
});

test('where two may be under way, the next begins once the one before it says so, and a third waits for an answer', async () => {
	const { control, commits } = setUp({ atOnce: 2 });
	const answers = [commits.submit('a')];
	await turn();
	answers.push(commits.submit('b'));
	await turn();
	assert.deepEqual(control.batches, [['a']], 'not before the first one has begun');
	control.begun[0]?.begin();
	await turn();
	assert.deepEqual(control.batches, [['a'], ['b']]);
	control.begun[1]?.begin();
	answers.push(commits.submit('c'));
	await turn();
	assert.deepEqual(control.batches, [['a'], ['b']], 'two are enough');
	control.begun[0]?.end({ kind: 'committed', results: ['A'], faults: [] });
	await turn();
	assert.deepEqual(control.batches, [['a'], ['b'], ['c']]);
	await control.end();
	const stopping = commits.stop();
	control.begun[1]?.end({ kind: 'committed', results: ['B'], faults: [] });
	await stopping;
	assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C']);
});

test('a batch that says that it has begun, and then that it is busy, goes to the head of the queue', async () => {
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

test('beside a large batch a small one does not start; it does once it has grown, or the large one is answered', async () => {
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

test('batches are filled in turns over owners, however much one of them has waiting', async () => {
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

test('what one owner has waiting is bounded: its excess is shed, and nothing of the others', async () => {
	const { control, submitAll } = setUp({ maxOfOwner: 2, ownerOf: (item) => (item < 'u' ? 'acme' : item) });
	const first = submitAll('a');
	await turn();
	const [b, c, d, u] = submitAll('bcdu');
	assert.deepEqual(await d, NOT_DONE);
	await control.end();
	await control.end();
	assert.deepEqual(await Promise.all([...first, b, c, u]), ['A', 'B', 'C', 'U']);
});

test('an item that was held is told so, and the others of its batch have their results', async () => {
	const { control, submitAll } = setUp();
	const answers = submitAll('abc');
	await turn();
	await control.end({ kind: 'committed', results: ['A', 'not run', 'C'], faults: [], held: new Set([1]) });
	assert.deepEqual(await Promise.all(answers), ['A', HELD, 'C']);
});

test('what else the owner of a held item has waiting is held too, before the next batch is filled', async () => {
	const { control, submitAll } = setUp({ maxBatch: 2, ownerOf: (item) => (item < 'u' ? 'acme' : item) });
	const answers = submitAll('aubcv');
	await turn();
	await control.end({ kind: 'committed', results: ['not run', 'U'], faults: [], held: new Set([0]) });
	assert.deepEqual(control.batches, [['a', 'u'], ['v']]);
	await control.end();
	assert.deepEqual(await Promise.all(answers), [HELD, 'U', HELD, HELD, 'V']);
});

test('batches of one owner each: owners take turns', async () => {
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

test('an item that has waited since before is refused when that is too long, wherever it stands', async () => {
	const { control, commits } = setUp({ maxWaitMs: 1000 });
	void commits.submit('runs');
	await turn();
	const [fresh, old] = [commits.submit('fresh'), commits.submit('old', performance.now() - 2000)];
	await control.end();
	assert.deepEqual(await old, NOT_DONE);
	await control.end();
	assert.equal(await fresh, 'FRESH');
	assert.deepEqual(control.batches, [['runs'], ['fresh']]);
});
