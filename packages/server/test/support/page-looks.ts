import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { button, dialog } from './dashboard-steps.ts';

const ON_A_PHONE = 390;
const ON_A_DESK = 1280;
type Look = readonly [width: number, colorScheme: 'light' | 'dark'];
const LOOKS: readonly Look[] = [
	[ON_A_PHONE, 'light'],
	[ON_A_PHONE, 'dark'],
	[ON_A_DESK, 'light'],
	[ON_A_DESK, 'dark'],
];
/** Both widths and both colours. The other two looks show nothing new to a program, only to people. */
const TESTED_LOOKS: readonly Look[] = [
	[ON_A_PHONE, 'dark'],
	[ON_A_DESK, 'light'],
];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Dialogs that are shown. The menu of the person is always there. */
const DIALOGS = '[role=dialog]:not([popover]:not(:popover-open))';
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
	 * Looks at a page as it stands, at both widths and in both colours: whether it can be scrolled sideways, and
	 * whether axe finds something serious. Its script comes from outside, because the page's policy forbids others.
	 */
	at(page: Page, name: string): Promise<void>;
	/** Throws if anything was found. */
	assertRight(): void;
}

export function createLooks(): Looks {
	/** For each problem, the places where it was seen: one for each look. */
	const findings = new Map<string, Record<string, string>>();

	function note(problem: string, html: string, look: string): void {
		findings.set(problem, { ...findings.get(problem), [look]: html });
	}

	async function look(page: Page, colorScheme: string, name: string): Promise<void> {
		if (PICTURES) await takePicture(page, join(PICTURES, `${name}.png`));
		for (const wide of await page.evaluate<string[]>(TOO_WIDE)) note('too wide', wide, name);
		for (const { id, nodes } of await seriousFindings(page, colorScheme)) {
			for (const { html, failureSummary } of nodes) note(`${id}: ${failureSummary}`, html, name);
		}
	}

	return {
		async at(page, name) {
			for (const [width, colorScheme] of PICTURES ? LOOKS : TESTED_LOOKS) {
				await page.setViewportSize({ width, height: 900 });
				await page.emulateMedia({ colorScheme });
				await page.evaluate(settled(colorScheme));
				await look(page, colorScheme, `${name}-${width}-${colorScheme}`);
			}
		},
		assertRight() {
			assert.deepEqual(Object.fromEntries(findings), {});
		},
	};
}

/** Shows a dialog, looks at it, and closes it. */
export async function lookAtDialog(
	page: Page,
	looks: Looks,
	opener: string,
	title: string,
	name: string,
): Promise<void> {
	await button(page, opener).click();
	await dialog(page, title).waitFor();
	await looks.at(page, name);
	await page.keyboard.press('Escape');
	await dialog(page, title).waitFor({ state: 'detached' });
}

/** A dialog is fixed to the window. Of a page without one, the window shows everything. */
async function takePicture(page: Page, path: string): Promise<void> {
	const size = page.viewportSize();
	const height = await page.evaluate<number>(`document.querySelector('${DIALOGS}') ? 0 : document.body.scrollHeight`);
	if (size && height > size.height) await page.setViewportSize({ ...size, height });
	await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
	await page.screenshot({ path });
	if (size) await page.setViewportSize(size);
}

/** Resolves when the colours have changed, no old rows are shown, and nothing moves, except what turns for ever. */
function settled(colorScheme: string): string {
	return `new Promise((resolve) => {
		function look() {
			const isMoving = document.getAnimations().some(({ playState, effect }) =>
				playState === 'running' && effect.getTiming().iterations !== Infinity);
			const areColorsOld = document.documentElement.dataset.mantineColorScheme !== '${colorScheme}';
			const areRowsOld = document.querySelector('[data-stale]') !== null;
			if (isMoving || areColorsOld || areRowsOld) requestAnimationFrame(look);
			else resolve();
		}
		look();
	})`;
}

/** What can be scrolled sideways: the page itself, or a dialog. A command may be long, and scrolls in its own box. */
const TOO_WIDE = `[document.documentElement, ...document.querySelectorAll('${DIALOGS}')]
	.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
	.map((element) => element.outerHTML.slice(0, 200))`;

/**
 * Of a page with dialogs, only the dialog in front counts: the rest was looked at without it. In dark colours, only
 * the rules about colours count: the others see nothing new.
 */
async function seriousFindings(page: Page, colorScheme: string): Promise<readonly AxeFinding[]> {
	if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
	const options = {
		resultTypes: ['violations'],
		preload: false,
		...(colorScheme === 'dark' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
	};
	const findings = await page.evaluate<readonly AxeFinding[]>(
		`axe.run([...document.querySelectorAll('${DIALOGS}')].at(-1) ?? document, ${JSON.stringify(options)})
			.then(({ violations }) => violations)`,
	);
	return findings.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}
