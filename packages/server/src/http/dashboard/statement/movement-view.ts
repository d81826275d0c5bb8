import type { Movement, MovementKind, MovementMaker, PaidUsage } from '@bursar/contract/dashboard';
import { signedAmount } from '@bursar/contract/movement-sign';
import { PAYMENT_PROVIDERS } from '@bursar/contract/payments';
import { PLATFORM_SIDES } from '../../../domain/ledger.ts';
import { OPERATORS } from '../../../store/reading.ts';
import type { MovementReads, StoredMovement } from '../../../store/tables/ledger/movements.ts';
import { time } from '../calls/times.ts';

/** Whose statement it is, and for whom. */
export interface StatementOf {
	readonly reseller: string;
	readonly forOperator: boolean;
}

/** A reseller that floods the service must not keep its operators waiting. */
export function ownerOf({ reseller, forOperator }: StatementOf): string {
	return forOperator ? OPERATORS : reseller;
}

/** Returns the function that knows what movements have paid for. */
export async function readUsage(
	store: MovementReads,
	{
		reseller,
		rows,
		owner,
	}: { readonly reseller: string; readonly rows: readonly StoredMovement[]; readonly owner: string },
): Promise<(row: StoredMovement) => readonly PaidUsage[]> {
	const settled = rows.flatMap((row) => {
		const username = userOf(row);
		return username === undefined ? [] : { username, atMs: row.atMs };
	});
	if (settled.length === 0) return () => [];
	const charges = await store.listUsageCharges({ reseller, settled, owner });
	const byMovement = Map.groupBy(charges, ({ username, requestId }) => `${username} ${requestId}`);
	return (row) =>
		(byMovement.get(`${userOf(row)} ${row.requestId}`) ?? []).map(({ bytes, microUsdPerGb, sinceMs }) => {
			return { bytes, price: microUsdPerGb, since: time(sinceMs) };
		});
}

/** The account whose bandwidth a movement is for. */
function userOf({ kind, debit, aboutUsername }: StoredMovement): string | undefined {
	if (kind === 'usage') return debit;
	return kind === 'debt' ? (aboutUsername ?? undefined) : undefined;
}

/** Whether a sub-user paid for its bandwidth. The balance of its reseller stays as it is. */
function isOfSubUser({ kind, debit, reseller }: StoredMovement): boolean {
	return kind === 'usage' && debit !== reseller;
}

/** The sub-user that a movement is about, although neither side names it. The bandwidth may be the reseller's own. */
function subUserOf({ aboutUsername, reseller }: StoredMovement): string | null {
	return aboutUsername === reseller ? null : aboutUsername;
}

interface MovementParts extends StatementOf {
	usageOf(row: StoredMovement): readonly PaidUsage[];
}

/** A movement as pages show it. */
export function movementView(row: StoredMovement, { reseller, forOperator, usageOf }: MovementParts): Movement {
	const { number, atMs, kind, debit, credit, reference, reason, note } = row;
	const amount = signedAmount(row);
	const other = amount > 0 || isOfSubUser(row) ? debit : credit;
	return {
		number,
		at: time(atMs),
		kind: kind as MovementKind,
		username: PLATFORM_SIDES.includes(other) ? subUserOf(row) : other,
		of: isOfSubUser(row) ? debit : reseller,
		amount,
		balance: credit === reseller ? row.creditBalanceCents : row.debitBalanceCents,
		usage: usageOf(row),
		by: makerOf(row, forOperator),
		reference: reference ?? '',
		reason: reason ?? '',
		note: note ?? '',
		payment: row.payment,
	};
}

/** The same from the side of a sub-user, if the movement has changed its balance. */
export function fromSideOf(username: string | undefined, row: StoredMovement, movement: Movement): Movement {
	if (username === undefined || (row.credit !== username && row.debit !== username)) return movement;
	const isIncome = row.credit === username;
	return {
		...movement,
		of: username,
		amount: isIncome ? row.amountCents : -row.amountCents,
		balance: (isIncome ? row.creditBalanceCents : row.debitBalanceCents) as number,
	};
}

const UNNAMED = { system_user: null, operator_token: null };

function makerOf(movement: StoredMovement, forOperator: boolean): MovementMaker {
	const { kind, email, emailReseller, systemUser, operatorToken, tokenTail, address } = movement;
	// Also if the change of a person had to settle it first.
	if (kind === 'usage' || kind === 'debt' || kind === 'debt_payment') return { kind: 'service' };
	const provider = providerOf(movement);
	if (provider) return { kind: 'provider', provider };
	// Resellers do not learn the e-mail addresses, the users and the programs of operators.
	if (email !== null) return { kind: 'person', email: forOperator || emailReseller !== null ? email : null };
	const isByOperator = kind === 'top_up' || kind === 'adjustment' || kind === 'debt_forgiven';
	if (isByOperator)
		return {
			kind: 'operator',
			...(forOperator ? { system_user: systemUser, operator_token: operatorToken } : UNNAMED),
		};
	return { kind: 'api', token_tail: tokenTail, address };
}

/** The provider whose payment arrived or was taken back. Its reference begins with the provider. */
function providerOf({ payment, reference }: StoredMovement) {
	return PAYMENT_PROVIDERS.find((name) => payment !== null && reference?.startsWith(`${name}:`));
}
