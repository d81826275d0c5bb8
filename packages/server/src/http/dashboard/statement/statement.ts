import {
	LINES_AT_ONCE,
	type LinesQuery,
	type Movement,
	type MovementFilter,
	type MovementMaker,
	type MovementPage,
	ROWS_ON_A_PAGE,
	type StatementLines,
	type TodaySoFar,
} from '@bursar/contract/dashboard';
import { PROVIDER_TITLES } from '@bursar/contract/payments';
import { priceText } from '@bursar/contract/price';
import { usd } from '@bursar/contract/usd';
import { filesOf } from '../../../store/reading.ts';
import type { ResellerReads } from '../../../store/tables/accounts/reads.ts';
import type { TermsReads } from '../../../store/tables/accounts/terms-reads.ts';
import type { MovementReads, Unposted } from '../../../store/tables/ledger/movements.ts';
import type { LedgerSearchReads } from '../../../store/tables/ledger/search.ts';
import { findSubUserName } from '../business/accounts.ts';
import type { Reply } from '../calls/call.ts';
import { searchedTo } from '../calls/list-page.ts';
import { time } from '../calls/times.ts';
import { type CsvFile, ROWS_ON_A_FILE_PAGE } from '../files/csv-files.ts';
import { dayOf, timeColumns } from '../files/csv-values.ts';
import { fromSideOf, movementView, ownerOf, readUsage, type StatementOf } from './movement-view.ts';

export interface StatementDependencies {
	readonly store: MovementReads & Pick<TermsReads, 'findDeletion'> & Pick<LedgerSearchReads, 'searchReferences'>;
	readonly accounts: Pick<ResellerReads, 'findAccount'>;
	readonly nowMs: () => number;
}

/** A page of the movements of a reseller's money, the newest first. */
export async function readStatement(
	of: StatementOf,
	{ before, ...filter }: MovementFilter & { readonly before?: number },
	dependencies: StatementDependencies,
): Promise<Reply<MovementPage>> {
	const { store } = dependencies;
	const wanted = await storedFilter(of, filter, dependencies);
	if (!wanted) return { refused: 'unknown_sub_user' };
	const owner = ownerOf(of);
	const { reseller, username = reseller } = wanted;
	const unposted =
		before === undefined && showsToday(filter, dependencies.nowMs())
			? await store.findUnposted({ reseller, username, owner })
			: undefined;
	// What is posted meanwhile must not stand there a second time.
	const newest = unposted ? unposted.newest + 1 : Number.MAX_SAFE_INTEGER;
	const query = { ...wanted, owner, before: before ?? newest, limit: ROWS_ON_A_PAGE };
	const { rows, nextBefore, searchedToMs } = await store.listMovements(query);
	const usageOf = await readUsage(store, { reseller, rows, owner });
	return {
		data: {
			today: todayView(unposted),
			movements: rows.map((row) => fromSideOf(wanted.username, row, movementView(row, { ...of, usageOf }))),
			next_before: nextBefore,
			searched_to: searchedTo({ found: rows.length, nextBefore, searchedToMs }),
		},
	};
}

/** Whether bandwidth of now belongs to what the filter shows. */
function showsToday({ kind, username, reference, money, from, to }: MovementFilter, nowMs: number): boolean {
	if (kind !== undefined || reference !== undefined || money === 'no_bandwidth') return false;
	if (money === 'own' && username !== undefined) return false;
	return (from === undefined || Date.parse(from) <= nowMs) && (to === undefined || Date.parse(to) > nowMs);
}

function todayView(unposted: Unposted | undefined): TodaySoFar | null {
	if (!unposted || unposted.cents === 0 || unposted.sinceMs === null) return null;
	const { bytes, cents, balanceCents, sinceMs } = unposted;
	return { bytes, cost: cents, balance: balanceCents, since: time(sinceMs) };
}

/** The movements of the reseller's own balance between two numbers, the oldest first. */
export async function readLines(
	of: StatementOf,
	{ from, before }: LinesQuery,
	{ store }: Pick<StatementDependencies, 'store'>,
): Promise<Reply<StatementLines>> {
	const query = { reseller: of.reseller, after: from - 1, before, isOwn: true, limit: LINES_AT_ONCE };
	const { rows, nextAfter } = await store.listMovementsAfter(query);
	const usageOf = await readUsage(store, { reseller: of.reseller, rows, owner: ownerOf(of) });
	return {
		data: {
			movements: rows.map((row) => movementView(row, { ...of, usageOf })),
			next_from: nextAfter === null ? null : nextAfter + 1,
		},
	};
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
			const movement = fromSideOf(wanted.username, row, movementView(row, { ...of, usageOf }));
			const { number, kind, username, amount, balance, by, reference, reason, note, payment } = movement;
			const money = [usd(amount), balance === null ? '' : usd(balance)];
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
			return [...made, movement.of, ...usageValues(movement), note, row.changeId ?? '', payment ?? ''];
		});
	};

	return {
		data: {
			name: `statement-${of.reseller}-${dayOf(nowMs())}`,
			columns: [
				'id',
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
				'note',
				'change id',
				'payment',
			],
			readNext,
		},
	};
}

/** The filter as the store knows it; `undefined` if it names a sub-user that never was. */
async function storedFilter(
	of: StatementOf,
	{ kind, money, username, reference, from, to }: MovementFilter,
	dependencies: StatementDependencies,
) {
	const owner = ownerOf(of);
	const subUser =
		username === undefined ? undefined : await findSubUserName(dependencies, of.reseller, username, owner);
	if (username !== undefined && subUser === undefined) return undefined;
	return {
		reseller: of.reseller,
		kind,
		isOwn: money !== undefined,
		except: money === 'no_bandwidth' ? 'usage' : undefined,
		username: subUser,
		reference,
		fromMs: from === undefined ? undefined : Date.parse(from),
		toMs: to === undefined ? undefined : Date.parse(to),
	};
}

/** The bytes and the prices, for a file. Empty for other movements. */
function usageValues({ kind, usage }: Movement): readonly (string | number)[] {
	if (kind !== 'usage' && kind !== 'debt') return ['', ''];
	const bytes = usage.reduce((sum, each) => sum + each.bytes, 0);
	return [bytes, usage.map(({ price }) => priceText(price)).join(' and ')];
}

function makerText(maker: MovementMaker): string {
	switch (maker.kind) {
		case 'service':
			return maker.kind;
		case 'api':
			return ['API', maker.token_tail && `token …${maker.token_tail}`, maker.address].filter(Boolean).join(', ');
		case 'person':
			return maker.email ?? 'operator';
		case 'provider':
			return PROVIDER_TITLES[maker.provider];
		case 'operator':
			return ['operator', maker.system_user ?? maker.operator_token].filter(Boolean).join(', ');
	}
}
