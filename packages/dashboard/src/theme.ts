import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { frameTexts } from './texts/frame.ts';

export const theme = createTheme({
	primaryColor: 'indigo',
	primaryShade: 7,
	defaultRadius: 'md',
	cursorType: 'pointer',
	autoContrast: true,
	respectReducedMotion: true,
	fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
	fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
	components: {
		Modal: { defaultProps: { closeButtonProps: { 'aria-label': frameTexts.close } } },
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
		'--mantine-color-red-outline': colors.red[9],
		'--mantine-color-indigo-light-hover': colors.indigo[1],
		'--mantine-color-yellow-light-color': '#744210',
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
