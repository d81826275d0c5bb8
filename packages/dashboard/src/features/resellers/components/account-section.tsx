import type { ResellerDetails } from '@bursar/contract/dashboard';
import { Group } from '@mantine/core';
import { moneyText } from '../../../format/money.ts';
import { Facts } from '../../../frame/facts.tsx';
import { Moment } from '../../../frame/moment.tsx';
import { Section } from '../../../frame/section.tsx';
import { resellerTexts } from '../../../texts/resellers.ts';
import { PaymentButton } from './payment-button.tsx';

/** The account of a reseller, and what an operator does with its money. */
export function AccountSection({ details }: { readonly details: ResellerDetails }) {
	return (
		<Section
			title={resellerTexts.account}
			actions={
				<Group gap="xs">
					<PaymentButton path="/operator/top-up" details={details}>
						{resellerTexts.topUp}
					</PaymentButton>
					<PaymentButton path="/operator/adjust" details={details} variant="default">
						{resellerTexts.adjust}
					</PaymentButton>
				</Group>
			}
		>
			<Facts
				facts={[
					{ name: resellerTexts.balance, value: moneyText(details.balance) },
					{ name: resellerTexts.created, value: <Moment at={details.created} /> },
				]}
			/>
		</Section>
	);
}
