import type { LedgerVerification } from '@bursar/contract/dashboard';
import { Stack, Text } from '@mantine/core';
import { Item, ItemList } from '../../lists/item.tsx';
import { Section } from '../../page/section.tsx';
import { ledgerTexts } from './texts.ts';
import { groupedProblems } from './verification.ts';

/** The problems of the ledger: whose they are, what they mean, and what to do. */
export function ProblemsSection({ result }: { readonly result: NonNullable<LedgerVerification['result']> }) {
	const { problems, first_problems } = result;
	return (
		<Section title={ledgerTexts.problems} lead={ledgerTexts.problemsLead} isDangerous>
			{first_problems.length < problems && (
				<Text size="sm">{ledgerTexts.firstOf(first_problems.length, problems)}</Text>
			)}
			<ItemList>
				{groupedProblems(first_problems).map(({ problem, title, names, means, todo }) => (
					<Item
						key={problem}
						name={title}
						details={
							<Stack gap={4}>
								<Text size="sm" c="var(--mantine-color-text)" fw={600}>
									{names.join(', ')}
								</Text>
								<div>{means}</div>
								<div>{todo}</div>
							</Stack>
						}
					/>
				))}
			</ItemList>
		</Section>
	);
}
