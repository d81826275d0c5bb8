import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
	feeOf,
	type JournalEntry,
	latestExpiry,
	NOT_BEGUN,
	standingOf,
	withEntry,
} from '../../src/bulk/journal/line-history.ts';

describe('what the journal tells about a line', () => {
	/** The clock of this machine would tell another age. */
	const serviceTime = new Date('2001-02-03T04:05:06.700Z');
	const sent = (id: string, hoursAgo = 0): JournalEntry => {
		const at = new Date(serviceTime.getTime() - hoursAgo * 3_600_000);
		const expires = at.getTime() / 1000 + 78.3;
		return { line: 1, state: 'begun', at: at.toISOString(), expires, change_id: id, username: 'alice' };
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
			assert.deepEqual(feeOf(told(...entries), { paysFee: true }), { minCents, maxCents }, JSON.stringify(entries));
		}
		assert.deepEqual(feeOf(told(sent('one')), {}), { minCents: 0, maxCents: 0 });
	});

	test("a line in doubt is looked for, for 47 hours from its first sending, by the service's clock, and then never sent again", () => {
		for (const [entries, standing] of [
			[[], 'to_send'],
			[[sent('one')], 'to_look_for'],
			[[sent('one', 46.9)], 'to_look_for'],
			[[sent('one', 47.1)], 'unknowable'],
			[[sent('one', 47.1), sent('one')], 'unknowable'],
			[[sent('one', -1)], 'to_look_for'],
			[[sent('one', -100), sent('one', 47.1)], 'unknowable'],
			[[sent('one', 47.1), ended('not_done', 'unavailable')], 'to_send'],
			[[sent('one', 47.1), ended('not_done', 'unavailable'), sent('two')], 'to_look_for'],
			[[sent('one'), ended('not_done', 'username_taken')], 'username_taken'],
			[[sent('one'), ended('done')], 'done'],
		] as const) {
			assert.equal(standingOf(told(...entries), serviceTime), standing, JSON.stringify(entries));
		}
		assert.equal(standingOf(told(sent('one', 47.1)), undefined), 'to_look_for', 'the service was not asked');
	});

	test('the last request of a line expires at the latest expiry of all its calls, also after a clock was set back', () => {
		const { expires } = told(sent('one', -1), sent('one')).begun ?? {};
		assert.equal(expires, serviceTime.getTime() / 1000 + 3_600 + 78.3);
		assert.equal(told(sent('one', -1), ended('not_done'), sent('two')).begun?.expires, (expires ?? 0) - 3_600);
	});

	test('a call that begins now sends no request that expires later than its entry says', () => {
		const patience = { timeoutMs: 10_000, totalTimeoutMs: 60_000 };
		const timestamp = Math.floor(serviceTime.getTime() / 1000);
		// The known time is that of an answer which took 10 s to arrive. The last request is sent 60 s later, when the client
		// knows the exact time. The client rounds its expiry, 5 s later, up twice.
		const last = timestamp + 1 + 10 + 60 + 5 + 2;
		assert.ok(latestExpiry(new Date(timestamp * 1000), patience) >= last);
		assert.equal(latestExpiry(serviceTime, patience), timestamp + 79);
	});

	test('that the service does not know an outcome holds for the same change only', () => {
		const unknown = { ...sent('one'), may_happen_later: true } as JournalEntry;
		assert.equal(told(unknown).begun?.mayHappenLater, true);
		assert.equal(told(unknown, sent('one')).begun?.mayHappenLater, true);
		assert.equal(told(unknown, ended('not_done'), sent('two')).begun?.mayHappenLater, false);
	});
});
