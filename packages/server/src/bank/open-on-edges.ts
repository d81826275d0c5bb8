import { normalizeUsername } from '@bursar/contract';
import type { OpenConnections } from '@bursar/contract/edge';
import type { Bank } from './bank.ts';

/**
 * Notes how many connections of accounts an edge has open; of a name that comes twice, the last number. What could not be
 * noted is lost: the edge says it again within seconds. Resolves when it is durable; never rejects.
 */
export async function noteOpen(
	bank: Pick<Bank, 'note'>,
	edge: string,
	told: readonly OpenConnections[],
): Promise<void> {
	const openOf = new Map<string, number>();
	for (const { username, open } of told) {
		const name = normalizeUsername(username);
		if (name !== undefined) openOf.set(name, open);
	}
	const notes = Array.from(openOf, ([username, open]) => bank.note({ kind: 'open_on_edge', edge, username, open }));
	await Promise.all(notes);
}
