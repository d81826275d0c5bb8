import type { LedgerHealth } from '@bursar/contract/dashboard';
import { Group, Progress, Text } from '@mantine/core';
import { newActId } from '../../acts/act.ts';
import { useChange } from '../../calls/use-change.ts';
import { useRead, useTakeOver } from '../../calls/use-read.ts';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { Answered } from '../../page/answered.tsx';
import { Failure } from '../../page/failure.tsx';
import { Ago } from '../../page/moment.tsx';
import { Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { LastSection } from './last-section.tsx';
import { ProblemsSection } from './problems-section.tsx';
import { ledgerTexts } from './texts.ts';
import { percentDone } from './verification.ts';

/** The health of the ledger, for operators. */
export function LedgerPage() {
	const query = useRead(
		'/operator/ledger',
		{},
		{ staleMs: 0, everyMs: (health) => (health?.running ? 1_000 : 10_000) },
	);
	const verify = useVerifyLedger();
	return (
		<Page title={pageNames.ledger} help="ledger" lead={ledgerTexts.lead}>
			<Answered query={query}>
				{({ running, last }) => (
					<>
						<Failure error={verify.failure} />
						{running && <RunningSection running={running} />}
						<LastSection
							last={last}
							action={
								<ExplainedButton
									reason={running ? ledgerTexts.runs : undefined}
									loading={verify.isBusy}
									onClick={() => void verify.run()}
								>
									{ledgerTexts.verify}
								</ExplainedButton>
							}
						/>
						{last?.result && last.result.problems > 0 && <ProblemsSection result={last.result} />}
					</>
				)}
			</Answered>
		</Page>
	);
}

/** How far the verification is that runs. */
function RunningSection({ running }: { readonly running: NonNullable<LedgerHealth['running']> }) {
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

/** Begins a verification. If one runs already, that one is shown. */
function useVerifyLedger() {
	const takeOver = useTakeOver();
	const change = useChange('/operator/ledger/verify');
	return {
		isBusy: change.isBusy,
		failure: change.failure,
		async run() {
			const answer = await change.run({ act: newActId() });
			await takeOver({ path: '/operator/ledger', query: {}, answer });
		},
	};
}
