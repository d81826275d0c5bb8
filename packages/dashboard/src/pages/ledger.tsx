import { useLedger, useVerifyLedger } from '../features/ledger/api/use-ledger.ts';
import { LastSection } from '../features/ledger/components/last-section.tsx';
import { ProblemsSection } from '../features/ledger/components/problems-section.tsx';
import { RunningSection } from '../features/ledger/components/running-section.tsx';
import { Answered } from '../frame/answered.tsx';
import { ExplainedButton } from '../frame/explained-button.tsx';
import { Failure } from '../frame/failure.tsx';
import { Page } from '../frame/page.tsx';
import { frameTexts } from '../texts/frame.ts';
import { ledgerTexts } from '../texts/ledger.ts';

/** The health of the ledger, for operators. */
export function Ledger() {
	const query = useLedger();
	const verify = useVerifyLedger();
	return (
		<Page title={frameTexts.ledger} lead={ledgerTexts.lead}>
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
