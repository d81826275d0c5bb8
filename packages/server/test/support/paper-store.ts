import type { BatchChanges, LoadedBooks } from '../../src/domain/working-books.ts';

/** The books after a batch, sorted so that tests can compare them. */
export function applied(books: LoadedBooks, changes: BatchChanges): LoadedBooks {
	const accounts = new Map(books.accounts.map((account) => [`${account.reseller}/${account.username}`, account]));
	for (const { reseller, username, balanceCents } of [...changes.openedAccounts, ...changes.changedBalances]) {
		accounts.set(`${reseller}/${username}`, { reseller, username, balanceCents });
	}
	const unchanged = books.tokens.filter(({ reseller }) => !changes.tokens.has(reseller));
	return {
		accounts: sorted([...accounts.values()]),
		takenUsernames: [...books.takenUsernames, ...changes.openedAccounts.map(({ username }) => username)].sort(),
		tokens: sorted([...unchanged, ...[...changes.tokens.values()].flat()]),
		topUps: sorted([...books.topUps, ...changes.topUps]),
		sessions: books.sessions,
		recordedActs: [...books.recordedActs, ...changes.acts.map(({ id }) => id)].sort(),
	};
}

function sorted<Item>(items: readonly Item[]): Item[] {
	return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
