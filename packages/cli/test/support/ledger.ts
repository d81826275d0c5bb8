import assert from 'node:assert/strict';
import type { TestService } from '@bursar/testing/service';
import { sqliteBooks } from '@bursar/testing/sqlite-books';

/** What sub-users cost and received, from the service's own ledger. */
export interface Movements {
	/** How often the fee was paid. */
	readonly fees: number;
	/** USD cents by username: given minus taken. */
	readonly moved: Readonly<Record<string, number>>;
	/** The number of gives and takes. */
	readonly transfers: number;
}

/** Reads the ledger from the store, not through the service. Throws if the ledger has a fault. */
export async function movementsOf(service: TestService): Promise<Movements> {
	const books = sqliteBooks(service.config.dataDir);
	assert.deepEqual(await books.ledgerProblems(), []);
	const fees = (await books.transfersBehind({})).filter(({ kind }) => kind === 'create_fee').length;
	const transfers = await transfersOf(service);
	const moved: Record<string, number> = {};
	for (const { username, cents } of transfers) moved[username] = (moved[username] ?? 0) + cents;
	return { fees, moved, transfers: transfers.length };
}

/** Each transfer in order; takes are negative. */
async function transfersOf(service: TestService): Promise<{ username: string; cents: number }[]> {
	const rows = await sqliteBooks(service.config.dataDir).transfersBehind({});
	return rows.flatMap(({ kind, debit, credit, amountCents }) => {
		if (kind === 'give') return [{ username: credit, cents: amountCents }];
		return kind === 'take' ? [{ username: debit, cents: -amountCents }] : [];
	});
}
