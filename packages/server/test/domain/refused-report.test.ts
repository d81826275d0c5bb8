import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REFUSED_KEPT, refusedReports } from '../../src/domain/refused-report.ts';
import type { ArrivedReport, UsageVerdict } from '../../src/domain/usage.ts';
import { NOON_MS, reading } from '../support/commands.ts';

const CONFLICT = { refused: 'conflict' } as const;

function refused(...each: readonly (readonly [ArrivedReport, UsageVerdict])[]) {
	return refusedReports(
		each.map(([arrived]) => arrived),
		each.map(([, verdict]) => verdict),
	);
}

test('a refused report says whose it is, and the last of those that look the same stands for all', () => {
	const imported = { source: 'eu-1', id: 'r', username: 'bruno', atMs: NOON_MS, bytesUp: 7, bytesDown: 8 };
	const unread = { refused: 'invalid_counter', edge: 'eu-1', username: 'bob' } as const;
	const content = { username: 'alice', reason: 'conflict', atMs: NOON_MS, bytesUp: 5, bytesDown: 6 };
	assert.deepEqual(
		refused(
			[reading(1, 2), 'counted'],
			[reading(3, 4), CONFLICT],
			[imported, { refused: 'unknown_username' }],
			[reading(5, 6, { counter: 'c2' }), CONFLICT],
			[unread, { refused: 'invalid_counter' }],
			[{ refused: 'not_json' }, { refused: 'not_json' }],
		),
		[
			{ kind: 'edge', source: 'eu-1', name: 'c2', reports: 2, ...content },
			{
				...{ kind: 'edge', source: 'eu-1', name: '', reports: 1, username: 'bob', reason: 'invalid_counter' },
				...{ atMs: null, bytesUp: null, bytesDown: null },
			},
			{
				...{ kind: 'file', source: 'eu-1', name: 'r', reports: 1, username: 'bruno', reason: 'unknown_username' },
				...{ atMs: NOON_MS, bytesUp: 7, bytesDown: 8 },
			},
		],
	);
});

test('a batch has no more of them than are kept, and a flood of one source hides no other', () => {
	const flood = Array.from({ length: 500 }, (_, n) => [reading(1, 1, { username: `user.${n}` }), CONFLICT] as const);
	const some = refused(...flood, [reading(1, 1, { edge: 'eu-2' }), CONFLICT]);
	assert.deepEqual(
		some.map(({ source }) => source),
		[...Array(REFUSED_KEPT.ofSource).fill('eu-1'), 'eu-2'],
	);
	const sources = Array.from({ length: 2_000 }, (_, n) => [reading(1, 1, { edge: `eu-${n}` }), CONFLICT] as const);
	assert.equal(refused(...sources).length, REFUSED_KEPT.inAll);
});
