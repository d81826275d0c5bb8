import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type Endpoint, endpoints } from '@bursar/contract';
import { openPage } from '@bursar/testing/browser';
import { startTestService } from '@bursar/testing/service';

const SHOWN_MS = 30_000;

/** A URL inside the page itself, such as its icon. */
const INLINE = /^(?:data|blob):/;

test('the page shows all eight operations, and sends requests only to its own service', async (t) => {
	const service = await startTestService(t);
	const { page, trail } = await openPage(t);
	await page.goto(`${service.url}/docs`);
	const reference = page.frameLocator('iframe');
	assert.equal(page.url(), `${service.url}/docs/`);
	for (const { method, path, summary } of Object.values<Endpoint>(endpoints)) {
		await reference.getByRole('link', { name: summary }).first().click({ timeout: SHOWN_MS });
		await reference.getByRole('heading', { name: summary }).first().waitFor({ timeout: SHOWN_MS });
		const shown = await reference.locator('body').innerText();
		assert.ok(shown.includes(path) && shown.includes(method), path);
	}
	assert.equal(await page.title(), 'Bursar reseller API');
	assert.match(new URL(page.url()).hash, /^#tag\//, 'the address does not name what is shown');
	const elsewhere = trail.requests.filter((url) => !INLINE.test(url) && new URL(url).origin !== service.url);
	assert.deepEqual(elsewhere, []);
	assert.deepEqual(trail.complaints, []);
	const loaded = trail.requests.filter((url) => !INLINE.test(url)).map((url) => new URL(url).pathname);
	assert.deepEqual(loaded, [
		'/docs',
		'/docs/',
		'/docs/sender.js',
		'/docs/reference',
		'/docs/sandbox.js',
		'/docs/reference.js',
		'/openapi.json',
	]);
});

test('a call from the page goes to its own service, and the browser stores no token', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1000);
	const { page, trail } = await openPage(t);
	await page.goto(`${service.url}/docs/`);
	const reference = page.frameLocator('iframe');
	await reference.getByPlaceholder('Token').first().fill(token, { timeout: SHOWN_MS });
	await reference.getByRole('link', { name: endpoints.myInfo.summary }).first().click();
	await reference.getByRole('button', { name: 'Test Request' }).first().click();
	const [answer] = await Promise.all([
		page.waitForResponse(`${service.url}${endpoints.myInfo.path}`),
		reference.getByRole('button', { name: /^Send/ }).first().click(),
	]);
	assert.equal(answer.status(), 200);
	assert.deepEqual(trail.complaints, []);
	const kept = await page.evaluate(
		`(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases()]))()`,
	);
	assert.equal(kept, '[{},{},"",[]]');
});

test('the reference reaches neither cookies nor the dashboard, even if it is opened without the page around it', async (t) => {
	const service = await startTestService(t, { BURSAR_DASHBOARD: '1' });
	const { page } = await openPage(t);
	await page.context().addCookies([{ name: 'bursar_session', value: 'planted', url: service.url }]);
	const tries = `(async () => {
		const tried = {
			cookie: () => document.cookie,
			fetch: async () => (await fetch('/dashboard/api/session')).status,
			request: () => new Promise((resolve, reject) => {
				const request = new XMLHttpRequest();
				request.open('GET', '/dashboard/api/session');
				request.onload = () => resolve(request.status);
				request.onerror = reject;
				request.send();
			}),
			database: () => indexedDB.open('x') && 'opened',
			around: () => parent.document.title,
			window: () => open('/dashboard/').document.title,
		};
		const seen = {};
		for (const [name, attempt] of Object.entries(tried)) {
			seen[name] = await Promise.resolve().then(attempt).catch(() => 'refused');
		}
		return [origin, seen];
	})()`;
	await page.goto(`${service.url}/docs/`);
	await page.frameLocator('iframe').getByPlaceholder('Token').first().waitFor({ timeout: SHOWN_MS });
	const refused = { cookie: 'refused', fetch: 'refused', request: 'refused', database: 'refused', window: 'refused' };
	const [, inFrame] = page.frames();
	assert.deepEqual(await inFrame?.evaluate(tries), ['null', { ...refused, around: 'refused' }]);
	await page.goto(`${service.url}/docs/reference`);
	const [alone, seen] = (await page.evaluate(tries)) as [string, Record<string, unknown>];
	assert.equal(alone, 'null');
	assert.equal(seen.cookie, 'refused');
});

test('the example of every change works when it is sent from the page', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 100_000);
	const { page } = await openPage(t);
	const { createSubUser, ...others } = endpoints;
	for (const { method, path, summary } of [createSubUser, ...Object.values(others)] as readonly Endpoint[]) {
		if (method !== 'POST') continue;
		await page.goto(`${service.url}/docs/`);
		const reference = page.frameLocator('iframe');
		await reference.getByPlaceholder('Token').first().fill(token, { timeout: SHOWN_MS });
		await reference.getByRole('link', { name: summary }).first().click();
		await reference.locator('section', { hasText: path }).getByRole('button', { name: 'Test Request' }).last().click();
		const [answer] = await Promise.all([
			page.waitForResponse(`${service.url}${path}`),
			reference.getByRole('button', { name: /^Send/ }).first().click(),
		]);
		assert.equal(answer.status(), 200, `${path}: ${await answer.text()}`);
	}
});

test('the page shows and sends requests to where it is, also below a path of a proxy', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1000);
	const proxy = createServer((request, response) => {
		const path = request.url?.replace(/^\/bursar\//, '/');
		const { method, headers } = request;
		const passed = httpRequest(service.url + path, { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 500, answer.headers);
			answer.pipe(response);
		});
		request.pipe(passed);
	}).listen(0, '127.0.0.1');
	t.after(() => proxy.close());
	await once(proxy, 'listening');
	const { path, summary } = endpoints.myInfo;
	for (const base of [service.url, `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/bursar`]) {
		const { page } = await openPage(t);
		await page.goto(`${base}/docs/`);
		const reference = page.frameLocator('iframe');
		await reference.getByPlaceholder('Token').first().fill(token, { timeout: SHOWN_MS });
		await reference.getByRole('link', { name: summary }).first().click();
		await reference.getByText(`curl ${base}${path}`).first().waitFor({ timeout: SHOWN_MS });
		await reference.getByRole('button', { name: 'Test Request' }).first().click();
		const [answer] = await Promise.all([
			page.waitForResponse(`${base}${path}`),
			reference.getByRole('button', { name: /^Send/ }).first().click(),
		]);
		assert.equal(answer.status(), 200);
	}
});
