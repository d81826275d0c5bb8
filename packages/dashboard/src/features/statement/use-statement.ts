import type { MovementFilter } from '@bursar/contract/dashboard';
import { useSearchedPages } from '../../lists/use-searched-pages.ts';

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
	return useSearchedPages<typeof path>(path, query, { before, rowsOf: ({ movements }) => movements, enabled });
}
