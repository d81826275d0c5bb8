import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { actTexts } from '../../src/acts/texts.ts';
import { proofTexts } from '../../src/features/proof/texts.ts';
import { resellerTexts } from '../../src/features/resellers/texts.ts';
import { pageTexts } from '../../src/page/texts.ts';
import { secretTexts } from '../../src/secrets/texts.ts';
import {
	ACME,
	button,
	dialog,
	fireEvent,
	gone,
	OLGA,
	open,
	presenceOf,
	press,
	pressInDialog,
	screen,
	serviceFor,
	within,
} from '../support/dashboard.ts';

const TOKEN = `brs_${'a'.repeat(46)}`;
const TITLE = resellerTexts.endTokensTitle('acme');

/** The page of a reseller, with the dialog that ends its tokens. */
async function aboutToEndTokens(t: TestContext, operator = OLGA) {
	const service = serviceFor(t, operator);
	service.answers('/operator/reseller', ACME);
	service.answers('/operator/end-tokens', { token: TOKEN, details: ACME });
	open(t, '/resellers/acme');
	await press(resellerTexts.endTokens);
	await dialog(TITLE);
	return service;
}

test('a secret is shown once, and is gone when the person says that it is stored', async (t) => {
	const service = await aboutToEndTokens(t);
	await pressInDialog(TITLE, resellerTexts.endTokens);
	await screen.findByText(TOKEN);
	// The second click of a double click was meant for the button that stood there before.
	fireEvent.click(await button(secretTexts.stored), { detail: 2 });
	await screen.findByText(TOKEN);
	await press(secretTexts.stored);
	await gone(TOKEN);
	assert.ok(!document.documentElement.outerHTML.includes(TOKEN));
	assert.equal(service.calls('/operator/end-tokens').length, 1);

	await press(resellerTexts.endTokens);
	await within(await dialog(TITLE)).findByText(resellerTexts.endTokensBreaks('acme'));
	assert.ok(!screen.queryByText(TOKEN), 'it is not shown again');
});

test('closing the dialog asks before the secret is lost', async (t) => {
	await aboutToEndTokens(t);
	await pressInDialog(TITLE, resellerTexts.endTokens);
	await screen.findByText(TOKEN);
	const shown = resellerTexts.createdTitle('acme');
	for (const tryToClose of [
		async () => fireEvent.keyDown(await dialog(shown), { key: 'Escape' }),
		() => pressInDialog(shown, actTexts.close),
	]) {
		await tryToClose();
		await screen.findByText(secretTexts.askSecret);
		await screen.findByText(TOKEN);
		await press(secretTexts.goBack);
		await gone(secretTexts.askSecret);
	}
	fireEvent.keyDown(await dialog(shown), { key: 'Escape' });
	await press(secretTexts.closeAnyway);
	await gone(TOKEN);
});

test('a secret is dropped when the page is left, and the browser is told to ask', async (t) => {
	await aboutToEndTokens(t);
	await pressInDialog(TITLE, resellerTexts.endTokens);
	await screen.findByText(TOKEN);
	const leaving = new Event('beforeunload', { cancelable: true });
	fireEvent(window, leaving);
	assert.ok(leaving.defaultPrevented);
	fireEvent(window, new Event('pagehide'));
	await gone(TOKEN);
	const later = new Event('beforeunload', { cancelable: true });
	fireEvent(window, later);
	assert.ok(!later.defaultPrevented);
});

test('if the answer with the secret was lost, the page says what to do', async (t) => {
	const service = await aboutToEndTokens(t);
	service.loses('/operator/end-tokens');
	await pressInDialog(TITLE, resellerTexts.endTokens);
	await screen.findByText(actTexts.lostAct);
	service.refuses('/operator/end-tokens', 'act_repeated');
	await press(pageTexts.retry);
	await screen.findByText(resellerTexts.endedLost);
	const [first, second] = service.calls('/operator/end-tokens');
	assert.deepEqual(first, second);
});

test('a proof is asked for first, and without one nothing is sent', async (t) => {
	const service = await aboutToEndTokens(t, { ...OLGA, proven_until: null });
	await pressInDialog(TITLE, resellerTexts.endTokens);
	await pressInDialog(proofTexts.title, proofTexts.cancel);
	await gone(proofTexts.intro);
	assert.deepEqual(service.calls('/operator/end-tokens'), []);

	await pressInDialog(TITLE, resellerTexts.endTokens);
	const proof = await dialog(proofTexts.title);
	fireEvent.change(await within(proof).findByLabelText(proofTexts.password), { target: { value: 'a password' } });
	fireEvent.change(within(proof).getByLabelText(proofTexts.code), { target: { value: '123 456' } });
	service.refuses('/proof', 'wrong_credentials', 401);
	await press(proofTexts.confirm);
	await screen.findByText(proofTexts.wrongPassword.happened);
	service.answers('/proof', presenceOf(OLGA));
	await press(proofTexts.confirm);
	await screen.findByText(TOKEN);
	assert.deepEqual(service.calls('/proof')[1], { password: 'a password', code: '123456' });
	assert.equal(service.calls('/operator/end-tokens').length, 1);
});

test('a proof that has ended meanwhile is asked for again, and the same act is sent', async (t) => {
	const service = await aboutToEndTokens(t);
	service.refuses('/operator/end-tokens', 'proof_required', 403);
	await pressInDialog(TITLE, resellerTexts.endTokens);
	const proof = await dialog(proofTexts.title);
	fireEvent.change(await within(proof).findByLabelText(proofTexts.password), { target: { value: 'a password' } });
	fireEvent.change(within(proof).getByLabelText(proofTexts.code), { target: { value: '123456' } });
	service.answers('/proof', presenceOf(OLGA));
	await press(proofTexts.confirm);
	await screen.findByText(TOKEN);
	const [first, second] = service.calls('/operator/end-tokens');
	assert.deepEqual(first, second);
});
