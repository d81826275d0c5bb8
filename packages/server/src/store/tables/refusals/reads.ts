import type { RefusalHour } from '../../../domain/account-refusals.ts';
import type { ReadLanes } from '../../reading.ts';
import { statementOf } from '../../search.ts';

/** Reads of what proxies refused. Throws `StoreUnavailableError` if the store cannot be asked. */
export interface RefusalReads {
	/**
	 * What proxies refused of these accounts, by hour and reason, the last one first. It does not ask whose they are: the
	 * caller shows only those that it may show.
	 */
	listRefusals(query: RefusalQuery): Promise<readonly RefusalHour[]>;
}

interface RefusalQuery {
	/** The owner of the read. */
	readonly owner: string;
	/** Normalized, a few at most. */
	readonly usernames: readonly string[];
	/** From this UTC hour on, in hours since 1970-01-01. */
	readonly firstHour: number;
}

export function refusalReads({ quick }: ReadLanes): RefusalReads {
	return {
		async listRefusals({ owner, usernames, firstHour }) {
			if (usernames.length === 0) return [];
			const statement = statementOf(
				(bind) => `SELECT username, hour, reason, count, at_ms AS "atMs", edge, network FROM account_refusals
					WHERE username IN (${usernames.map(bind).join(', ')}) AND hour >= ${bind(firstHour)} ORDER BY at_ms DESC`,
			);
			return (await quick({ owner, statement })) as readonly RefusalHour[];
		},
	};
}
