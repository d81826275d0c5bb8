import type { MantineColorsTuple } from '@mantine/core';

/** A colour as red, green and blue from 0 to 1. */
type Rgb = readonly [red: number, green: number, blue: number];

const WHITE: Rgb = [1, 1, 1];
const BLACK: Rgb = [0, 0, 0];

/** How bright each shade is but the last three (WCAG's relative luminance). */
const LUMINANCES = [0.93, 0.87, 0.8, 0.6, 0.42, 0.28, 0.165];
/**
 * How bright buttons and links on light pages are. White stands out from them by 5.25 to 1 or more, and they from a light
 * page by nearly as much; the darkest still has room for a darker one below the mouse.
 */
const BUTTON = { least: 0.02, most: 0.15 };

/**
 * The ten shades of a colour like `#ffcc00`, from light to dark. Whatever the colour, texts can be read: white on shades 6 to
 * 9, shade 7 on light pages, and shade 4 on dark ones (4.5 to 1, WCAG 2.2, 1.4.3). The colour itself is the shade of
 * buttons if it is dark enough.
 */
export function shadesOf(color: string): MantineColorsTuple {
	const own = rgbOf(color);
	const button = asBright(own, Math.min(Math.max(luminanceOf(own), BUTTON.least), BUTTON.most));
	const darker = [0.7, 0.45].map((part) => asBright(button, part * luminanceOf(button)));
	const shades = [...LUMINANCES.map((luminance) => asBright(own, luminance)), button, ...darker];
	return shades.map(textOf) as unknown as MantineColorsTuple;
}

/** Mixes a colour with white or black until it is as bright as this. */
function asBright(color: Rgb, luminance: number): Rgb {
	const present = luminanceOf(color);
	if (present === luminance) return color;
	const end = present < luminance ? WHITE : BLACK;
	let [near, far] = [0, 1];
	for (let step = 0; step < 20; step++) {
		const middle = (near + far) / 2;
		const isPast = luminanceOf(mixed(color, end, middle)) > luminance === (end === WHITE);
		if (isPast) far = middle;
		else near = middle;
	}
	return mixed(color, end, far);
}

function mixed(color: Rgb, end: Rgb, part: number): Rgb {
	const of = (index: 0 | 1 | 2) => color[index] + (end[index] - color[index]) * part;
	return [of(0), of(1), of(2)];
}

function rgbOf(color: string): Rgb {
	const of = (at: number) => Number.parseInt(color.slice(at, at + 2), 16) / 255;
	return [of(1), of(3), of(5)];
}

function textOf(color: Rgb): string {
	return `#${color
		.map((part) =>
			Math.round(part * 255)
				.toString(16)
				.padStart(2, '0'),
		)
		.join('')}`;
}

function luminanceOf(color: Rgb): number {
	const [red, green, blue] = color.map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return 0.2126 * (red as number) + 0.7152 * (green as number) + 0.0722 * (blue as number);
}
