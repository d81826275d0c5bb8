import assert from 'node:assert/strict';
import type { TestService } from '@bursar/testing/service';
import { sqliteBooks } from '@bursar/testing/sqlite-books';

/** What sub-users cost and were given, as the service's own ledger has it. */
export interface Movements {
	/** How often the fee was paid. */
	readonly fees: number;
	/** USD cents by username: given, less what was taken. */
	readonly moved: Readonly<Record<string, number>>;
	/** How many transfers that were. */
	readonly transfers: number;
}

/** Reads the ledger past the service. Throws unless it is in order. */
export async function movementsOf(service: TestService): Promise<Movements> {
	const books = sqliteBooks(service.config.dataDir);
	assert.deepEqual(await books.ledgerProblems(), []);
	const fees = (await books.transfersBehind(0)).filter(({ kind }) => kind === 'create_fee').length;
	const transfers = await transfersOf(service);
	const moved: Record<string, number> = {};
	for (const { username, cents } of transfers) moved[username] = (moved[username] ?? 0) + cents;
	return { fees, moved, transfers: transfers.length };
}

/** Each transfer in its order; what was taken is below zero. */
export async function transfersOf(service: TestService): Promise<{ username: string; cents: number }[]> {
	const rows = await sqliteBooks(service.config.dataDir).transfersBehind(0);
	return rows.flatMap(({ kind, debit, credit, amountCents }) => {
		if (kind === 'give') return [{ username: credit, cents: amountCents }];
		return kind === 'take' ? [{ username: debit, cents: -amountCents }] : [];
	});
}
