import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DASHBOARD_API, type DashboardChanges, type DashboardReads } from '@bursar/contract/dashboard';
import type { Page, Route } from 'playwright-core';
import { proofTexts } from '../../../../dashboard/src/features/proof/texts.ts';
import { signInTexts } from '../../../../dashboard/src/features/sign-in/texts.ts';
import { assertSilent, refusalLine, startDashboard, type Visitor } from '../../support/dashboard-in-browser.ts';
import { dialog, prove } from '../../support/dashboard-steps.ts';
import { rotate, showsTailOf, storeToken } from '../../support/token-steps.ts';

test('a page that reads on is not signed out by its own proof', { concurrency: true }, async (t) => {
	const dashboard = await startDashboard(t);

	/** A visitor whose page asks for a proof, and a read of the token that has left and has no answer yet. */
	async function askedForProof(reseller: string) {
		const { token } = await dashboard.service.openReseller(reseller, 5000);
		const email = `ann@${reseller}.example`;
		const visitor = await dashboard.signedIn(email, reseller);
		dashboard.ageProofs(email);
		await visitor.open('/token');
		await showsTailOf(visitor.page, token);
		await visitor.page.evaluate(`new MutationObserver(() => {
			if (document.body.textContent.includes(${JSON.stringify(signInTexts.gone)})) window.wasSignedOut = true;
		}).observe(document.body, { subtree: true, childList: true })`);
		const cookie = await cookieOf(visitor);
		const poll = await nextCall(visitor.page, '/token');
		await rotate(visitor.page, 0);
		await dialog(visitor.page, proofTexts.title).waitFor();
		return { ...visitor, cookie, poll };
	}

	const after = t.test('the refusal arrives after the answer of the proof', async () => {
		const { page, trail, cookie, poll } = await askedForProof('acme');
		const rotation = nextCall(page, '/token/rotate');
		await prove(page);
		const held = await rotation;
		const again = page.waitForResponse((answer) => answer.url().endsWith('/api/token') && answer.ok());
		await answerFor(cookie, poll);
		await again;
		await held.abort();
		assert.equal(await page.evaluate('window.wasSignedOut'), undefined);
		await dialog(page, signInTexts.goneTitle).waitFor({ state: 'detached' });
		assert.ok(trail.complaints.includes(refusalLine(401, '/token')), 'the read was refused');
		await page.close();
	});

	const before = t.test('the refusal arrives before the answer of the proof', async () => {
		const { context, page, trail, cookie, poll } = await askedForProof('zeta');
		const proof = nextCall(page, '/proof');
		await prove(page);
		const held = await proof;
		const answer = await fetch(held.request().url(), {
			method: 'POST',
			headers: { ...(await held.request().allHeaders()), cookie },
			body: held.request().postData(),
		});
		assert.equal(answer.status, 200);
		const refused = page.waitForResponse((answer) => answer.url().endsWith('/api/token') && answer.status() === 401);
		await answerFor(cookie, poll);
		await refused;
		await page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))');
		const [name = '', value = ''] = (answer.headers.get('set-cookie') ?? '').split(';', 1).join().split('=');
		await context.addCookies([{ name, value, url: dashboard.url, httpOnly: true }]);
		await held.fulfill({ status: 200, contentType: 'application/json', body: await answer.text() });
		await storeToken(page);
		assert.equal(await page.evaluate('window.wasSignedOut'), undefined);
		assertSilent(trail, [refusalLine(401, '/token')]);
	});
	await Promise.all([after, before]);
});

/** The next call of the page to this path. It waits for its answer until the test gives one. */
function nextCall(page: Page, path: keyof DashboardChanges | keyof DashboardReads): Promise<Route> {
	return new Promise((resolve, reject) => {
		let isTaken = false;
		const take = (route: Route) => {
			if (isTaken) return route.continue();
			isTaken = true;
			resolve(route);
			return undefined;
		};
		page.route(`**${DASHBOARD_API}${path}`, take).catch(reject);
	});
}

/** Answers a read as the service answers it now to this cookie. */
async function answerFor(cookie: string, route: Route): Promise<void> {
	const answer = await fetch(route.request().url(), { headers: { cookie } });
	assert.equal(answer.status, 401);
	await route.fulfill({
		status: answer.status,
		contentType: 'application/json',
		headers: { 'x-error-code': answer.headers.get('x-error-code') ?? '' },
		body: await answer.text(),
	});
}

async function cookieOf({ context }: Visitor): Promise<string> {
	const cookies = await context.cookies();
	return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}
