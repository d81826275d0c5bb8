import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
	primaryColor: 'indigo',
	primaryShade: { light: 7, dark: 5 },
	defaultRadius: 'md',
	cursorType: 'pointer',
	autoContrast: true,
	respectReducedMotion: true,
	fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
	fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
});

/** Mantine's own colours for these are too pale to read against the ground (WCAG 2.2, 1.4.3). */
export const readableColors: CSSVariablesResolver = ({ colors }) => ({
	variables: {},
	light: {
		'--mantine-color-dimmed': colors.gray[7],
		'--mantine-color-placeholder': colors.gray[6],
		'--mantine-color-error': colors.red[8],
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
