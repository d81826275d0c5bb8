import type { LedgerHealth } from '@bursar/contract/dashboard';
import { Group, Progress, Text } from '@mantine/core';
import '@mantine/core/styles/Progress.css';
import { Ago } from '../../../frame/ago.tsx';
import { Section } from '../../../frame/section.tsx';
import { ledgerTexts } from '../../../texts/ledger.ts';
import { percentDone } from '../progress.ts';

/** How far the verification is that runs. */
export function RunningSection({ running }: { readonly running: NonNullable<LedgerHealth['running']> }) {
	const percent = percentDone(running);
	return (
		<Section title={ledgerTexts.running} lead={ledgerTexts.leave}>
			<Progress value={percent} size="lg" aria-label={ledgerTexts.progressLabel} />
			<Group justify="space-between">
				<Text size="sm">{ledgerTexts.progress(percent)}</Text>
				<Text size="sm" c="dimmed">
					{ledgerTexts.started} <Ago at={running.started} />
				</Text>
			</Group>
		</Section>
	);
}
