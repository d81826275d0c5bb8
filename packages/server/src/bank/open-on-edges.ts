import type { OpenConnections } from '@bursar/contract/edge';
import { normalizeUsername } from '@bursar/contract/username';
import type { EdgeProcess } from '../domain/open-connections.ts';
import type { Bank } from './bank.ts';

/**
 * Records how many connections of accounts a process of an edge has open; of a name that comes twice, the last number. What
 * could not be recorded is lost: the edge says it again within seconds. `process` is `''` if the edge does not name its
 * processes. Resolves when it is durable; never rejects.
 */
export async function keepOpen(
	bank: Pick<Bank, 'keep'>,
	{ edge, process }: EdgeProcess,
	entries: readonly OpenConnections[],
): Promise<void> {
	const openOf = new Map<string, number>();
	for (const { username, open } of entries) {
		const name = normalizeUsername(username);
		if (name !== undefined) openOf.set(name, open);
	}
	const records = Array.from(openOf, ([username, open]) =>
		bank.keep(
			process === ''
				? { kind: 'open_on_edge', edge, username, open }
				: { kind: 'open_in_process', edge, process, username, open },
		),
	);
	await Promise.all(records);
}
