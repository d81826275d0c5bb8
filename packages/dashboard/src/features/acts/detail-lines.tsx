import type { RecordedAct } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { detailLines } from './details-text.ts';

/** What an act changed, each in a line of its own. */
export function DetailLines({ act }: { readonly act: Pick<RecordedAct, 'kind' | 'details'> }) {
	return detailLines(act).map((line) => (
		<Text key={line} size="sm" c="dimmed">
			{line}
		</Text>
	));
}
