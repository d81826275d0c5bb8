import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALICE, ANN, OLGA, open, screen, serviceFor, within } from '../support/dashboard.ts';

const { refusalTexts: texts } = await import('../../src/features/refusals/texts.ts');
const { refusedAt } = await import('../../src/features/refusals/refused-at.ts');
const { clockText, momentText } = await import('../../src/format/time.ts');

const AT = '2026-05-03T09:30:00.000Z';
const REFUSALS = [
	{ reason: 'exhausted', count: 1_200, at: AT, edge: 'frankfurt-1', network: '192.0.2.0/24' },
	{ reason: 'wrong_pair', count: 3, at: ALICE.created, edge: 'paris-2', network: null },
] as const;
const SENTENCE = texts.refused(momentText(AT), 'frankfurt-1', texts.reasons.exhausted);

async function assertShown() {
	await screen.findByText(SENTENCE);
	const [, ...rows] = within(screen.getByRole('table', { name: texts.last8Days })).getAllByRole('row');
	const cells = rows.map((row) => row.textContent ?? '');
	assert.equal(cells.length, 2);
	for (const text of [texts.reasons.exhausted, '1,200', 'frankfurt-1', '192.0.2.0/24'])
		assert.ok(cells[0]?.includes(text), text);
	for (const text of [texts.reasons.wrong_pair, 'paris-2', texts.unknown]) assert.ok(cells[1]?.includes(text), text);
}

test('the page of a sub-user says when, where and why it was last refused, to its reseller', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-user', { ...ALICE, refusals: REFUSALS });
	open(t, '/sub-users/alice');
	await assertShown();
});

test('and to an operator', async (t) => {
	const service = serviceFor(t, OLGA);
	const { reseller_balance: _own, price: _price, note: _note, ...shown } = ALICE;
	service.answers('/operator/sub-user', { ...shown, deleted: null, refusals: REFUSALS });
	open(t, '/resellers/acme/sub-users/alice');
	await assertShown();
});

test('one that was not refused has no table', async (t) => {
	const service = serviceFor(t, ANN);
	service.answers('/sub-user', ALICE);
	open(t, '/sub-users/alice');
	await screen.findByText(texts.none);
	assert.ok(screen.queryByRole('table', { name: texts.last8Days }) === null);
});

test('of today, only the time is said', () => {
	assert.equal(refusedAt(AT, Date.parse(AT) + 1_000), clockText(AT));
	assert.equal(refusedAt(AT, Date.parse(AT) + 36 * 3_600_000), momentText(AT));
});
