import type { SubUserDetails } from '@bursar/contract/dashboard';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { moneyText } from '../../format/money.ts';
import { Placeholder } from '../../page/loading.tsx';
import { Moment } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { MoveDialog, useMove } from './move-dialog.tsx';
import classes from './sub-users.module.css';
import { subUserTexts } from './texts.ts';

/** The height of the balance with the line below it. */
const HEIGHT = 76;

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
	const [moved, setMoved] = useState('');
	const give = useMove('give', details.username, setMoved);
	const take = useMove('take', details.username, setMoved);
	return (
		<Section
			title={subUserTexts.balance}
			lead={
				<>
					{subUserTexts.createdOn} <Moment at={details.created} />. {subUserTexts.balanceLead}
				</>
			}
		>
			<Group justify="space-between" gap="sm">
				<div className={classes.balance}>{moneyText(details.balance)}</div>
				<Group gap="xs">
					<Button variant="default" onClick={take.act.open}>
						{subUserTexts.take}
					</Button>
					<Button onClick={give.act.open}>{subUserTexts.give}</Button>
				</Group>
			</Group>
			<p className={classes.status} role="status">
				{moved}
			</p>
			<MoveDialog move={give} details={details} />
			<MoveDialog move={take} details={details} />
		</Section>
	);
}
