import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { frameTexts } from '../texts/frame.ts';

const SCHEMES: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];

/** Chooses light or dark colours. The browser remembers it. */
export function ColorScheme() {
	const { colorScheme, setColorScheme } = useMantineColorScheme();
	return (
		<SegmentedControl
			size="xs"
			aria-label={frameTexts.colors}
			data={SCHEMES.map((value) => ({ value, label: frameTexts[value] }))}
			value={colorScheme}
			onChange={(value) => setColorScheme(value as MantineColorScheme)}
		/>
	);
}
