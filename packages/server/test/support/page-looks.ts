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

/** What was found wrong with the looks of pages. All of it is reported together. */
export interface Looks {
	/**
	 * Looks at a page as it stands, on a phone and on a desk, light and dark: whether it can be scrolled sideways, and
	 * whether axe finds something serious. Its script comes from outside, because the page's policy forbids others.
	 */
	at(page: Page, name: string): Promise<void>;
	/** Throws if anything was found. */
	assertRight(): void;
}

export function createLooks(): Looks {
	const findings = new Map<string, string[]>();

	async function look(page: Page, name: string): Promise<void> {
		if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
		for (const finding of [...(await page.evaluate<string[]>(TOO_WIDE)), ...(await seriousFindings(page))]) {
			findings.set(finding, [...(findings.get(finding) ?? []), name]);
		}
	}

	return {
		async at(page, name) {
			for (const width of WIDTHS) {
				await page.setViewportSize({ width, height: 900 });
				for (const colorScheme of SCHEMES) {
					await page.emulateMedia({ colorScheme });
					await page.evaluate(settled(colorScheme));
					await look(page, `${name}-${width}-${colorScheme}`);
				}
			}
		},
		assertRight() {
			assert.deepEqual(Object.fromEntries(findings), {});
		},
	};
}

/** Resolves when the colours have changed and nothing moves any more, except what turns for ever. */
function settled(colorScheme: string): string {
	return `new Promise((resolve) => {
		function look() {
			const isMoving = document.getAnimations().some(({ playState, effect }) =>
				playState === 'running' && effect.getTiming().iterations !== Infinity);
			if (isMoving || document.documentElement.dataset.mantineColorScheme !== '${colorScheme}') requestAnimationFrame(look);
			else resolve();
		}
		look();
	})`;
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
