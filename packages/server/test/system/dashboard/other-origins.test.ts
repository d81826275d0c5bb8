import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import { eventually } from '@bursar/testing/eventually';
import { listen } from '@bursar/testing/listen';
import { pageNames } from '../../../../dashboard/src/shell/texts.ts';
import { assertSilent, outcomeOf, PASSWORD, startDashboard } from '../../support/dashboard-in-browser.ts';
import { heading } from '../../support/dashboard-steps.ts';
import { tokenState } from '../../support/token-steps.ts';

const FRAMED_MS = 60_000;
const EMAIL = 'ann@acme.example';

test('pages of other origins cannot act for a person', async (t) => {
	const dashboard = await startDashboard(t);
	await dashboard.service.openReseller('acme', 5000);
	const victim = await dashboard.signedIn(EMAIL, 'acme');
	const before = await tokenState(victim);
	const port = await serveEmptyPages(t);
	const api = dashboard.url + DASHBOARD_API;
	const rotation = JSON.stringify({ act: crypto.randomUUID(), overlap_seconds: 0 });

	// Cookies are sent to another port of the same name, so that page is the strongest one.
	for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
		await t.test(`fetch from ${origin} is refused`, async () => {
			const page = await victim.context.newPage();
			await page.goto(origin);
			for (const [path, body] of [
				['/token/rotate', rotation],
				['/account/sessions/end-others', JSON.stringify({ act: crypto.randomUUID() })],
				['/sign-out', '{}'],
			] as const) {
				for (const [type, mode] of [
					['application/json', 'cors'],
					['text/plain', 'cors'],
					['text/plain', 'no-cors'],
				] as const) {
					const request = { method: 'POST', credentials: 'include', mode, headers: { 'content-type': type }, body };
					const seen = await page.evaluate(
						`fetch(${JSON.stringify(api + path)}, ${JSON.stringify(request)}).then(({ type }) => type, () => 'refused')`,
					);
					assert.equal(seen, mode === 'cors' ? 'refused' : 'opaque', `${path} ${type}`);
				}
			}
			const read = await page.evaluate(
				`fetch(${JSON.stringify(`${api}/token`)}, { credentials: 'include' }).then(() => 'read', () => 'refused')`,
			);
			assert.equal(read, 'refused');
			assert.deepEqual((await tokenState(victim)).current, before.current);
		});

		await t.test(`a form from ${origin} is refused`, async () => {
			const page = await victim.context.newPage();
			for (const [path, body] of [
				['/token/rotate', rotation],
				['/sign-out', '{}'],
				['/sign-in', JSON.stringify({ email: EMAIL, password: PASSWORD })],
			] as const) {
				await page.goto(origin);
				// The field's name and value together are JSON: {"x":"=","act":...}
				const name = body === '{}' ? '{"x":"' : `${body.slice(0, -1)},"x":"`;
				const [answer] = await Promise.all([
					page.waitForResponse(api + path),
					page.waitForURL(api + path),
					page.evaluate(`{
						const form = Object.assign(document.createElement('form'), {
							method: 'post', enctype: 'text/plain', action: ${JSON.stringify(api + path)},
						});
						form.append(Object.assign(document.createElement('input'), { name: ${JSON.stringify(name)}, value: '"}' }));
						document.body.append(form);
						form.submit();
					}`),
				]);
				assert.equal(outcomeOf(answer), '403 wrong_origin', path);
			}
			assert.deepEqual((await tokenState(victim)).current, before.current);
		});

		await t.test(`a frame in a page of ${origin} stays blank`, async () => {
			const page = await victim.context.newPage();
			await page.goto(origin);
			for (const path of ['/dashboard/token', '/dashboard/sign-in', '/dashboard/invitation']) {
				const refused = page.waitForEvent('console', (line) => line.text().includes('frame-ancestors'));
				await page.evaluate(`document.body.append(
					Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(dashboard.url + path)} }),
				)`);
				await refused;
			}
			const frames = page.frames().slice(1);
			assert.equal(frames.length, 3);
			for (const frame of frames) await eventually(async () => assert.match(frame.url(), /^chrome-error:/), FRAMED_MS);
		});
	}

	await t.test('the victim is still signed in, and its page works', async () => {
		await victim.open('/token');
		await heading(victim.page, pageNames.token).waitFor();
		assertSilent(victim.trail);
	});
});

/** A server with an empty page for every path, which ends with the test. */
async function serveEmptyPages(test: TestContext): Promise<number> {
	const server = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>another page</title>');
	});
	return (await listen(test, server)).port;
}
