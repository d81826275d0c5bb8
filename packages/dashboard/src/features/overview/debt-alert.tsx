import type { Overview } from '@bursar/contract/dashboard';
import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useTakesPayments } from '../../calls/presence.ts';
import { moneyText } from '../../format/money.ts';
import { Help } from '../../help/help.tsx';
import { debtTexts } from './texts.ts';

/** Says what the reseller owes, and what follows from it. */
export function DebtAlert({ overview }: { readonly overview: Overview }) {
	const { debt, debt_line: line, price } = overview;
	const takesPayments = useTakesPayments();
	const isRefused = price !== null && debt > line;
	return (
		<Alert
			role="status"
			color={isRefused ? 'red' : 'yellow'}
			title={
				<>
					{debtTexts.title(moneyText(debt))} <Help term="debt" />
				</>
			}
		>
			<Stack gap="xs">
				{isRefused && (
					<Text size="sm" fw={600}>
						{debtTexts.refused(moneyText(line))}
					</Text>
				)}
				<Text size="sm">{debtTexts.paidFirst}</Text>
				{!isRefused && price !== null && <Text size="sm">{debtTexts.notRefused(moneyText(line))}</Text>}
				<Anchor component={Link} href="/statement?kind=debt" size="sm">
					{debtTexts.causes}
				</Anchor>
				{takesPayments && (
					<Anchor component={Link} href="/statement?kind=refund_debt" size="sm">
						{debtTexts.refunds}
					</Anchor>
				)}
			</Stack>
		</Alert>
	);
}
