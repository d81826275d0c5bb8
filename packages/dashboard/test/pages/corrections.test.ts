import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_BYTES } from '@bursar/contract/limits';
import {
	changeOf,
	correctionOf,
	dayAfter,
	namedDay,
	type TypedCorrection,
	typedBytes,
} from '../../src/features/corrections/correction.ts';
import { correctionTexts } from '../../src/features/corrections/texts.ts';
import { button, dialog, OLGA, open, press, screen, serviceFor, type } from '../support/dashboard.ts';

const TYPED: TypedCorrection = {
	...{ reseller: 'Acme', username: 'alice', day: '2026-11-21', direction: 'take', up: '', down: '1000' },
	...{ reference: ' C\u00a01 ', reason: ' Counted twice ' },
};

test('bytes are typed as whole numbers, and nothing else counts', () => {
	for (const [text, bytes] of [
		['', 0],
		['0', 0],
		[' 1500000 ', 1_500_000],
		['1,500,000', 1_500_000],
		[String(MAX_BYTES), MAX_BYTES],
		[String(MAX_BYTES + 1), undefined],
		['1.5', undefined],
		['1,50', undefined],
		['1 500', undefined],
		['-1', undefined],
		['1e3', undefined],
		['0x10', undefined],
	] as const) {
		assert.equal(typedBytes(text), bytes, text);
	}
});

test('a correction is complete only with an account, a day, bytes, a reference and a reason', () => {
	assert.deepEqual(correctionOf(TYPED), {
		...{ reseller: 'acme', username: 'alice', day: '2026-11-21', up: 0, down: -1000 },
		...{ reference: 'C 1', reason: 'Counted twice' },
	});
	for (const change of [
		{ reseller: 'a' },
		{ username: '' },
		{ day: '2026-02-30' },
		{ down: '' },
		{ down: 'x' },
		{ reference: ' ' },
		{ reason: '' },
	]) {
		assert.equal(correctionOf({ ...TYPED, ...change }), undefined, JSON.stringify(change));
	}
	assert.deepEqual(changeOf({ ...TYPED, direction: 'add' }), { up: 0, down: 1000 });
	assert.equal(namedDay({ ...TYPED, day: '' }), undefined);
});

test('the day after a correction is exact, and never below zero or beyond what can be counted', () => {
	assert.deepEqual(dayAfter({ up: 5, down: 10 }, { up: -5, down: 1 }), { up: 0, down: 11 });
	assert.equal(dayAfter({ up: 5, down: 10 }, { up: -6, down: 0 }), 'too_few');
	assert.equal(dayAfter({ up: 5, down: MAX_BYTES }, { up: 0, down: 1 }), 'too_many');
});

test('an operator sees the day before and after, and sends the correction once', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/usage', { days: [], refused: [], corrections: [] });
	service.answers('/operator/usage/day', { up: 7, down: 1500 });
	service.answers('/operator/usage/correct', { repeated: false, up: 7, down: 500 });
	open(t, '/usage');
	await press(correctionTexts.action);
	await dialog(correctionTexts.title);
	const correct = (await button(correctionTexts.correct)) as HTMLButtonElement;
	await type(correctionTexts.reseller, 'acme');
	await type(correctionTexts.username, 'alice');
	await type(correctionTexts.day, '2026-01-21');
	await type(correctionTexts.reference, 'C-1');
	await type(correctionTexts.reason, 'Counted twice');
	await type(correctionTexts.down, '1501');
	await screen.findByText(correctionTexts.problems.too_few);
	assert.ok(correct.disabled);
	await type(correctionTexts.down, '1000');
	await screen.findByText(correctionTexts.exact('500 B', 500));
	assert.ok(!correct.disabled);
	correct.click();
	await screen.findByText(correctionTexts.done('500 B', '7 B'));
	assert.deepEqual(
		service.calls('/operator/usage/correct').map(({ act: _, ...body }) => body),
		[
			{
				...{ reseller: 'acme', username: 'alice', day: '2026-01-21', up: 0, down: -1000 },
				...{ reference: 'C-1', reason: 'Counted twice' },
			},
		],
	);
});

test('until the present figures of the day are known, nothing is sent', async (t) => {
	const service = serviceFor(t, OLGA);
	service.answers('/operator/usage', { days: [], refused: [], corrections: [] });
	service.always('/operator/usage/day', 'unknown_account', 404);
	open(t, '/usage');
	await press(correctionTexts.action);
	for (const [label, text] of [
		[correctionTexts.reseller, 'acme'],
		[correctionTexts.username, 'olga'],
		[correctionTexts.day, '2026-01-21'],
		[correctionTexts.down, '1'],
		[correctionTexts.reference, 'C-1'],
		[correctionTexts.reason, 'why'],
	] as const) {
		await type(label, text);
	}
	await screen.findByRole('alert');
	assert.ok(((await button(correctionTexts.correct)) as HTMLButtonElement).disabled);
});
