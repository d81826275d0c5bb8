import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** What a page did that its reader does not see. */
export interface PageTrail {
	/** The address of every request that it made. */
	readonly requests: readonly string[];
	/** Errors and warnings in its console, a breach of its content policy among them, and errors that nobody caught. */
	readonly complaints: readonly string[];
}

/** An empty page in a browser that ends with the test. The browser itself calls nobody. */
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
