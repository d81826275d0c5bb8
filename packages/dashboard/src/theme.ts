import { createTheme } from '@mantine/core';

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
