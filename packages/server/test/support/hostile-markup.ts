import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

export const SCRIPT = '<script>window.isHacked=1</script>';
export const IMAGE = '<img src="data:," onerror="window.isHacked=1">';
/** An e-mail address has no spaces and no capital letters. */
export const SVG_EMAIL = '<svg/onload="window.ishacked=1">@acme.example';
/** A text that begins like a formula, which spreadsheets would run. */
export const FORMULA = '=HYPERLINK("https://evil.example","pay, now")';

/** Throws if a text that was planted became a part of the page. */
export async function assertHarmless(page: Page): Promise<void> {
	const found = await page.evaluate(`[
		window.isHacked, window.ishacked, ...document.querySelectorAll('script:not([src]), img, [onerror], [onload]'),
	].map(String).filter((each) => each !== 'undefined')`);
	assert.deepEqual(found, []);
}
