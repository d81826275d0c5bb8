import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
	delaysLaterLines,
	feeOf,
	type JournalEntry,
	NOT_BEGUN,
	nextStep,
	withEntry,
} from '../../src/bulk/journal/line-history.ts';

describe('what the journal tells about a line', () => {
	const begun = (balance?: number): JournalEntry => ({
		line: 1,
		state: 'begun',
		at: '',
		username: 'alice',
		...(balance !== undefined && { balance_before: balance }),
	});
	const ended = (state: 'done' | 'not_done' | 'unknown', code?: string, fee?: [number, number]): JournalEntry => ({
		line: 1,
		state,
		...(code !== undefined && { code }),
		...(fee && { fee: { min_cents: fee[0], max_cents: fee[1] } }),
	});
	const told = (operation: 'create' | 'give', ...entries: JournalEntry[]) =>
		entries.reduce((history, entry) => withEntry(history, entry, operation), NOT_BEGUN);

	test('fees add up over the runs; a run that was cut off may have paid one', () => {
		const cases: [JournalEntry[], [number, number]][] = [
			[[], [0, 0]],
			[[begun()], [0, 10]],
			[
				[begun(), ended('done', undefined, [10, 10])],
				[10, 10],
			],
			[
				[begun(), begun()],
				[0, 20],
			],
			[
				[begun(), begun(), ended('done', undefined, [0, 0])],
				[0, 10],
			],
			[
				[begun(), ended('unknown', 'x', [0, 10]), begun(), ended('done', undefined, [10, 10])],
				[10, 20],
			],
			[
				[ended('not_done', 'x'), begun(), ended('not_done', 'username_taken', [10, 10])],
				[10, 10],
			],
		];
		for (const [entries, [minCents, maxCents]] of cases) {
			assert.deepEqual(feeOf(told('create', ...entries), 'create'), { minCents, maxCents });
		}
		assert.deepEqual(feeOf(told('give', begun(5)), 'give'), { minCents: 0, maxCents: 0 });
	});

	test('the requests of one change id cost one fee', () => {
		const sent = (id: string): JournalEntry => ({ ...begun(), at: '', change_id: id }) as JournalEntry;
		const cases: [JournalEntry[], [number, number]][] = [
			[
				[sent('one'), sent('one')],
				[0, 10],
			],
			[
				[sent('one'), ended('unknown', 'x', [0, 10])],
				[0, 10],
			],
			[
				[sent('one'), ended('unknown', 'x', [0, 10]), sent('one'), ended('done', undefined, [10, 10])],
				[10, 10],
			],
			[
				[sent('one'), ended('not_done', 'x', [0, 0]), sent('two'), sent('two'), ended('done', undefined, [10, 10])],
				[10, 10],
			],
			[
				[begun(), sent('one'), ended('done', undefined, [10, 10])],
				[10, 20],
			],
		];
		for (const [entries, [minCents, maxCents]] of cases) {
			assert.deepEqual(feeOf(told('create', ...entries), 'create'), { minCents, maxCents }, JSON.stringify(entries));
		}
	});

	test('for 47 hours, a line with a change id is looked for, also without a sole writer; the hours count from its first sending', () => {
		const sent = (hoursAgo: number): JournalEntry =>
			({ ...begun(), at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(), change_id: 'one' }) as JournalEntry;
		for (const [entries, step] of [
			[[sent(0)], 'look'],
			[[sent(46.9)], 'look'],
			[[sent(46.9), ended('unknown')], 'look'],
			[[sent(47.1)], 'nothing'],
			[[sent(47.1), sent(0)], 'nothing'],
			[[sent(-1)], 'nothing'],
			[[sent(47.1), ended('not_done', 'unavailable')], 'send'],
		] as const) {
			const history = told('give', ...entries);
			assert.equal(nextStep(history, 'give', false), step, JSON.stringify(entries));
			assert.equal(delaysLaterLines(history), false);
		}
		assert.equal(nextStep(told('create', sent(47.1)), 'create', false), 'look', 'the sub-user itself tells');
	});

	test('only a line that certainly was not done is sent without a look; a line that cannot be judged never is', () => {
		for (const [operation, entries, isSoleWriter, step, holds] of [
			['create', [], false, 'send', false],
			['create', [begun()], false, 'look', false],
			['create', [begun(), ended('unknown')], false, 'look', false],
			['create', [begun(), ended('done')], false, 'nothing', false],
			['create', [begun(), ended('not_done', 'connection_failed')], false, 'send', false],
			['create', [begun(), ended('not_done', 'username_taken')], false, 'nothing', false],
			['give', [begun()], false, 'nothing', false],
			['give', [begun()], true, 'nothing', false],
			['give', [begun(0)], false, 'nothing', true],
			['give', [begun(0)], true, 'look', true],
			['give', [begun(0), ended('unknown')], true, 'look', true],
			['give', [begun(), { line: 1, state: 'unknown', may_happen_later: true }], true, 'nothing', true],
			['give', [begun(0), ended('not_done', 'unavailable')], true, 'send', false],
			['give', [begun(0), ended('not_done', 'unavailable'), begun()], true, 'nothing', false],
		] as const) {
			const history = told(operation, ...entries);
			assert.equal(nextStep(history, operation, isSoleWriter), step, JSON.stringify(entries));
			assert.equal(delaysLaterLines(history), holds, JSON.stringify(entries));
		}
	});
});
