import type { Movement, MovementKind, MovementMaker, PaidUsage } from '@bursar/contract/dashboard';
import { PLATFORM_SIDES } from '../../../domain/ledger.ts';
import type { MovementReads, StoredMovement } from '../../../store/reads/movement-reads.ts';
import { OPERATORS } from '../../../store/reads/read-owners.ts';
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
	const movements = rows.filter(({ kind }) => kind === 'usage');
	if (movements.length === 0) return () => [];
	const charges = await store.listUsageCharges({ reseller, movements, owner });
	const byMovement = Map.groupBy(charges, ({ username, requestId }) => `${username} ${requestId}`);
	return ({ kind, debit, requestId }) =>
		kind !== 'usage'
			? []
			: (byMovement.get(`${debit} ${requestId}`) ?? []).map(({ bytes, microUsdPerGb, sinceMs, uncollectedCents }) => ({
					...{ bytes, price: microUsdPerGb, since: time(sinceMs), uncollected: uncollectedCents },
				}));
}

/** Whether a sub-user paid for its bandwidth. The balance of its reseller stays as it is. */
export function isOfSubUser({ kind, debit, reseller }: StoredMovement): boolean {
	return kind === 'usage' && debit !== reseller;
}

interface MovementParts extends StatementOf {
	usageOf(row: StoredMovement): readonly PaidUsage[];
}

/** A movement as pages show it. */
export function movementView(row: StoredMovement, { reseller, forOperator, usageOf }: MovementParts): Movement {
	const { number, atMs, kind, debit, credit, amountCents, reference, reason, note } = row;
	const isIncome = credit === reseller;
	const other = isIncome || isOfSubUser(row) ? debit : credit;
	return {
		number,
		at: time(atMs),
		kind: kind as MovementKind,
		username: PLATFORM_SIDES.includes(other) ? row.wantedUsername : other,
		amount: isIncome ? amountCents : -amountCents,
		balance: (isIncome ? row.creditBalanceCents : row.debitBalanceCents) as number,
		usage: usageOf(row),
		by: makerOf(row, forOperator),
		reference: reference ?? '',
		reason: reason ?? '',
		note: note ?? '',
	};
}

function makerOf(movement: StoredMovement, forOperator: boolean): MovementMaker {
	const { kind, email, emailReseller, systemUser, tokenTail, address } = movement;
	// Also if somebody's change had to settle it first.
	if (kind === 'usage') return { kind: 'service' };
	// Resellers do not learn the e-mail addresses and the users of operators.
	if (email !== null) return { kind: 'person', email: forOperator || emailReseller !== null ? email : null };
	const isByOperator = kind === 'top_up' || kind === 'adjustment';
	if (isByOperator) return { kind: 'operator', system_user: forOperator ? systemUser : null };
	return { kind: 'api', token_tail: tokenTail, address };
}
