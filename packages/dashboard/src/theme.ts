import { Alert, type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** Mantine's red, with darker shades from the sixth on: white on them can be read, and they can be read on white. */
const red: MantineColorsTuple = [
	'#fff5f5',
	'#ffe3e3',
	'#ffc9c9',
	'#ffa8a8',
	'#ff8787',
	'#ff6b6b',
	'#c92a2a',
	'#c92a2a',
	'#b02525',
	'#9c1f1f',
];

/** The text of a note has the colour of other texts, and the ring around a focused link in it is not cut off. */
const READABLE = { overflow: 'visible', color: 'var(--mantine-color-text)' };

export const theme = createTheme({
	primaryColor: 'indigo',
	primaryShade: 7,
	colors: { red },
	defaultRadius: 'md',
	cursorType: 'pointer',
	autoContrast: true,
	respectReducedMotion: true,
	fontFamily:
		'Geist, "Geist Fallback", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
	fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
	components: {
		// A tint and a border: a note is seen, and is not louder than the page.
		Alert: Alert.extend({
			styles: { root: READABLE, message: READABLE },
			vars: (_theme, { color }) => ({
				root: {
					'--alert-bg': `color-mix(in srgb, var(--mantine-color-${color}-4) 12%, var(--mantine-color-body))`,
					'--alert-bd': `1px solid color-mix(in srgb, var(--mantine-color-${color}-4) 60%, var(--mantine-color-body))`,
				},
			}),
		}),
		NavLink: { defaultProps: { bdrs: 'md' } },
	},
});

/** Mantine's own colours for these are too pale to read against the ground (WCAG 2.2, 1.4.3). */
export const readableColors: CSSVariablesResolver = ({ colors }) => ({
	variables: {},
	light: {
		'--mantine-color-dimmed': colors.gray[7],
		'--mantine-color-placeholder': colors.gray[6],
		'--mantine-color-error': colors.red[8],
		'--mantine-color-indigo-light-hover': colors.indigo[1],
		'--bursar-ground': colors.gray[0],
	},
	dark: {
		'--mantine-color-text': colors.gray[2],
		'--mantine-color-dimmed': colors.dark[1],
		'--mantine-color-placeholder': colors.dark[2],
		'--mantine-color-error': colors.red[4],
		'--bursar-ground': colors.dark[8],
	},
});
