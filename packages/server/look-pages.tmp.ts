import { readFileSync, mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
const { url, demo } = JSON.parse(readFileSync('/tmp/bp/info.json', 'utf8'));
const OUT = '/tmp/bp/shots'; mkdirSync(OUT, { recursive: true });
const only = process.argv[2];
const looks = (process.argv[3] ?? '1280-light,390-light,390-dark,1280-dark').split(',').map((l) => l.split('-'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
const page = await context.newPage();
page.on('console', (m) => ['error', 'warning'].includes(m.type()) && console.log('CONSOLE', m.text().slice(0, 300)));
page.on('pageerror', (e) => console.log('PAGEERROR', e));
const a = await context.request.post(url + '/dashboard/api/sign-in', { data: { email: demo.person.email, password: demo.person.password }, headers: { origin: url } });
console.log('sign-in', a.status());
async function shot(name: string, full = true) {
	for (const [w, scheme] of looks) {
		await page.setViewportSize({ width: Number(w), height: 900 });
		await page.emulateMedia({ colorScheme: scheme as 'light' });
		await page.waitForTimeout(150);
		const isDialog = await page.evaluate("!!document.querySelector('[role=dialog]')");
		const wide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
		if (wide) console.log('TOO WIDE', name, w);
		await page.screenshot({ path: `${OUT}/${name}-${w}-${scheme}.png`, fullPage: full && !isDialog });
	}
}
const steps: Record<string, () => Promise<void>> = {
	async overview() {
		await page.goto(url + '/dashboard/'); await page.waitForTimeout(1500); await shot('overview');
		await page.setViewportSize({ width: 1280, height: 900 });
		await page.getByRole('slider').focus(); await page.keyboard.press('ArrowLeft'); await page.keyboard.press('ArrowLeft');
		console.log(await page.getByRole('slider').getAttribute('aria-valuetext'));
		await page.getByRole('button', { name: 'Show the figures as a table' }).click();
		await page.getByRole('slider').focus(); await page.keyboard.press('ArrowLeft');
		await shot('overview-tooltip', false);
		await page.goto(url + '/dashboard/?days=90'); await page.waitForTimeout(1000); await shot('overview-90', false);
		await page.getByRole('button', { name: /warning/i }).click(); await page.waitForTimeout(300); await shot('bound');
	},
	async list() {
		await page.goto(url + '/dashboard/sub-users'); await page.waitForTimeout(1200); await shot('list');
		await page.getByLabel('Search by name').fill('zzz'); await page.waitForTimeout(800); await shot('list-none');
		await page.getByRole('button', { name: 'Create a sub-user' }).click(); await page.getByLabel('Name', { exact: true }).fill('Ann..'); await page.waitForTimeout(300); await shot('create-wrong');
		await page.getByLabel('Name', { exact: true }).fill('Ann.Smith' + Math.floor(Math.random() * 1e6)); await page.waitForTimeout(200); await shot('create-right');
		await page.getByRole('button', { name: 'Create for $0.10' }).dblclick(); await page.waitForTimeout(800); await shot('created');
	},
	async one() {
		await page.goto(url + '/dashboard/sub-users?order=-balance'); await page.waitForTimeout(1000);
		await page.setViewportSize({ width: 1280, height: 900 });
		await page.locator('tbody a').first().click(); await page.waitForTimeout(1200); await shot('one');
		await page.getByRole('button', { name: 'Give', exact: true }).click(); await page.getByLabel('Amount in US dollars').fill('12.3'); await page.waitForTimeout(300); await shot('give');
		await page.getByLabel('Amount in US dollars').fill('12345678'); await page.waitForTimeout(200); await shot('give-wrong');
		await page.getByLabel('Amount in US dollars').fill('1.25'); await page.getByRole('dialog').getByRole('button', { name: 'Give $1.25' }).dblclick(); await page.waitForTimeout(900); await shot('given', false);
		await page.getByRole('button', { name: 'Show the key' }).click(); await page.waitForTimeout(600); await shot('key');
		await page.getByRole('button', { name: 'Reset the key' }).click(); await page.waitForTimeout(300); await shot('reset');
		await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click(); await page.waitForTimeout(600); await shot('reset-done');
	},
};
for (const [name, step] of Object.entries(steps)) if (!only || only === 'all' || only.split(',').includes(name)) { try { await step(); } catch (e) { console.log('FAILED', name, e); } }
await browser.close();
