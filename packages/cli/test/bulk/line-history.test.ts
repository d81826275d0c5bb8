import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feeOf, type JournalEntry, NOT_BEGUN, standingOf, withEntry } from '../../src/bulk/journal/line-history.ts';

describe('what the journal tells about a line', () => {
	const sent = (id: string, hoursAgo = 0): JournalEntry => {
		const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
		return { line: 1, state: 'begun', at, change_id: id, username: 'alice' };
	};
	const ended = (state: 'done' | 'not_done', code?: string, fee?: [number, number]): JournalEntry => ({
		line: 1,
		state,
		...(code !== undefined && { code }),
		...(fee && { fee: { min_cents: fee[0], max_cents: fee[1] } }),
	});
	const told = (...entries: JournalEntry[]) => entries.reduce(withEntry, NOT_BEGUN);

	test('fees add up over the runs; the requests of one change id cost one fee', () => {
		const done = ended('done', undefined, [10, 10]);
		const cases: [JournalEntry[], [number, number]][] = [
			[[], [0, 0]],
			[[sent('one')], [0, 10]],
			[
				[sent('one'), done],
				[10, 10],
			],
			[
				[sent('one'), sent('one')],
				[0, 10],
			],
			[
				[sent('one'), sent('one'), done],
				[10, 10],
			],
			[
				[sent('one'), ended('not_done', 'x', [0, 0]), sent('two'), sent('two'), done],
				[10, 10],
			],
			[
				[sent('one'), ended('not_done', 'output_failed', [10, 10]), sent('two'), ended('done')],
				[10, 10],
			],
			[
				[sent('one'), ended('not_done', 'username_taken', [10, 10])],
				[10, 10],
			],
		];
		for (const [entries, [minCents, maxCents]] of cases) {
			assert.deepEqual(feeOf(told(...entries), 'create'), { minCents, maxCents }, JSON.stringify(entries));
		}
		assert.deepEqual(feeOf(told(sent('one')), 'give'), { minCents: 0, maxCents: 0 });
	});

	test('a line in doubt is looked for, for 47 hours from its first sending, and then never sent again', () => {
		for (const [entries, standing] of [
			[[], 'to_send'],
			[[sent('one')], 'to_look_for'],
			[[sent('one', 46.9)], 'to_look_for'],
			[[sent('one', 47.1)], 'unknowable'],
			[[sent('one', 47.1), sent('one')], 'unknowable'],
			[[sent('one', -1)], 'unknowable'],
			[[sent('one', 47.1), ended('not_done', 'unavailable')], 'to_send'],
			[[sent('one', 47.1), ended('not_done', 'unavailable'), sent('two')], 'to_look_for'],
			[[sent('one'), ended('not_done', 'username_taken')], 'username_taken'],
			[[sent('one'), ended('done')], 'done'],
		] as const) {
			assert.equal(standingOf(told(...entries)), standing, JSON.stringify(entries));
		}
	});

	test('that the service does not know an outcome holds for the same change only', () => {
		const unknown = { ...sent('one'), may_happen_later: true } as JournalEntry;
		assert.equal(told(unknown).begun?.mayHappenLater, true);
		assert.equal(told(unknown, sent('one')).begun?.mayHappenLater, true);
		assert.equal(told(unknown, ended('not_done'), sent('two')).begun?.mayHappenLater, false);
	});
});
