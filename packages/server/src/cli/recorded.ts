import { detailsText, readActDetails, targetText } from '@bursar/contract/dashboard';
import { signedAmount } from '@bursar/contract/movement-sign';
import { printTable, usd } from '@bursar/terminal';
import { PLATFORM_SIDES } from '../domain/ledger.ts';
import type { StoredAct } from '../store/tables/changes/acts.ts';
import type { StoredMovement } from '../store/tables/ledger/movements.ts';
import { iso } from './output.ts';

/**
 * A movement of money as results have it. Amounts are in USD cents, with the sign of `signedAmount`. The balance is the one of
 * the same account. A debt has none.
 */
export function movementFields(movement: StoredMovement) {
	const { number, reseller, kind, debit, credit, aboutUsername, reference, reason, note } = movement;
	const subUser = [debit, credit].find((side) => side !== reseller && !PLATFORM_SIDES.includes(side));
	return {
		id: number,
		at: iso(movement.atMs),
		reseller,
		kind,
		username: subUser ?? aboutUsername,
		amount_cents: signedAmount(movement),
		balance_cents: credit === reseller ? movement.creditBalanceCents : movement.debitBalanceCents,
		...doerFields(movement),
		request_id: movement.requestId,
		change_id: movement.changeId,
		reference,
		reason,
		note,
	};
}

/** An act as results have it. */
export function actFields(act: StoredAct) {
	const { atMs, kind, target, reseller } = act;
	const details = readActDetails(act.details, 'operator');
	return { at: iso(atMs), kind, target, details, reseller, ...doerFields(act) };
}

type Doer = Pick<StoredAct, 'email' | 'tokenTail' | 'operatorToken' | 'address' | 'systemUser'>;

export function doerFields({ email, tokenTail, operatorToken, address, systemUser }: Doer) {
	return { email, token_tail: tokenTail, operator_token: operatorToken, address, system_user: systemUser };
}

/** Who did it, in words. Unknown: a program before it was recorded, or the operator. */
export function doerText(fields: ReturnType<typeof doerFields>): string {
	const { email, token_tail, operator_token, address, system_user } = fields;
	const program = operator_token ?? (token_tail === null ? '-' : `...${token_tail}`);
	const doer = email ?? system_user ?? (program === '-' ? program : `token ${program}`);
	return address === null ? doer : `${doer} from ${address}`;
}

export function printMovements(movements: readonly ReturnType<typeof movementFields>[]): void {
	printTable(
		[
			{ title: 'TIME' },
			{ title: 'RESELLER' },
			{ title: 'MOVEMENT' },
			{ title: 'SUB-USER' },
			{ title: 'USD', isNumber: true },
			{ title: 'BALANCE', isNumber: true },
			{ title: 'BY' },
			{ title: 'REQUEST' },
		],
		movements.map((row) => [
			row.at,
			row.reseller,
			row.kind,
			row.username ?? '-',
			usd(row.amount_cents),
			row.balance_cents === null ? '-' : usd(row.balance_cents),
			doerText(row),
			row.request_id,
		]),
	);
}

export function printActs(acts: readonly ReturnType<typeof actFields>[]): void {
	printTable(
		['TIME', 'ACTION', 'WHAT', 'RESELLER', 'BY', 'DETAILS'].map((title) => ({ title })),
		acts.map((row) => [
			...[row.at, row.kind, targetText(row) || '-', row.reseller ?? '-', doerText(row)],
			detailsText(row.details) || '-',
		]),
	);
}
