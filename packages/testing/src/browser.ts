import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';

/** The engine of Chromium without the parts for a desktop. It takes less processor time. */
export const CHROMIUM = '/usr/bin/chromium-headless-shell';

/** This machine, under a name at which browsers take plain http for unsafe. Only the browser of a test knows it. */
export const PLAIN_HOST = 'bursar.test';

/** What a page did in the background. */
export interface PageTrail {
	/** The URL of every request. */
	readonly requests: readonly string[];
	/** Console errors and warnings, content policy violations, failed requests and uncaught errors. */
	readonly complaints: readonly string[];
}

/** A browser that ends with the test. The browser itself makes no requests. */
export async function openBrowser(test: TestContext): Promise<Browser> {
	assert.ok(existsSync(CHROMIUM), `these tests need a browser at ${CHROMIUM}: apt-get install chromium-headless-shell`);
	const browser = await chromium.launch({
		executablePath: CHROMIUM,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--in-process-gpu',
			'--disable-extensions',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			`--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
		],
	});
	test.after(() => browser.close());
	return browser;
}

/** An empty page in a browser that ends with the test. */
export async function openPage(test: TestContext): Promise<{ readonly page: Page; readonly trail: PageTrail }> {
	const browser = await openBrowser(test);
	const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
	return { page, trail: trailOf(page) };
}

/** Notes what the page does from now on. */
export function trailOf(page: Page): PageTrail {
	const requests: string[] = [];
	const complaints: string[] = [];
	page.on('request', (request) => requests.push(request.url()));
	page.on('requestfailed', (request) => {
		const reason = request.failure()?.errorText;
		// A page that is left gives up its requests.
		if (reason !== 'net::ERR_ABORTED') complaints.push(`${new URL(request.url()).pathname}: ${reason}`);
	});
	page.on('pageerror', (error) => complaints.push(String(error)));
	page.on('console', (message) => {
		if (!['error', 'warning'].includes(message.type())) return;
		const { url } = message.location();
		complaints.push(URL.canParse(url) ? `${message.text()} [${new URL(url).pathname}]` : message.text());
	});
	return { requests, complaints };
}
