import type { ResellerDetails } from '@bursar/contract/dashboard';
import { Group, Text } from '@mantine/core';
import { moneyText } from '../../../format/money.ts';
import { Moment } from '../../../frame/moment.tsx';
import { Section } from '../../../frame/section.tsx';
import { resellerTexts } from '../../../texts/resellers.ts';
import { PaymentButton } from './payment-button.tsx';

/** The account of a reseller, and what an operator does with its money. */
export function AccountSection({ details }: { readonly details: ResellerDetails }) {
	return (
		<Section
			title={resellerTexts.balance}
			lead={
				<>
					{resellerTexts.created} <Moment at={details.created} />
				</>
			}
			actions={
				<Group gap="xs">
					<PaymentButton path="/operator/adjust" details={details} variant="default">
						{resellerTexts.payTexts['/operator/adjust']}
					</PaymentButton>
					<PaymentButton path="/operator/top-up" details={details}>
						{resellerTexts.payTexts['/operator/top-up']}
					</PaymentButton>
				</Group>
			}
		>
			<Text fz="2rem" fw={700} lh={1.2} style={{ overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' }}>
				{moneyText(details.balance)}
			</Text>
		</Section>
	);
}
