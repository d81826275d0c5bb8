import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const WIDTHS = [390, 768, 1024, 1280, 1366, 1440, 1536, 1680, 1920];
/** A folder for pictures of each page, and the widths of them. */
const PICTURES = process.env.BURSAR_TEST_SCREENSHOTS;
const PICTURED = [390, 768, 1440, 1680];

/** What does not fit into pages. All of it is reported together. */
export interface Fits {
	/** Looks at a page as it stands, at each width. `name` says which page and language it is. */
	at(page: Page, name: string): Promise<void>;
	/** Throws if anything was found. */
	assertRight(): void;
}

export function createFits(): Fits {
	/** For each element that does not fit, on which page at which widths. */
	const findings = new Map<string, string>();
	return {
		async at(page, name) {
			for (const width of WIDTHS) {
				await page.setViewportSize({ width, height: 900 });
				const found = await page.evaluate<readonly string[]>(FIND);
				for (const finding of found) {
					const key = `${name}: ${finding}`;
					findings.set(key, `${findings.has(key) ? `${findings.get(key)}, ` : ''}${width}`);
				}
				if (PICTURES && PICTURED.includes(width))
					await takePicture(page, join(PICTURES, `${name.replaceAll(/[^\w.-]+/g, '_')}-${width}.png`));
			}
		},
		assertRight() {
			assert.deepEqual(Object.fromEntries(findings), {});
		},
	};
}

/** Resolves when everything on the page was read. */
export async function allRead(page: Page): Promise<void> {
	await page.evaluate(ALL_READ);
}

const ALL_READ = `(async () => {
	const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
	await document.fonts.ready;
	for (let quiet = 0; quiet < 3; ) {
		await frame();
		const main = document.querySelector('main');
		const isBusy = !main || main.querySelector('.mantine-Skeleton-root, [aria-busy=true], [data-stale]');
		quiet = isBusy ? 0 : quiet + 1;
	}
})()`;

async function takePicture(page: Page, path: string): Promise<void> {
	const size = page.viewportSize();
	const height = await page.evaluate<number>('document.body.scrollHeight');
	if (size && height > size.height) await page.setViewportSize({ ...size, height });
	await page.screenshot({ path });
}

/**
 * Runs in the page. Finds what can be scrolled sideways, what stands out of its box, what is cut, and words and values
 * that are broken. A name may break only where a `<wbr>` lets it, and so between two nodes of text.
 */
const FIND = `(async () => {
	const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
	// The chart draws itself anew when its width has changed, and the navigation moves.
	const isMoving = ({ playState, effect }) => playState === 'running' && effect.getTiming().iterations !== Infinity;
	do await frame(); while (document.getAnimations().some(isMoving));
	await frame();
	/** The first text of each. */
	const found = new Map();
	/** What holds its content: nothing stands out of it. */
	const BOX = '.mantine-Paper-root, header, nav, td, th, [role=dialog]';
	/** Rounding of the browser, in pixels. */
	const ABOUT = 1;
	const SEPARATORS = /[-\\u2013\\u2014\\u00ad\\u200b\\/?]$/;

	const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false })
		&& !element.closest('[hidden]');
	/** For screen readers only. */
	const forReaders = new Map();
	const isForReaders = (element) => {
		if (element && !forReaders.has(element)) {
			const { position, clipPath, width } = getComputedStyle(element);
			const isItself = clipPath === 'inset(50%)' || (position === 'absolute' && width === '1px');
			forReaders.set(element, isItself || isForReaders(element.parentElement));
		}
		return forReaders.get(element) ?? false;
	};
	/** What may be scrolled by design: long commands, what is typed, and a sheet of paper. */
	const canScroll = (element) => element.closest('pre, [data-scrolls], textarea, select, input');
	const nameOf = (element) => {
		const names = [];
		for (let each = element; each && names.length < 3; each = each.parentElement) {
			const own = [...each.classList].filter((name) => !/^m_/.test(name)).map((name) => '.' + name).join('');
			const column = each.dataset.name ? '[' + each.dataset.name + ']' : '';
			names.unshift(each.tagName.toLowerCase() + own + column);
		}
		const heading = element.closest('section, form')?.querySelector('h2, h3')?.textContent;
		return (heading ? '"' + heading + '" ' : '') + names.join(' > ');
	};
	const said = (text) => JSON.stringify(text.trim().replace(/\\s+/g, ' ').slice(0, 60));
	const note = (problem, element, text) => {
		const key = problem + ': ' + nameOf(element);
		if (!found.has(key)) found.set(key, said(text));
	};

	const root = document.documentElement;
	if (root.scrollWidth > root.clientWidth) found.set('the page scrolls sideways', root.scrollWidth + ' px');
	const standsOut = (element, boxes) => {
		const box = element.parentElement.closest(BOX)?.getBoundingClientRect();
		const left = Math.max(0, box?.left ?? 0) - ABOUT;
		const right = Math.min(root.clientWidth, box?.right ?? Infinity) + ABOUT;
		return [...boxes].some((each) => each.width > 0 && (each.left < left || each.right > right));
	};

	for (const element of document.body.querySelectorAll('*')) {
		if (element.closest('svg svg, svg *') || !isShown(element) || isForReaders(element) || canScroll(element)) continue;
		if (element.matches('button, input, select, textarea, img, svg, pre') && standsOut(element, element.getClientRects()))
			note('out of its card', element, element.textContent);
		if (element.scrollWidth <= element.clientWidth + ABOUT || element.clientWidth === 0) continue;
		const { overflowX, textOverflow, display } = getComputedStyle(element);
		if (display === 'inline' || overflowX === 'visible') continue;
		if (overflowX === 'auto' || overflowX === 'scroll') note('scrolls', element, element.textContent);
		else if (textOverflow !== 'ellipsis') note('is cut', element, element.textContent);
	}

	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const range = document.createRange();
	while (walker.nextNode()) {
		const text = walker.currentNode;
		const element = text.parentElement;
		if (!text.data.trim() || element.closest('script, style, svg, noscript') || !isShown(element)) continue;
		range.selectNodeContents(text);
		const boxes = range.getClientRects();
		if (boxes.length === 0 || isForReaders(element)) continue;
		if (!canScroll(element) && standsOut(text, boxes)) note('out of its card', element, text.data);
		// A text to copy has no words.
		if (boxes.length === 1 || element.closest('pre')) continue;
		const tops = new Set([...boxes].map(({ top }) => Math.round(top)));
		if (tops.size === 1) continue;
		if (element.closest('time, [data-number]:not([data-card])')) note('a value breaks', element, text.data);
		for (const { 0: word, index } of text.data.matchAll(/[^ \\t\\n]+/g)) {
			let previous;
			for (let at = index; at < index + word.length; at++) {
				range.setStart(text, at);
				range.setEnd(text, at + 1);
				const { top, width } = range.getBoundingClientRect();
				if (width === 0) continue;
				const isNewLine = previous !== undefined && top > previous + 4;
				if (isNewLine && !SEPARATORS.test(text.data.slice(index, at))) {
					note('a word breaks', element, word);
					break;
				}
				previous = top;
			}
		}
	}
	return [...found].map(([problem, text]) => problem + ' ' + text);
})()`;
