import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
const { url, demo } = JSON.parse(readFileSync('/tmp/bp/info.json', 'utf8'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: false });
const page = await context.newPage();
page.on('console', (m) => ['error', 'warning'].includes(m.type()) && console.log('CONSOLE', m.text().slice(0, 300)));
await context.request.post(url + '/dashboard/api/sign-in', { data: { email: demo.person.email, password: demo.person.password }, headers: { origin: url } });
await page.goto(url + '/dashboard/account'); await page.waitForTimeout(2500);
async function change(link: string, title: string) {
	const ms = await page.evaluate(([l, t]) => new Promise((done) => {
		const a = [...document.querySelectorAll('a')].find((x) => x.textContent === l)!;
		const start = performance.now();
		const look = () => document.querySelector('h1')?.textContent === t ? done(performance.now() - start) : requestAnimationFrame(look);
		a.click(); look();
	}), [link, title]);
	console.log(link, '->', Math.round(ms as number), 'ms'); await page.waitForTimeout(700);
}
for (let i = 0; i < 6; i++) { for (const l of ['Overview', 'Sub-users', 'Statement', 'Reseller API', 'Account']) await change(l, l); await change('Sub-users','Sub-users'); await change('alice', 'alice'); }
await browser.close(); process.exit(0);
for (const scheme of ['light', 'dark'] as const) for (const [path, acts] of [['/', ['Show the figures as a table']], ['/sub-users', []], ['/sub-users', ['Create a sub-user']], ['/sub-users/alice', []], ['/sub-users/alice', ['Give']], ['/sub-users/alice', ['Show the key']], ['/sub-users/alice', ['Reset the key']], ['/sub-users/nobody.here', []], ['/', ['Set a warning']]] as const) for (const w of [390, 1280]) {
	await page.setViewportSize({ width: w, height: 900 }); await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
	await page.goto(url + '/dashboard' + path); await page.waitForTimeout(700);
	for (const name of acts) { await page.getByRole('button', { name, exact: true }).click(); await page.waitForTimeout(400); }
	await page.evaluate(AXE);
	const v = await page.evaluate("axe.run([...document.querySelectorAll('[role=dialog]')].at(-1) ?? document).then(({violations}) => violations.map(v => [v.id, v.impact, v.nodes.slice(0,3).map(n => n.html.slice(0,200) + ' :: ' + n.failureSummary.slice(0, 200))]))") as unknown[];
	const wide = await page.evaluate('[document.documentElement, ...document.querySelectorAll("[role=dialog]")].some(e => e.scrollWidth > e.clientWidth)');
	console.log(scheme, w, path, acts.join(), wide ? 'TOO WIDE' : '', v.length ? JSON.stringify(v, null, 1) : 'ok');
}
await browser.close();
