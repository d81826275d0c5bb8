import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CurrentToken, TokenState } from '@bursar/contract/dashboard';
import { tokenTexts } from '../../src/features/token/texts.ts';
import { momentText } from '../../src/format/time.ts';
import { pageTexts } from '../../src/page/texts.ts';
import { secretTexts } from '../../src/secrets/texts.ts';
import { ANN, button, dialog, gone, open, press, pressInDialog, screen, serviceFor } from '../support/dashboard.ts';

const TOKEN = `brs_${'b'.repeat(46)}`;
const CURRENT: CurrentToken = { tail: 'wxyz', made: '2026-01-01T00:00:00.000Z', made_by: 'operator', last_used: null };
const STATE: TokenState = { reseller: 'acme', api_url: 'http://localhost:8080', current: CURRENT, previous: null };
const OWN: CurrentToken = { ...CURRENT, tail: 'bbbb', made: '2026-02-01T00:00:00.000Z', made_by: ANN.email };

/** The page with the token, and a rotation whose answer was lost. `current` is the token that is read from then on. */
async function lostRotation(t: TestContext, current: CurrentToken) {
	const service = serviceFor(t, ANN);
	service.answers('/token', STATE);
	open(t, '/token');
	await press(tokenTexts.rotate);
	service.loses('/token/rotate');
	await dialog(tokenTexts.rotate);
	service.answers('/token', { ...STATE, current });
	await pressInDialog(tokenTexts.rotate, tokenTexts.rotateNow);
	return service;
}

test('a rotation that did not happen can be tried again, once that is certain, and is the same act', async (t) => {
	const service = await lostRotation(t, CURRENT);
	await screen.findByText(tokenTexts.lostNotYet('wxyz'));
	assert.ok(!screen.queryByRole('button', { name: pageTexts.retry }));
	const { now } = Date;
	t.mock.method(Date, 'now', () => now() + 10_000);
	await screen.findByText(tokenTexts.lostNotHappened('wxyz', momentText(CURRENT.made)));
	service.answers('/token/rotate', { token: TOKEN, state: { ...STATE, current: OWN } });
	await press(pageTexts.retry);
	await screen.findByText(TOKEN);
	const [first, second] = service.calls('/token/rotate');
	assert.deepEqual(first, second);
	await press(secretTexts.stored);
	await gone(TOKEN);
});

test('a rotation that happened cannot be tried again, and ending all tokens is the way out', async (t) => {
	const service = await lostRotation(t, OWN);
	await screen.findByText(tokenTexts.lostHappened('bbbb', momentText(OWN.made)));
	await screen.findByText(tokenTexts.lostWayOut);
	assert.ok(!screen.queryByRole('button', { name: pageTexts.retry }));
	service.answers('/token/end-all', { token: TOKEN, state: { ...STATE, current: OWN } });
	await pressInDialog('The answer was lost', tokenTexts.endAll);
	await pressInDialog(tokenTexts.endAll, tokenTexts.endAll);
	await screen.findByText(TOKEN);
	assert.equal(service.calls('/token/end-all').length, 1);
});

test('if somebody else changed the token meanwhile, the page says who', async (t) => {
	await lostRotation(t, { ...OWN, made_by: 'ben@acme.example' });
	await screen.findByText(tokenTexts.lostOther('bbbb', momentText(OWN.made), 'ben@acme.example'));
});

test('while the previous token lives, the next rotation is not offered, and the page says when it is', async (t) => {
	const service = serviceFor(t, ANN);
	const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
	const previous = { tail: 'wxyz', expires: inMinutes(1), dead: inMinutes(1.5), last_used: inMinutes(0) };
	const current = { ...OWN, made: inMinutes(-1) };
	service.answers('/token', { ...STATE, current, previous });
	open(t, '/token');
	await screen.findByText(tokenTexts.previousTitles.works('wxyz'));
	await screen.findByText(new RegExp(tokenTexts.previousStillUsed));
	assert.equal((await button(tokenTexts.rotate)).getAttribute('aria-disabled'), 'true');
	await screen.findByText(tokenTexts.rotationPending);
});
