import type { MovementFilter, MovementPage, StatementPeriods } from '@bursar/contract/dashboard';
import { useRead } from '../../calls/use-read.ts';
import { useSearchedPages } from '../../lists/use-searched-pages.ts';
import type { StatementRow } from './movements-table.tsx';

interface StatementQuery {
	/** Of this reseller, for an operator. Absent: of the reseller to which the person belongs. */
	readonly reseller?: string | undefined;
	readonly filter: MovementFilter;
	/** Only movements with a smaller number. Absent: from the newest on. */
	readonly before?: number | undefined;
	/** Whether it is read at all now. */
	readonly enabled?: boolean;
}

/** A page of a statement. */
export function useStatement({ reseller, filter, before, enabled = true }: StatementQuery) {
	const path = reseller === undefined ? '/statement' : '/operator/statement';
	const query = { ...filter, ...(reseller !== undefined && { reseller }) };
	return useSearchedPages<typeof path>(path, query, {
		...{ before, rowsOf: ({ movements }) => movements, enabled },
		// What is used meanwhile changes the balance that the page shows beside.
		...(before === undefined && { everyMs: AFTERWARDS_MS }),
	});
}

/** The rows of a step: what is not posted yet stands above the newest movement. */
export function rowsOfStatement({ today, movements }: MovementPage): readonly StatementRow[] {
	return [...(today ? [{ today }] : []), ...movements.map((movement) => ({ movement }))];
}

/** How soon the service is asked again while it adds up, in milliseconds: each call gets further. */
const WHILE_ADDING_MS = 100;
const AFTERWARDS_MS = 60_000;

interface PeriodsQuery {
	/** Of this reseller, for an operator. Absent: of the reseller to which the person belongs. */
	readonly reseller: string | undefined;
	readonly bounds: readonly string[];
	/** Only movements of this sub-user. */
	readonly username?: string | undefined;
	/** Whether it is read at all now. */
	readonly enabled?: boolean;
}

/** Balances and totals of periods. */
export function usePeriods({ reseller, bounds, username, enabled = true }: PeriodsQuery) {
	const query = { bounds: bounds.join(','), ...(username !== undefined && { username }) };
	const options = { everyMs, keepsPrevious: false, enabled };
	const own = useRead('/statement/periods', query, { ...options, enabled: enabled && reseller === undefined });
	const theirs = useRead(
		'/operator/statement/periods',
		{ ...query, reseller: reseller ?? '' },
		{ ...options, enabled: enabled && reseller !== undefined },
	);
	return reseller === undefined ? own : theirs;
}

function everyMs(answer: StatementPeriods | undefined): number {
	const isWhole = answer?.periods.every(({ summary }) => summary !== null) ?? true;
	return isWhole ? AFTERWARDS_MS : WHILE_ADDING_MS;
}
