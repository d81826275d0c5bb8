import {
	type Movement,
	type MovementFilter,
	type MovementKind,
	type MovementMaker,
	type MovementPage,
	type PaidUsage,
	ROWS_ON_A_PAGE,
} from '@bursar/contract/dashboard';
import { priceText } from '@bursar/contract/price';
import { usd } from '@bursar/contract/usd';
import { PLATFORM_SIDES } from '../../../domain/ledger.ts';
import type { LifeReads } from '../../../store/reads/life-reads.ts';
import type { MovementReads, StoredMovement } from '../../../store/reads/movement-reads.ts';
import { filesOf, OPERATORS } from '../../../store/reads/read-owners.ts';
import type { ResellerReads } from '../../../store/reads/reseller-reads.ts';
import type { Reply } from '../calls/call.ts';
import { time } from '../calls/times.ts';
import { type CsvFile, ROWS_ON_A_FILE_PAGE } from '../files/csv-files.ts';
import { dayOf, timeColumns } from '../files/csv-values.ts';
import { findSubUserName } from './accounts.ts';

/** Whose statement it is, and for whom. */
interface StatementOf {
	readonly reseller: string;
	readonly forOperator: boolean;
}

export interface StatementDependencies {
	readonly store: MovementReads & Pick<LifeReads, 'findDeletion'>;
	readonly accounts: Pick<ResellerReads, 'findAccount'>;
	readonly nowMs: () => number;
}

/** A page of the movements of a reseller's money, the newest first. */
export async function readStatement(
	of: StatementOf,
	{ before = Number.MAX_SAFE_INTEGER, ...filter }: MovementFilter & { readonly before?: number },
	dependencies: StatementDependencies,
): Promise<Reply<MovementPage>> {
	const { store } = dependencies;
	const wanted = await storedFilter(of, filter, dependencies);
	if (!wanted) return { refused: 'unknown_sub_user' };
	const query = { ...wanted, owner: ownerOf(of), before, limit: ROWS_ON_A_PAGE };
	const { rows, nextBefore, searchedToMs } = await store.listMovements(query);
	const usageOf = await readUsage(store, { reseller: of.reseller, rows, owner: query.owner });
	return {
		data: {
			movements: rows.map((row) => movementView(row, { ...of, usageOf })),
			next_before: nextBefore,
			searched_to: searchedTo({ found: rows.length, nextBefore, searchedToMs }),
		},
	};
}

/** How far back a page has looked that is not full, although there may be more; otherwise `null`. */
export function searchedTo(page: {
	readonly found: number;
	readonly nextBefore: number | null;
	readonly searchedToMs: number | null;
}): string | null {
	const { found, nextBefore, searchedToMs } = page;
	return found < ROWS_ON_A_PAGE && nextBefore !== null && searchedToMs !== null ? time(searchedToMs) : null;
}

/** The movements of a reseller's money as a file, the oldest first. */
export async function statementFile(
	of: StatementOf,
	{ zone, ...filter }: MovementFilter & { readonly zone: string },
	dependencies: StatementDependencies,
): Promise<Reply<CsvFile>> {
	const { store, nowMs } = dependencies;
	const wanted = await storedFilter(of, filter, dependencies);
	if (!wanted) return { refused: 'unknown_sub_user' };
	const times = timeColumns('time', zone);

	let after: number | null = 0;
	const readNext = async () => {
		if (after === null) return undefined;
		const { rows, nextAfter } = await store.listMovementsAfter({ ...wanted, after, limit: ROWS_ON_A_FILE_PAGE });
		after = nextAfter;
		const usageOf = await readUsage(store, { reseller: of.reseller, rows, owner: filesOf(of.reseller) });
		return rows.map((row) => {
			const movement = movementView(row, { ...of, usageOf });
			const { number, kind, username, amount, balance, by, reference, reason } = movement;
			const money = [usd(amount), usd(balance)];
			const made = [
				number,
				...times.values(row.atMs),
				kind,
				username ?? '',
				...money,
				makerText(by),
				reference,
				reason,
			];
			return [...made, isOfSubUser(row) ? row.debit : of.reseller, ...usageValues(movement)];
		});
	};

	return {
		data: {
			name: `statement-${of.reseller}-${dayOf(nowMs())}`,
			columns: [
				'number',
				...times.names,
				'kind',
				'sub-user',
				'amount (USD)',
				'balance (USD)',
				'by',
				'reference',
				'reason',
				'balance of',
				'bandwidth (bytes)',
				'price (USD per GB)',
				'uncollected (USD)',
			],
			readNext,
		},
	};
}

/** A reseller that floods the service must not keep its operators waiting. */
function ownerOf({ reseller, forOperator }: StatementOf): string {
	return forOperator ? OPERATORS : reseller;
}

/** The filter as the store knows it; `undefined` if it names a sub-user that never was. */
async function storedFilter(
	of: StatementOf,
	{ kind, username, from, to }: MovementFilter,
	dependencies: StatementDependencies,
) {
	const owner = ownerOf(of);
	const subUser =
		username === undefined ? undefined : await findSubUserName(dependencies, of.reseller, username, owner);
	if (username !== undefined && subUser === undefined) return undefined;
	return {
		reseller: of.reseller,
		kind,
		username: subUser,
		fromMs: from === undefined ? undefined : Date.parse(from),
		toMs: to === undefined ? undefined : Date.parse(to),
	};
}

/** Returns the function that knows what movements have paid for. */
async function readUsage(
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

/** The bytes, the prices and what was uncollected, for a file. Empty for other movements. */
function usageValues({ kind, usage }: Movement): readonly (string | number)[] {
	if (kind !== 'usage') return ['', '', ''];
	const sum = (of: keyof Pick<PaidUsage, 'bytes' | 'uncollected'>) => usage.reduce((all, each) => all + each[of], 0);
	return [sum('bytes'), usage.map(({ price }) => priceText(price)).join(' and '), usd(sum('uncollected'))];
}

/** Whether a sub-user paid for its bandwidth. The balance of its reseller stays as it is. */
function isOfSubUser({ kind, debit, reseller }: StoredMovement): boolean {
	return kind === 'usage' && debit !== reseller;
}

interface MovementParts extends StatementOf {
	usageOf(row: StoredMovement): readonly PaidUsage[];
}

function movementView(row: StoredMovement, { reseller, forOperator, usageOf }: MovementParts): Movement {
	const { number, atMs, kind, debit, credit, amountCents, reference, reason } = row;
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

function makerText(maker: MovementMaker): string {
	switch (maker.kind) {
		case 'service':
			return maker.kind;
		case 'api':
			return ['API', maker.token_tail && `token …${maker.token_tail}`, maker.address].filter(Boolean).join(', ');
		case 'person':
			return maker.email ?? 'operator';
		case 'operator':
			return maker.system_user === null ? 'operator' : `operator, ${maker.system_user}`;
	}
}
