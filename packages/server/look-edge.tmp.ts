import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
const { url, demo } = JSON.parse(readFileSync('/tmp/bp/info.json', 'utf8'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
const page = await context.newPage();
page.on('console', (m) => ['error', 'warning'].includes(m.type()) && console.log('CONSOLE', m.text().slice(0, 300)));
page.on('pageerror', (e) => console.log('PAGEERROR', e));
await context.request.post(url + '/dashboard/api/sign-in', { data: { email: demo.person.email, password: demo.person.password }, headers: { origin: url } });
for (const [path, name] of [['/sub-users', 'Download CSV'], ['/sub-users/alice', 'Download as CSV'], ['/statement', 'Download CSV']]) {
	await page.goto(url + '/dashboard' + path); await page.waitForTimeout(1000);
	const d = page.waitForEvent('download'); await page.getByRole('button', { name }).click();
	const download = await d; const file = await download.path();
	console.log(path, download.suggestedFilename(), readFileSync(file, 'utf8').split('\n').slice(0, 2));
}
await page.waitForTimeout(300); await page.screenshot({ path: '/tmp/bp/shots/download.png' });
// refused
await page.route('**/sub-users.csv*', (r) => r.fulfill({ status: 429, contentType: 'application/json', body: '{}' }));
await page.goto(url + '/dashboard/sub-users'); await page.waitForTimeout(1000);
await page.getByRole('button', { name: 'Download CSV' }).click(); await page.waitForTimeout(1500); console.log('after refusal', page.url());
const days = (n: number, f: (i: number) => [number, number]) => ({ status: 200, message: '', timestamp: Math.floor(Date.now() / 1000), data: { days: Array.from({ length: n }, (_, i) => ({ date: new Date(Date.UTC(2026, 10, 22 - (n - 1 - i))).toISOString(), up: f(i)[0], down: f(i)[1] })) } });
const cases: [string, object][] = [['empty', days(30, () => [0, 0])], ['one', days(1, () => [500, 1500])], ['single', days(30, (i) => i === 12 ? [1, 2] : [0, 0])], ['huge', days(90, (i) => [i * 1e13, Number.MAX_SAFE_INTEGER - i * 1e13])], ['week', days(7, (i) => [i * 1e9, i * i * 1e9])]];
for (const [name, json] of cases) {
	await page.unroute('**/bandwidth?*'); await page.route('**/bandwidth?*', (r) => r.fulfill({ json }));
	for (const w of [390, 1280]) { await page.setViewportSize({ width: w, height: 900 }); await page.goto(url + '/dashboard/'); await page.waitForTimeout(700);
	if (name !== 'empty') { await page.getByRole('slider').hover({ position: { x: 20, y: 150 } }); console.log(name, await page.getByRole('slider').getAttribute('aria-valuetext')); }
	await page.locator('section', { hasText: 'Bandwidth' }).first().screenshot({ path: `/tmp/bp/shots/case-${name}-${w}.png` }); }
}
// skeletons
await page.unroute('**/bandwidth?*'); await page.route('**/dashboard/api/**', async (r) => { if (!r.request().url().includes('/session')) await new Promise((x) => setTimeout(x, 3000)); await r.continue(); });
await page.goto(url + '/dashboard/'); await page.waitForTimeout(900); await page.screenshot({ path: '/tmp/bp/shots/skeleton.png', fullPage: true });
const before = await page.evaluate("[...document.querySelectorAll('h2')].map(h => [h.textContent, Math.round(h.getBoundingClientRect().top)].join(' ')).join(', ')"); await page.waitForTimeout(4000);
console.log(before); console.log(await page.evaluate("[...document.querySelectorAll('h2')].map(h => [h.textContent, Math.round(h.getBoundingClientRect().top)].join(' ')).join(', ')"));
await page.goto(url + '/dashboard/sub-users/alice'); await page.waitForTimeout(900);
const b2 = await page.evaluate("[...document.querySelectorAll('h2')].map(h => [h.textContent, Math.round(h.getBoundingClientRect().top)].join(' ')).join(', ')"); await page.waitForTimeout(4000);
console.log(b2); console.log(await page.evaluate("[...document.querySelectorAll('h2')].map(h => [h.textContent, Math.round(h.getBoundingClientRect().top)].join(' ')).join(', ')"));
await browser.close();
