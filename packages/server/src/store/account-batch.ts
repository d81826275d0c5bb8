import type { BatchNeeds } from '../commands/batch.ts';
import type { TopUp } from '../domain/books.ts';
import { numbered } from '../domain/events/happening.ts';
import type { Telling } from '../domain/events/judging.ts';
import { noticeOf } from '../domain/mail/notice.ts';
import type { Price } from '../domain/metering.ts';
import type { ActingSession } from '../domain/people/person.ts';
import type { SignInAddress } from '../domain/sign-in.ts';
import type { BatchChanges, EventName, LoadedBooks } from '../domain/stored-books.ts';
import type { KeySeal } from './secrets/key-seal.ts';
import type { RowsRead, RowsWrite } from './statement.ts';
import { type AccountName, findingTaken, replacingAuthKey } from './tables/accounts/account.ts';
import { deletingAccounts, findingTerms, settingTerms, type TermsRow, termsFound } from './tables/accounts/terms.ts';
import { addingActs, findingActs } from './tables/changes/acts.ts';
import { addingEvents, forgettingEvents } from './tables/events/events.ts';
import { settingTold } from './tables/events/judged.ts';
import { addingNotes } from './tables/ledger/movements.ts';
import { addingTopUps, findingTopUps } from './tables/ledger/top-ups.ts';
import { addingNotices } from './tables/mail/outbox.ts';
import { endingJudgings, findingPrices, settingDebts, settingPrices, settlingCharges } from './tables/meters/meters.ts';
import {
	findingPayments,
	findingPaymentsOfObjects,
	findingWaitingPayments,
	type PaymentRow,
	paymentOfRow,
	writingPayments,
} from './tables/payments/payments.ts';
import { findingSessions } from './tables/people/person.ts';
import {
	allowingSignIn,
	findingSignInAccounts,
	findingSignInAddresses,
	findingSignInResellers,
	settingSignIns,
} from './tables/sign-in/sign-in.ts';
import { findingTokens, replacingTokens, type TokenRow, tokenOf } from './tables/tokens/tokens.ts';
import {
	changingWebhooks,
	findingEventIds,
	findingEvents,
	findingOldestEvents,
	findingWebhooks,
	type WebhookRow,
	webhookOfRow,
} from './tables/webhooks/webhooks.ts';

/**
 * What each engine does in its own way: accounts are locked and read with what they owe, and balances, transfers and
 * changes with ids are written for many clients at once.
 */
type OfEngine =
	| ('accounts' | 'exhausted' | 'dues' | 'debts' | 'suspendedResellers')
	| ('newestEvents' | 'newestMovements' | 'recordedChanges');
type OtherBooks = Omit<LoadedBooks, OfEngine>;

interface LoadOfOthers {
	readonly reads: readonly RowsRead[];
	/** `rows` are those of each read. */
	books(rows: readonly (readonly object[])[]): OtherBooks;
}

/** What a batch needs besides accounts. Most batches need nothing of it. */
export function loadOthers(needs: BatchNeeds): LoadOfOthers {
	const parts = {
		terms: ifAny(needs.changedTerms, findingTerms),
		prices: ifAny(needs.pricedResellers, findingPrices),
		takenUsernames: ifAny(needs.usernames, findingTaken),
		signInAddresses: [
			...ifAny(needs.signInAddresses, findingSignInAddresses),
			...ifAny(needs.signInAccounts, findingSignInAccounts),
		],
		signInResellers: ifAny(needs.signInResellers, findingSignInResellers),
		tokens: ifAny(needs.tokenHolders, findingTokens),
		webhooks: ifAny(needs.webhookHolders, findingWebhooks),
		oldestEvents: ifAny(needs.webhookHolders, findingOldestEvents),
		eventIds: [...ifAny(needs.webhookHolders, findingEventIds), ...ifAny(needs.events, findingEvents)],
		topUps: ifAny(needs.references, findingTopUps),
		payments: [
			...ifAny(needs.payments, findingPayments),
			...ifAny(needs.paymentObjects, findingPaymentsOfObjects),
			...ifAny(needs.payers, findingWaitingPayments),
		],
		recordedActs: ifAny(needs.acts, findingActs),
		sessions: ifAny(needs.sessions, findingSessions),
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
				signInAddresses: found<SignInAddress>('signInAddresses'),
				signInResellers: found<{ readonly reseller: string }>('signInResellers').map(({ reseller }) => reseller),
				tokens: found<TokenRow>('tokens').map(tokenOf),
				webhooks: found<WebhookRow>('webhooks').map(webhookOfRow),
				oldestEvents: found<LoadedBooks['oldestEvents'][number]>('oldestEvents'),
				eventIds: found<EventName>('eventIds'),
				topUps: found<TopUp>('topUps'),
				payments: found<PaymentRow>('payments').map(paymentOfRow),
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
		...changingWebhooks(changes.webhooks, seal),
		...ifAny(changes.topUps, addingTopUps),
		...ifAny(changes.payments, writingPayments),
		...ifAny(changes.acts, addingActs),
		...ifAny([...changes.tokens], replacingTokens),
		...ifAny(changes.movementNotes, addingNotes),
		...ifAny(changes.prices, settingPrices),
		...ifAny(changes.changedDebts, settingDebts),
		...ifAny(changes.charges, settlingCharges),
		...ifAny(changes.changedTerms, settingTerms),
		...ifAny(changes.changedSignIns, settingSignIns),
		...ifAny([...changes.signInPermissions], allowingSignIn),
		...ifAny(changes.deletions, deletingAccounts),
		...ifAny(changes.endedJudgings, endingJudgings),
		...ifAny(changes.forgottenEvents, forgettingEvents),
	];
}

/**
 * What resellers are told, and mail about it. It is written last: `tellings` are about accounts as the batch has left them.
 */
export function tellingWrites(
	{ happenings, notices: others, newestEvents }: BatchChanges,
	tellings: readonly Telling[],
): readonly RowsWrite[] {
	const all = [...happenings, ...tellings.flatMap(({ happening }) => happening ?? [])];
	const notices = [...others, ...all.flatMap((happening) => noticeOf(happening) ?? [])];
	return [...settingTold(tellings), ...addingEvents(numbered(all, newestEvents)), ...ifAny(notices, addingNotices)];
}

/** Most batches have nothing for most tables, and such a table is not asked. */
function ifAny<Item, Statement>(
	items: readonly Item[],
	statementsOf: (items: readonly Item[]) => readonly Statement[],
): readonly Statement[] {
	return items.length === 0 ? [] : statementsOf(items);
}
