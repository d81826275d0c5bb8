import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const WIDTHS = [390, 1280];
const SCHEMES = ['light', 'dark'] as const;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** A folder for a picture of every page that is looked at. */
const PICTURES = process.env.BURSAR_TEST_SCREENSHOTS;

interface AxeFinding {
	readonly id: string;
	readonly impact: string;
	readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * Looks at a page as it stands, on a phone and on a desk, light and dark. Throws if it can be scrolled sideways, or if
 * axe finds something serious. Scripts reach the page from outside, because its policy forbids all but its own.
 */
export async function assertLooksRight(page: Page, name: string): Promise<void> {
	for (const width of WIDTHS) {
		await page.setViewportSize({ width, height: 900 });
		for (const colorScheme of SCHEMES) {
			const look = `${name} at ${width} pixels, ${colorScheme}`;
			await page.emulateMedia({ colorScheme });
			await page.waitForFunction(isSettled(colorScheme));
			if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true });
			assert.deepEqual(await page.evaluate(TOO_WIDE), [], look);
			assert.deepEqual(await seriousFindings(page), [], look);
		}
	}
}

/** Whether the colours have changed and nothing moves any more, except what turns for ever. */
function isSettled(colorScheme: string): string {
	return `document.documentElement.dataset.mantineColorScheme === '${colorScheme}' && document
		.getAnimations()
		.every(({ playState, effect }) => playState !== 'running' || effect.getTiming().iterations === Infinity)`;
}

/** What is wider than its place: the page itself, or a dialog. */
const TOO_WIDE = `[document.documentElement, ...document.querySelectorAll('[role=dialog], [role=dialog] *, main, main *')]
	.filter((element) => element.scrollWidth > element.clientWidth + 1)
	.filter((element) => element === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
	.filter((element) => !element.querySelector('table') || element === document.documentElement)
	.map((element) => element.outerHTML.slice(0, 200) + ' ' + element.scrollWidth + ' > ' + element.clientWidth)`;

async function seriousFindings(page: Page): Promise<readonly string[]> {
	if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
	const findings = await page.evaluate<readonly AxeFinding[]>(
		`axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)`,
	);
	return findings
		.filter(({ impact }) => impact === 'serious' || impact === 'critical')
		.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`));
}
