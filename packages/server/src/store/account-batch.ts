import type { BatchNeeds } from '../commands/batch.ts';
import type { TopUp } from '../domain/books.ts';
import type { Price } from '../domain/metering.ts';
import type { ActingSession } from '../domain/people/person.ts';
import type { Token } from '../domain/token.ts';
import type { BatchChanges, LoadedBooks } from '../domain/working-books.ts';
import type { KeySeal } from './secrets/key-seal.ts';
import type { RowsRead, RowsWrite } from './statement.ts';
import { type AccountName, findingTaken, replacingAuthKey } from './tables/accounts/account.ts';
import { findingTerms, type TermsRow, termsFound, termsWrites } from './tables/accounts/terms.ts';
import { addingActs, findingActs } from './tables/changes/acts.ts';
import { noteWrites } from './tables/ledger/movements.ts';
import { addingTopUps, findingTopUps } from './tables/ledger/payments.ts';
import { noticeWrites } from './tables/mail/outbox.ts';
import { findingPrices, meteringWrites } from './tables/meters/meters.ts';
import { findingSessions } from './tables/people/person.ts';
import { findingTokens, replacingTokens } from './tables/tokens/tokens.ts';

/**
 * What each engine does in its own way: accounts are locked and read with what they owe, and balances, transfers and
 * changes with ids are written for many clients at once.
 */
type OfEngine = 'accounts' | 'dues' | 'debts' | 'suspendedResellers' | 'recordedChanges';
type OtherBooks = Omit<LoadedBooks, OfEngine>;

interface LoadOfOthers {
	readonly reads: readonly RowsRead[];
	/** `rows` are those of each read. */
	books(rows: readonly (readonly object[])[]): OtherBooks;
}

/** What a batch needs besides accounts. Most batches need nothing of it. */
export function loadOthers(needs: BatchNeeds): LoadOfOthers {
	const parts = {
		terms: findingTerms(needs.changedTerms),
		prices: findingPrices(needs.pricedResellers),
		takenUsernames: findingTaken(needs.usernames),
		tokens: findingTokens(needs.tokenHolders),
		topUps: findingTopUps(needs.references),
		recordedActs: findingActs(needs.acts),
		sessions: findingSessions(needs.sessions),
	} satisfies Record<keyof OtherBooks, readonly RowsRead[]>;
	const reads = Object.values<readonly RowsRead[]>(parts).flat();
	return {
		reads,
		books(rows) {
			const rowsOf = new Map(reads.map((read, index) => [read, rows[index] ?? []]));
			const found = <Row extends object>(part: keyof OtherBooks) =>
				(parts[part] as readonly RowsRead[]).flatMap((read) => rowsOf.get(read) ?? []) as object[] as Row[];
			return {
				terms: found<TermsRow & AccountName>('terms').map(termsFound),
				prices: found<Price>('prices'),
				takenUsernames: found<{ readonly username: string }>('takenUsernames').map(({ username }) => username),
				tokens: found<Token>('tokens'),
				topUps: found<TopUp>('topUps'),
				recordedActs: found<{ readonly id: string }>('recordedActs').map(({ id }) => id),
				sessions: found<ActingSession>('sessions'),
			};
		},
	};
}

/** What a batch writes after new accounts, balances and transfers. All processes write rows of a table in one order. */
export function otherWrites(changes: BatchChanges, seal: KeySeal): readonly RowsWrite[] {
	return [
		...changes.changedAuthKeys.map((change) => replacingAuthKey(change, seal)),
		...addingTopUps(changes.topUps),
		...addingActs(changes.acts),
		...replacingTokens(changes.tokens),
		...noteWrites(changes),
		...meteringWrites(changes),
		...termsWrites(changes),
		...noticeWrites(changes.notices),
	];
}
