import type { SubUserDetails } from '@bursar/contract/dashboard';
import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ActButton } from '../../acts/act-button.tsx';
import { bytesText } from '../../format/bytes.ts';
import { moneyText, priceText } from '../../format/money.ts';
import { Done } from '../../page/done.tsx';
import { Figure } from '../../page/figure.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Moment } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { bytesLeft } from './balance.ts';
import { MoveDialog } from './move-dialog.tsx';
import classes from './sub-users.module.css';
import { subUserTexts } from './texts.ts';

/** The height of the balance with the line below it. */
const HEIGHT = 74;

/** Stands there until the balance is known. */
export function BalancePlaceholder() {
	return (
		<Section title={subUserTexts.balance} lead={subUserTexts.createdOn}>
			<Placeholder height={HEIGHT} />
		</Section>
	);
}

/** The balance of a sub-user, with the buttons that give and take. */
export function BalanceSection({ details }: { readonly details: SubUserDetails }) {
	const { balance, price } = details;
	const left = bytesLeft(balance, price);
	const [moved, setMoved] = useState('');
	const dialogProps = { details, onDone: setMoved };
	return (
		<Section
			title={subUserTexts.balance}
			lead={
				<>
					{subUserTexts.createdOn} <Moment at={details.created} />.{' '}
					{price === null ? subUserTexts.balanceLead : subUserTexts.balancePays(priceText(price))}
				</>
			}
		>
			<Group justify="space-between" gap="sm">
				<div className={classes.balance}>
					<Figure>{moneyText(details.balance)}</Figure>
					{left !== null && (
						<Text size="sm" c={left === 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
							{left === 0 ? subUserTexts.nothingLeft : subUserTexts.leftFor(bytesText(left))}
						</Text>
					)}
				</div>
				<Group gap="xs">
					<MoveDialog
						{...dialogProps}
						direction="take"
						button={(open) => (
							<IfMay path="/sub-users/take">
								<ActButton variant="default" onClick={open}>
									{subUserTexts.take}
								</ActButton>
							</IfMay>
						)}
					/>
					<MoveDialog
						{...dialogProps}
						direction="give"
						button={(open) => (
							<IfMay path="/sub-users/give">
								<ActButton onClick={open}>{subUserTexts.give}</ActButton>
							</IfMay>
						)}
					/>
				</Group>
			</Group>
			<Done>{moved}</Done>
		</Section>
	);
}
