import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledgerTexts } from '../src/features/ledger/texts.ts';
import { durationText, groupedProblems, percentDone } from '../src/features/ledger/verification.ts';

test('problems of one kind stand together, with what they mean and what to do', () => {
	const below = 'the balance is below zero';
	const groups = groupedProblems([
		{ name: 'acme', problem: below },
		{ name: 'umbrella', problem: 'a ledger entry is of a kind that this version does not know: gift' },
		{ name: 'bob.miller', problem: below },
	]);
	assert.deepEqual(
		groups.map(({ title, names }) => [title, names]),
		[
			['The balance is below zero', ['acme', 'bob.miller']],
			['A ledger entry is of a kind that this version does not know: gift', ['umbrella']],
		],
	);
	for (const { means } of groups) assert.notEqual(means, ledgerTexts.unknownProblem.means);
});

test('a problem of a newer version is shown too', () => {
	const [group] = groupedProblems([{ name: 'acme', problem: 'something new' }]);
	assert.equal(group?.means, ledgerTexts.unknownProblem.means);
	assert.equal(group?.title, 'Something new');
});

test('progress is 100 percent only at the end', () => {
	assert.equal(percentDone({ done: 0, of: 0 }), 0);
	assert.equal(percentDone({ done: 1, of: 3 }), 33);
	assert.equal(percentDone({ done: 3, of: 3 }), 99);
});

test('the duration of a verification is told in seconds or minutes', () => {
	const start = '2026-11-22T12:00:00.000Z';
	const after = (ms: number) => durationText(start, new Date(Date.parse(start) + ms).toISOString());
	assert.equal(after(200), 'less than a second');
	assert.equal(after(1000), '1 second');
	assert.equal(after(90_000), '90 seconds');
	assert.equal(after(300_000), '5 minutes');
});
