// `npm run pictures`: takes the pictures of the documents from the demo, light and dark.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CHROMIUM } from '@bursar/testing/browser';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { factorTexts } from '../../../dashboard/src/features/factors/texts.ts';
import { invitationTexts } from '../../../dashboard/src/features/invitation/texts.ts';
import { pageNames } from '../../../dashboard/src/shell/texts.ts';
import {
	acceptInvitation,
	addPasskey,
	button,
	enterPassword,
	field,
	heading,
	storeRecoveryCodes,
} from '../support/dashboard-steps.ts';
import { addPasskeyDevice } from '../support/passkey-device.ts';

const BURSAR = join(import.meta.dirname, '../../bin/bursar.js');
const PICTURES = join(import.meta.dirname, '../../../../docs/pictures');
const SCHEMES = ['light', 'dark'] as const;
const WIDTH = 1280;
const HEIGHT = 840;
/** So that texts are sharp on screens that are not twice as fine too. */
const SCALE = 1.5;
const LIMIT_MS = 60_000;

type Scheme = (typeof SCHEMES)[number];

interface Picture {
	readonly name: string;
	readonly path: string;
	/** If it is not the usual one. */
	readonly height?: number;
	/** A sheet to print is white in both. */
	readonly schemes?: readonly Scheme[];
}

const OF_RESELLER: readonly Picture[] = [
	{ name: 'overview', path: '', height: 1130 },
	{ name: 'sub-users', path: '/sub-users' },
	{ name: 'statement', path: '/statement/print', schemes: ['light'] },
];
const OF_OPERATOR: readonly Picture[] = [{ name: 'home', path: '', height: 1080 }];

/** What `bursar dev --json` tells. */
interface Demo {
	readonly url: string;
	readonly email: string;
	readonly password: string;
}

const folder = mkdtempSync(join(tmpdir(), 'bursar-pictures-'));
const environment = { PATH: process.env.PATH, BURSAR_DATA_DIR: join(folder, 'data'), BURSAR_OPS_PORT: '0' };
const demo = spawn(process.execPath, [BURSAR, 'dev', '--json'], {
	env: { ...environment, BURSAR_PORT: '0' },
	stdio: ['ignore', 'pipe', 'ignore'],
});
try {
	const told = await firstLine(demo);
	const { port } = new URL(told.url);
	const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
	try {
		const dashboard = `http://localhost:${port}/dashboard`;
		await takeOfReseller(browser, dashboard, told);
		// An operator who looks after the service has made a backup and verified the ledger.
		runBursar(port, 'backup', join(folder, 'backup.db'));
		runBursar(port, 'ledger', 'verify');
		const { link } = JSON.parse(runBursar(port, 'operator', 'claim'));
		await takeOfOperator(browser, dashboard, link);
	} finally {
		await browser.close();
	}
} finally {
	demo.kill('SIGTERM');
	if (demo.exitCode === null) await once(demo, 'exit');
	rmSync(folder, { recursive: true });
}

async function firstLine({ stdout }: ChildProcess): Promise<Demo> {
	if (stdout === null) throw new Error('the demo has no output');
	for await (const line of createInterface(stdout)) return JSON.parse(line);
	throw new Error('the demo has ended');
}

function runBursar(port: string, ...args: readonly string[]): string {
	const options = { env: { ...environment, BURSAR_PORT: port }, encoding: 'utf8' } as const;
	return execFileSync(process.execPath, [BURSAR, ...args, '--json'], {
		...options,
		stdio: ['ignore', 'pipe', 'ignore'],
	});
}

async function takeOfReseller(browser: Browser, dashboard: string, { email, password }: Demo): Promise<void> {
	const context = await openContext(browser);
	const page = await context.newPage();
	await page.goto(dashboard);
	await enterPassword(page, email, password);
	await heading(page, pageNames.overview).waitFor();
	await takeAll(page, dashboard, OF_RESELLER);
}

async function takeOfOperator(browser: Browser, dashboard: string, link: string): Promise<void> {
	const page = await (await openContext(browser)).newPage();
	await addPasskeyDevice(page);
	await page.goto(link);
	await field(page, invitationTexts.email).fill('olga@bursar.example');
	await acceptInvitation(page);
	await heading(page, factorTexts.title).waitFor();
	await button(page, factorTexts.addPasskey).first().click();
	await addPasskey(page, 'Laptop');
	await storeRecoveryCodes(page);
	await heading(page, pageNames.home).waitFor();
	await takeAll(page, dashboard, OF_OPERATOR);
}

async function openContext(browser: Browser): Promise<BrowserContext> {
	const context = await browser.newContext({
		viewport: { width: WIDTH, height: HEIGHT },
		deviceScaleFactor: SCALE,
		locale: 'en-US',
		timezoneId: 'UTC',
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(LIMIT_MS);
	return context;
}

async function takeAll(page: Page, dashboard: string, pictures: readonly Picture[]): Promise<void> {
	for (const { name, path, height = HEIGHT, schemes = SCHEMES } of pictures) {
		await page.setViewportSize({ width: WIDTH, height });
		for (const colorScheme of schemes) {
			await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
			await page.goto(dashboard + path, { waitUntil: 'networkidle' });
			const file = `${name}${colorScheme === 'dark' ? '-dark' : ''}.png`;
			await page.screenshot({ path: join(PICTURES, file), animations: 'disabled' });
			process.stdout.write(`docs/pictures/${file}\n`);
		}
	}
}
