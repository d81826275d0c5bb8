import type { LedgerVerification } from '@bursar/contract/dashboard';
import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { numberText } from '../../format/number.ts';
import { Facts } from '../../page/facts.tsx';
import { Ago } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Section } from '../../page/section.tsx';
import { ledgerTexts } from './texts.ts';
import { durationText } from './verification.ts';

interface Props {
	readonly last: LedgerVerification | null;
	/** A button that begins the next one. */
	readonly action: ReactNode;
}

/** What the last verification has found. */
export function LastSection({ last, action }: Props) {
	if (last === null) return <Section title={ledgerTexts.last} lead={ledgerTexts.none} actions={action} />;
	const { started, ended, by, result } = last;
	return (
		<Section title={ledgerTexts.last} actions={action}>
			<Verdict result={result} />
			<Facts
				facts={[
					{ name: ledgerTexts.ended, value: <Ago at={ended} /> },
					{ name: ledgerTexts.took, value: durationText(started, ended) },
					{ name: ledgerTexts.by, value: by === 'operator' ? ledgerTexts.operator : <Name>{by}</Name> },
					...(result
						? [
								{ name: ledgerTexts.accounts, value: numberText(result.accounts) },
								{ name: ledgerTexts.transfers, value: numberText(result.transfers) },
							]
						: []),
				]}
			/>
		</Section>
	);
}

function Verdict({ result }: Pick<LedgerVerification, 'result'>) {
	if (!result) {
		return (
			<Alert color="yellow" title={ledgerTexts.unfinishedTitle}>
				{ledgerTexts.unfinished}
			</Alert>
		);
	}
	if (result.problems > 0) {
		return (
			<Alert color="red" title={ledgerTexts.problemsTitle(result.problems)}>
				{ledgerTexts.problemsBelow}
			</Alert>
		);
	}
	return (
		<Text size="lg" fw={600}>
			{ledgerTexts.fine}
		</Text>
	);
}
