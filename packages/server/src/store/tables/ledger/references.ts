import { OPERATORS, quickReads, type ReadLanes } from '../../reading.ts';

/** Finds gives and takes by their references. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface ReferenceReads {
	/** Whether a movement of the reseller has exactly this reference. */
	hasReference(reseller: string, reference: string): Promise<boolean>;
	/** The resellers that have such a movement, by name. For operators. */
	listResellersWithReference(reference: string, limit: number): Promise<readonly string[]>;
}

export function referenceReads(lanes: ReadLanes): ReferenceReads {
	const read = quickReads(lanes);
	return {
		async hasReference(reseller, reference) {
			const sql = 'SELECT 1 AS found FROM transfers WHERE reference = $1 AND reseller = $2 LIMIT 1';
			return (await read(reseller, sql, [reference, reseller])).length > 0;
		},
		async listResellersWithReference(reference, limit) {
			const rows = await read<{ readonly name: string }>(OPERATORS, RESELLERS, [reference, limit]);
			return rows.map(({ name }) => name);
		},
	};
}

/** Finds the next reseller by looking behind the previous one. So the movements in between are not read. */
const RESELLERS = `WITH RECURSIVE found (name, rank) AS (
		SELECT min(reseller), 1 FROM transfers WHERE reference = $1
		UNION ALL
		SELECT (SELECT min(reseller) FROM transfers WHERE reference = $1 AND reseller > found.name), rank + 1 FROM found
		WHERE name IS NOT NULL AND rank < $2)
	SELECT name FROM found WHERE name IS NOT NULL`;
