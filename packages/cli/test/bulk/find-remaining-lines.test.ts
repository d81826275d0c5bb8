import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputLine } from '../../src/bulk/input/read-input.ts';
import { type FoundJournal, JOURNAL_VERSION } from '../../src/bulk/journal/journal-file.ts';
import type { JournalEntry } from '../../src/bulk/journal/line-history.ts';
import { findRemainingLines } from '../../src/bulk/remaining/find-remaining-lines.ts';
import { begunAgo } from '../support/journal.ts';

function linesOf(...texts: string[]): InputLine[] {
	return texts.map((text, index) => {
		const [username = '', cents] = text.split(',');
		return { line: index + 1, username, amountCents: Number(cents) };
	});
}

/** The journal of a file, with the outcome of each begun line. `unknowable` and `to_look_for` lines have not ended. */
function journalOf(
	lines: readonly InputLine[],
	...ends: ('done' | 'not_done' | 'unknowable' | 'to_look_for' | undefined)[]
): FoundJournal {
	const entries = ends.flatMap((end, index): JournalEntry[] => {
		const { line, username, amountCents } = lines[index] as InputLine;
		const content = { username, amount_usd_cents: amountCents };
		const times = begunAgo(end === 'unknowable' ? 48 : 0);
		const begun = { line, state: 'begun', ...times, change_id: `change-of-line-${line}`, ...content } as const;
		if (end === undefined) return [];
		return end === 'done' || end === 'not_done' ? [begun, { line, state: end }] : [begun];
	});
	const header = {
		version: JOURNAL_VERSION,
		operation: 'give',
		url: '',
		reseller: '',
		input_sha256: 'of before',
		began: '',
	} as const;
	return { header, entries, completeBytes: 0 };
}

const now = new Date();
const before = linesOf('alice,5', 'alice,5', 'alice,5', 'alice,5', 'alice,5');

test('equal lines match those first that were done or may be, so that none of these is left to be sent', () => {
	const found = journalOf(before, 'not_done', 'to_look_for', undefined, 'unknowable', 'done');
	const remainingOf = (count: number) =>
		findRemainingLines({ lines: before.slice(0, count), sha256: 'corrected' }, found, now);
	const expected: [number, number, number][] = [
		// Lines of the file, lines that are left, journal entries that go with them.
		[1, 0, 0],
		[2, 0, 0],
		[3, 1, 1],
		[4, 2, 1],
		[5, 3, 1],
	];
	for (const [count, lines, entries] of expected) {
		const remaining = remainingOf(count);
		assert.deepEqual([remaining.lines.length, remaining.entries.length], [lines, entries], String(count));
		const unknown = remaining.unknown.map(({ line }) => line);
		assert.deepEqual(unknown, count < 3 ? [2, 4] : [4], 'unknown lines that do not go on are named');
		const onTheirWay = remaining.onTheirWay.map(({ begun }) => begun.changeId);
		assert.deepEqual(onTheirWay, count < 3 ? ['change-of-line-2'] : []);
	}
	const [entry] = remainingOf(3).entries;
	assert.deepEqual(entry, { ...found.entries[2], line: 2 }, 'below the heading');
});

test('if the file has not changed, each line continues itself', () => {
	const found = journalOf(before, 'not_done', 'to_look_for', undefined, 'unknowable', 'done');
	const { lines, entries, unknown } = findRemainingLines({ lines: before, sha256: 'of before' }, found, now);
	assert.deepEqual(
		lines.map(({ line }) => line),
		[1, 2, 3],
	);
	assert.deepEqual(
		entries.map(({ line }) => line),
		[3],
	);
	assert.deepEqual(
		unknown.map(({ line }) => line),
		[4],
	);
});

test('a username is named if its amount was corrected after the transfer, but not if its line was not done', () => {
	const found = journalOf(
		linesOf('alice,5', 'bruno,5', 'chiara,5', 'dora,5'),
		'done',
		'not_done',
		'unknowable',
		'done',
	);
	const corrected = { lines: linesOf('alice,6', 'bruno,6', 'chiara,6', 'dora,5', 'dora,6'), sha256: 'corrected' };
	const { lines, movedOtherwise, unknown } = findRemainingLines(corrected, found, now);
	assert.deepEqual(
		lines.map(({ line }) => line),
		[1, 2, 3, 5],
	);
	assert.deepEqual(movedOtherwise, ['alice', 'chiara']);
	assert.deepEqual(unknown, [{ line: 3, username: 'chiara', amountCents: 5 }]);
});
