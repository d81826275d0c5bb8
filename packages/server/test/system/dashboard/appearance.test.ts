import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { actTexts } from '../../../../dashboard/src/acts/texts.ts';
import { failureTexts } from '../../../../dashboard/src/calls/failure-texts.ts';
import { factorTexts } from '../../../../dashboard/src/features/factors/texts.ts';
import { invitationTexts } from '../../../../dashboard/src/features/invitation/texts.ts';
import { proofTexts } from '../../../../dashboard/src/features/proof/texts.ts';
import { signInTexts } from '../../../../dashboard/src/features/sign-in/texts.ts';
import { tokenTexts } from '../../../../dashboard/src/features/token/texts.ts';
import { pageTexts } from '../../../../dashboard/src/page/texts.ts';
import { secretTexts } from '../../../../dashboard/src/secrets/texts.ts';
import { pageNames, shellTexts } from '../../../../dashboard/src/shell/texts.ts';
import { createCodesApp } from '../../support/codes-app.ts';
import {
	brokenLines,
	complaintsBesidePoll,
	loseAnswers,
	refusalLine,
	startDashboard,
} from '../../support/dashboard-in-browser.ts';
import {
	acceptInvitation,
	button,
	dialog,
	enterCode,
	enterPassword,
	field,
	heading,
	prove,
	signOut,
	storeRecoveryCodes,
} from '../../support/dashboard-steps.ts';
import { createLooks, lookAtDialog } from '../../support/page-looks.ts';
import { addPasskeyDevice } from '../../support/passkey-device.ts';
import { rotate, showsTailOf, storeToken } from '../../support/token-steps.ts';

/** What the console says of a page whose code was cut off, and of one that read a token without a tail. */
const FAULTS = /\/assets\/shared-pages-|^PageNotLoaded:|^TypeError: .*\(reading 'tail'\)/;

test('pages and dialogs are readable for everybody: a phone and a desk, light and dark', {
	concurrency: true,
}, async (t) => {
	const dashboard = await startDashboard(t);
	const { token } = await dashboard.service.openReseller('acme', 5000);
	await dashboard.service.openReseller('zeta', 5000);
	const looks = createLooks();

	const comingIn = t.test('invitation, second factors, sign-in, and a proof with a code', async () => {
		const email = 'ann@zeta.example';
		const { page, open, trail } = await dashboard.visit();
		await addPasskeyDevice(page);
		await open('/invitation');
		await heading(page, invitationTexts.noLinkTitle).waitFor();
		await looks.at(page, 'invitation-no-link');
		await page.goto(await dashboard.invite(email, 'zeta'));
		await heading(page, invitationTexts.title('Bursar')).waitFor();
		await field(page, invitationTexts.email).waitFor();
		await looks.at(page, 'invitation');
		await acceptInvitation(page);
		await heading(page, factorTexts.title).waitFor();
		await looks.at(page, 'factors');
		await button(page, factorTexts.setUpCodes).click();
		const secret = page.getByRole('group', { name: factorTexts.bySecret });
		await secret.waitFor();
		await looks.at(page, 'codes');
		const app = createCodesApp(await secret.innerText());
		await field(page, factorTexts.firstCode).fill(app.next());
		await button(page, factorTexts.confirmCode).click();
		await heading(page, factorTexts.recoveryTitle).waitFor();
		await looks.at(page, 'recovery-codes');
		const [recoveryCode] = await storeRecoveryCodes(page);
		await heading(page, pageNames.overview).waitFor();
		await signOut(page);

		await looks.at(page, 'sign-in');
		await enterPassword(page, email, 'not the password');
		await page.getByText(failureTexts.wrong_credentials.happened).waitFor();
		await looks.at(page, 'sign-in-refused');
		await throttleSignIn(page);
		await enterPassword(page, email, 'not the password');
		await page.getByText(failureTexts.too_many_tries.happened).waitFor();
		await looks.at(page, 'sign-in-throttled');
		await page.unroute('**/api/sign-in');
		await enterPassword(page, email);
		await field(page, signInTexts.code).waitFor();
		await looks.at(page, 'sign-in-code');
		await enterCode(page, app.next());
		await heading(page, pageNames.overview).waitFor();
		await page.getByRole('link', { name: pageNames.token }).click();

		dashboard.ageProofs(email);
		await loseAnswers(page, '/token/rotate');
		await keepPreviousToken(page);
		await rotate(page, 0);
		await dialog(page, proofTexts.title).waitFor();
		await looks.at(page, 'proof-with-code');
		await prove(page, recoveryCode);
		await button(page, pageTexts.retry).click();
		await dialog(page, actTexts.lostTitle).getByText(tokenTexts.lostWayOut).waitFor();
		await looks.at(page, 'lost-answer-happened');
		await dialog(page, actTexts.lostTitle).getByRole('button', { name: actTexts.close, exact: true }).last().click();
		await page.getByText(tokenTexts.previousExpired).waitFor();
		await looks.at(page, 'token-countdown-over');
		await page.unrouteAll({ behavior: 'ignoreErrors' });
		assert.deepEqual(
			[...new Set(complaintsBesidePoll(trail))],
			[
				refusalLine(401, '/sign-in'),
				refusalLine(429, '/sign-in'),
				refusalLine(403, '/token/rotate'),
				...brokenLines('/token/rotate'),
				refusalLine(409, '/token/rotate'),
			],
		);
	});

	const tokenPage = t.test('the Reseller API page', async () => {
		const { page, open, trail } = await dashboard.signedIn('ben@acme.example', 'acme');
		await open('/token');
		await showsTailOf(page, token);
		await looks.at(page, 'token');
		await page.setViewportSize({ width: 390, height: 900 });
		await lookAtDialog(page, looks, tokenTexts.endAll, tokenTexts.endAll, 'end-all');
		await button(page, tokenTexts.rotate).click();
		await dialog(page, tokenTexts.rotate).waitFor();
		await looks.at(page, 'rotate');
		await page.keyboard.press('Escape');

		dashboard.ageProofs('ben@acme.example');
		await rotate(page, 240);
		await dialog(page, proofTexts.title).waitFor();
		await looks.at(page, 'proof');
		await prove(page);
		await dialog(page, tokenTexts.newTitle).waitFor();
		await looks.at(page, 'new-token');
		await page.keyboard.press('Escape');
		await page.getByText(tokenTexts.ask).waitFor();
		await looks.at(page, 'new-token-unstored');
		await button(page, secretTexts.goBack).click();
		await storeToken(page);
		await looks.at(page, 'token-countdown');

		await page.route('**/token/end-all', (route) => route.abort());
		await button(page, tokenTexts.endAll).click();
		await dialog(page, tokenTexts.endAll).getByRole('button', { name: tokenTexts.endAll, exact: true }).click();
		await button(page, pageTexts.retry).waitFor();
		await looks.at(page, 'lost-answer');
		await dialog(page, actTexts.lostTitle).getByRole('button', { name: actTexts.close, exact: true }).last().click();
		assert.deepEqual(
			[...new Set(complaintsBesidePoll(trail))],
			[refusalLine(403, '/token/rotate'), ...brokenLines('/token/end-all')],
		);
	});

	const failures = t.test('what fails, and what is elsewhere', async () => {
		const { page, open, trail, context } = await dashboard.signedIn('cleo@acme.example', 'acme');
		await page.route('**/assets/shared-pages-*.js', (route) => route.abort());
		await open('/token');
		await showsTailOf(page, token);
		await page.getByRole('link', { name: pageNames.account }).click();
		await page.getByText(shellTexts.notLoadedTitle).waitFor();
		await looks.at(page, 'page-not-loaded');

		const noToken = { status: 200, data: { reseller: 'acme', current: null }, timestamp: 0 };
		await page.route('**/api/token', (route) => route.fulfill({ json: noToken }));
		await open('/token');
		await page.getByText(shellTexts.faultTitle).waitFor();
		await looks.at(page, 'page-fault');

		await page.route('**/api/token', (route) => route.abort());
		await page.reload();
		await page.getByText(failureTexts.lost.happened).waitFor();
		await looks.at(page, 'token-unreadable');
		await context.setOffline(true);
		await page.getByText(shellTexts.offline).waitFor();
		await looks.at(page, 'offline');
		await context.setOffline(false);
		await page.goto(`${dashboard.url}/dashboard/nowhere`);
		await heading(page, shellTexts.notFoundTitle).waitFor();
		await looks.at(page, 'not-found');
		await page.setViewportSize({ width: 390, height: 900 });
		await button(page, shellTexts.openNavigation).click();
		await button(page, shellTexts.closeNavigation).waitFor();
		await looks.at(page, 'navigation');
		await page.goto(`${dashboard.service.url}/dashboard/`);
		await heading(page, shellTexts.elsewhereTitle).waitFor();
		await looks.at(page, 'elsewhere');
		const others = trail.complaints.filter((line) => !FAULTS.test(line));
		assert.deepEqual([...new Set(others)], brokenLines('/token'));
	});

	await Promise.all([comingIn, tokenPage, failures]);
	looks.assertRight();
});

/** Answers the next attempts to sign in as the service answers too many of them. */
async function throttleSignIn(page: Page): Promise<void> {
	await page.route('**/api/sign-in', async (route) => {
		const response = await route.fetch();
		const headers = { ...response.headers(), 'x-error-code': 'too_many_tries', 'retry-after': '42' };
		await route.fulfill({ status: 429, headers, json: { ...(await response.json()), status: 429 } });
	});
}

/** The page goes on to show the previous token, however slow the test is. */
async function keepPreviousToken(page: Page): Promise<void> {
	await page.route('**/api/token', async (route) => {
		const response = await route.fetch();
		const answer = await response.json();
		// A refused read has no data.
		if (answer.data?.previous) answer.data.previous.dead = new Date(Date.now() + 3_600_000).toISOString();
		await route.fulfill({ response, json: answer });
	});
}
