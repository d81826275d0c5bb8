import { OPERATORS, quickReads, type ReadLanes } from '../../reading.ts';
import { LAST_CHARACTER } from '../../search.ts';

/** Finds gives and takes by their references. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface ReferenceReads {
	/** Whether a movement of the reseller has exactly this reference. */
	hasReference(reseller: string, reference: string): Promise<boolean>;
	/** References that begin with a text, each with a reseller that has such a movement, in this order. For operators. */
	listReferences(prefix: string, limit: number): Promise<readonly ReferenceOfReseller[]>;
}

interface ReferenceOfReseller {
	readonly reference: string;
	readonly reseller: string;
}

export function referenceReads(lanes: ReadLanes): ReferenceReads {
	const read = quickReads(lanes);
	return {
		async hasReference(reseller, reference) {
			const sql = 'SELECT 1 AS found FROM transfers WHERE reference = $1 AND reseller = $2 LIMIT 1';
			return (await read(reseller, sql, [reference, reseller])).length > 0;
		},
		listReferences: (prefix, limit) => read(OPERATORS, REFERENCES, [prefix, prefix + LAST_CHARACTER, limit]),
	};
}

const IS_FIRST = 'transfers.reference >= $1';
const IS_BEHIND = '(transfers.reference, transfers.reseller) > (found.reference, found.reseller)';

/** Finds the next pair by looking behind the previous one. So the movements in between are not read. */
const REFERENCES = `WITH RECURSIVE found (reference, reseller, rank) AS (
		SELECT ${first('reference', IS_FIRST)}, ${first('reseller', IS_FIRST)}, 1
		UNION ALL
		SELECT ${first('reference', IS_BEHIND)}, ${first('reseller', IS_BEHIND)}, rank + 1 FROM found
		WHERE reference IS NOT NULL AND rank < $3)
	SELECT reference, reseller FROM found WHERE reference IS NOT NULL ORDER BY rank`;

function first(column: string, isNext: string): string {
	return `(SELECT transfers.${column} FROM transfers WHERE ${isNext} AND transfers.reference < $2
		ORDER BY transfers.reference, transfers.reseller LIMIT 1)`;
}
