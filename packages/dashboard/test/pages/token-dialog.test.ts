import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CurrentToken, TokenState } from '@bursar/contract/dashboard';
import { actTexts } from '../../src/acts/texts.ts';
import { tokenTexts } from '../../src/features/token/texts.ts';
import { momentText } from '../../src/format/time.ts';
import { pageTexts } from '../../src/page/texts.ts';
import { secretTexts } from '../../src/secrets/texts.ts';
import {
	ANN,
	button,
	dialog,
	fireEvent,
	gone,
	open,
	press,
	pressInDialog,
	screen,
	serviceFor,
} from '../support/dashboard.ts';

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
	await screen.findByText(actTexts.lostAct);
	return service;
}

test('a rotation whose answer was lost is asked for again as the same act: if it did not happen, it happens now', async (t) => {
	const service = await lostRotation(t, CURRENT);
	service.answers('/token/rotate', { token: TOKEN, state: { ...STATE, current: OWN } });
	await press(pageTexts.retry);
	await screen.findByText(TOKEN);
	const [first, second] = service.calls('/token/rotate');
	assert.deepEqual(first, second);
	await press(secretTexts.stored);
	await gone(TOKEN);
});

test('a rotation that happened is not done twice, and ending all tokens is the way out', async (t) => {
	const service = await lostRotation(t, OWN);
	service.refuses('/token/rotate', 'act_repeated');
	await press(pageTexts.retry);
	const happened = tokenTexts.lostHappened('bbbb', momentText(OWN.made));
	await screen.findByText(`${happened} ${tokenTexts.lostWayOut}`);
	assert.ok(!screen.queryByRole('button', { name: pageTexts.retry }));
	fireEvent.keyDown(await dialog(actTexts.lostTitle), { key: 'Escape' });
	await gone(actTexts.lostTitle);
	service.answers('/token/end-all', { token: TOKEN, state: { ...STATE, current: OWN } });
	await press(tokenTexts.endAll);
	await pressInDialog(tokenTexts.endAll, tokenTexts.endAll);
	await screen.findByText(TOKEN);
	assert.equal(service.calls('/token/end-all').length, 1);
});

test('if another person changed the token after a rotation whose answer was lost, the page says who', async (t) => {
	const service = await lostRotation(t, { ...OWN, made_by: 'ben@acme.example' });
	service.refuses('/token/rotate', 'act_repeated');
	await press(pageTexts.retry);
	const changed = tokenTexts.lostOther('bbbb', momentText(OWN.made), 'ben@acme.example');
	await screen.findByText(`${changed} ${tokenTexts.lostWayOut}`);
});

test('until the token was read again, the page does not say which one it is', async (t) => {
	const service = await lostRotation(t, CURRENT);
	service.refuses('/token/rotate', 'act_repeated');
	const answer = service.holds('/token');
	await press(pageTexts.retry);
	await screen.findByText(actTexts.repeated);
	answer({ ...STATE, current: OWN });
	await screen.findByText(new RegExp(tokenTexts.lostWayOut));
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
