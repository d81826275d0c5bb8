import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shadesOf } from '../src/mark/shades.ts';

const LIGHT_GROUND = '#f8f9fa';
const DARK_GROUNDS = ['#1f1f1f', '#242424', '#2e2e2e'];
const READABLE = 4.5;
/** Of what is no text, like the ring around what has the focus. */
const SEEN = 3;

/** The contrast of two colours by WCAG 2.2. */
function contrast(one: string, other: string): number {
	const [a, b] = [luminance(one), luminance(other)];
	return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(color: string): number {
	const [r, g, b] = [1, 3, 5]
		.map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
		.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number];
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function halfDark(color: string): string {
	const part = (at: number) => Math.round(Number.parseInt(color.slice(at, at + 2), 16) / 2);
	return `#${[1, 3, 5].map((at) => part(at).toString(16).padStart(2, '0')).join('')}`;
}

function assertReadable(color: string): void {
	const shades = shadesOf(color);
	assert.equal(shades.length, 10);
	for (const shade of shades) assert.match(shade, /^#[0-9a-f]{6}$/, color);
	const least = (wanted: number, what: string, one: string | undefined, other: string | undefined) => {
		const found = contrast(String(one), String(other));
		assert.ok(found >= wanted, `${color}: ${what}: ${one} on ${other} has ${found.toFixed(2)}`);
	};
	for (const at of [6, 7, 8, 9]) least(READABLE, `white on shade ${at}`, '#ffffff', shades[at]);
	for (const ground of ['#ffffff', LIGHT_GROUND]) least(READABLE, 'a link on light', shades[7], ground);
	for (const ground of DARK_GROUNDS) {
		least(READABLE, 'a link on dark', shades[4], ground);
		least(READABLE, 'an outline on dark', shades[3], ground);
	}
	for (const ground of DARK_GROUNDS.slice(0, 2)) least(SEEN, 'a button on dark', shades[6], ground);
	for (const at of [1, 2]) least(READABLE, `a tint, shade 9 on ${at}`, shades[9], shades[at]);
	least(READABLE, 'a tint on dark', shades[0], halfDark(String(shades[9])));
}

test('texts can be read in any colour, light and dark', () => {
	for (const color of [
		'#ffffe0',
		'#000000',
		'#ffffff',
		'#ff0000',
		'#ffff00',
		'#00ff00',
		'#0000ff',
		'#00ffff',
		'#808080',
	]) {
		assertReadable(color);
	}
	const bytes = Array.from({ length: 12 }, (_, index) =>
		Math.round(index * (255 / 11))
			.toString(16)
			.padStart(2, '0'),
	);
	for (const red of bytes)
		for (const green of bytes) for (const blue of bytes) assertReadable(`#${red}${green}${blue}`);
});

test('a colour that is dark enough is the one of buttons, as it is', () => {
	for (const color of ['#364fc7', '#0b7285', '#9c1f1f', '#5f3dc4']) assert.equal(shadesOf(color)[7], color);
});

test('shades go from light to dark', () => {
	for (const color of ['#ffffe0', '#000000', '#ff0000', '#0b7285']) {
		const bright = shadesOf(color).map(luminance);
		for (const [index, each] of bright.entries()) assert.ok(index === 0 || each < (bright[index - 1] as number), color);
	}
});
