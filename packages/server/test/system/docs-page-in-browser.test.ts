import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Endpoint, endpoints } from '@bursar/contract';
import { startTestService } from '@bursar/testing/service';
import { openPage } from '../support/browser.ts';

const SHOWN_MS = 30_000;

/** A URL inside the page itself, such as its icon. */
const INLINE = /^(?:data|blob):/;

test('the page shows all eight operations, and sends requests only to its own service', async (t) => {
	const service = await startTestService(t);
	const { page, trail } = await openPage(t);
	await page.goto(`${service.url}/docs`);
	assert.equal(page.url(), `${service.url}/docs/`);
	for (const { method, path, summary } of Object.values<Endpoint>(endpoints)) {
		await page.getByRole('link', { name: summary }).first().click({ timeout: SHOWN_MS });
		await page.getByRole('heading', { name: summary }).first().waitFor({ timeout: SHOWN_MS });
		const shown = await page.locator('body').innerText();
		assert.ok(shown.includes(path) && shown.includes(method), path);
	}
	assert.equal(await page.title(), 'Bursar reseller API');
	const elsewhere = trail.requests.filter((url) => !INLINE.test(url) && new URL(url).origin !== service.url);
	assert.deepEqual(elsewhere, []);
	assert.deepEqual(trail.complaints, []);
	const loaded = trail.requests.filter((url) => !INLINE.test(url)).map((url) => new URL(url).pathname);
	assert.deepEqual(loaded, ['/docs', '/docs/', '/docs/reference.js', '/openapi.json']);
});

test('a call from the page goes to its own service, and the browser stores no token', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1000);
	const { page, trail } = await openPage(t);
	await page.goto(`${service.url}/docs/`);
	await page.getByPlaceholder('Token').first().fill(token, { timeout: SHOWN_MS });
	await page.getByRole('link', { name: endpoints.myInfo.summary }).first().click();
	await page.getByRole('button', { name: 'Test Request' }).first().click();
	const [answer] = await Promise.all([
		page.waitForResponse(`${service.url}${endpoints.myInfo.path}`),
		page.getByRole('button', { name: /^Send/ }).first().click(),
	]);
	assert.equal(answer.status(), 200);
	assert.deepEqual(trail.complaints, []);
	const kept = await page.evaluate(
		`(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases()]))()`,
	);
	assert.equal(kept, '[{},{},"",[]]');
});

test('the example of every change works when it is sent from the page', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 100_000);
	const { page } = await openPage(t);
	const { createSubUser, ...others } = endpoints;
	for (const { method, path, summary } of [createSubUser, ...Object.values(others)] as readonly Endpoint[]) {
		if (method !== 'POST') continue;
		await page.goto(`${service.url}/docs/`);
		await page.getByPlaceholder('Token').first().fill(token, { timeout: SHOWN_MS });
		await page.getByRole('link', { name: summary }).first().click();
		await page.locator('section', { hasText: path }).getByRole('button', { name: 'Test Request' }).last().click();
		const [answer] = await Promise.all([
			page.waitForResponse(`${service.url}${path}`),
			page.getByRole('button', { name: /^Send/ }).first().click(),
		]);
		assert.equal(answer.status(), 200, `${path}: ${await answer.text()}`);
	}
});
