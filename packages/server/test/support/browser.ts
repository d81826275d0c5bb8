import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** What a page did in the background. */
export interface PageTrail {
	/** The URL of every request. */
	readonly requests: readonly string[];
	/** Console errors and warnings, content policy violations, failed requests and uncaught errors. */
	readonly complaints: readonly string[];
}

/** An empty page in a browser that ends with the test. The browser itself makes no requests. */
export async function openPage(test: TestContext): Promise<{ readonly page: Page; readonly trail: PageTrail }> {
	assert.ok(existsSync(CHROMIUM), `these tests need a browser at ${CHROMIUM}: apt-get install chromium`);
	const browser = await chromium.launch({
		executablePath: CHROMIUM,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
	test.after(() => browser.close());
	const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
	const requests: string[] = [];
	const complaints: string[] = [];
	page.on('request', (request) => requests.push(request.url()));
	page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
	page.on('pageerror', (error) => complaints.push(String(error)));
	page.on('console', (message) => {
		if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
	});
	return { page, trail: { requests, complaints } };
}
