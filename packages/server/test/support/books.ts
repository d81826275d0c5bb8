import { WAITING_STATES } from '@bursar/contract/payments';
import type { Books, TopUp } from '../../src/domain/books.ts';
import type { Due, Price } from '../../src/domain/metering.ts';
import type { Payment } from '../../src/domain/payments/payment.ts';
import type { ActingSession } from '../../src/domain/people/person.ts';
import type { ChangeName } from '../../src/domain/recorded-change.ts';
import type { SignInAddress } from '../../src/domain/sign-in.ts';
import type { EventName, LoadedBooks } from '../../src/domain/stored-books.ts';
import { NO_TERMS, type TermsChange } from '../../src/domain/terms.ts';
import type { Token } from '../../src/domain/token.ts';
import type { Webhook } from '../../src/domain/webhooks/webhook.ts';
import { WorkingSignIns } from '../../src/domain/working-sign-ins.ts';

export interface BooksOnPaper {
	/** USD cents by `reseller/username`; a reseller's own account is `acme/acme`. */
	readonly balances?: Readonly<Record<string, number>>;
	readonly dues?: readonly Due[];
	/** USD cents that resellers owe, by reseller. */
	readonly debts?: Readonly<Record<string, number>>;
	readonly prices?: readonly Price[];
	/** Taken usernames without an account above. */
	readonly taken?: readonly string[];
	readonly tokens?: readonly Token[];
	readonly topUps?: readonly TopUp[];
	readonly payments?: readonly Payment[];
	/** Ids of acts. */
	readonly recordedActs?: readonly string[];
	readonly recordedChanges?: readonly ChangeName[];
	readonly sessions?: readonly ActingSession[];
	readonly terms?: readonly TermsChange[];
	readonly suspendedResellers?: readonly string[];
	readonly signInAddresses?: readonly SignInAddress[];
	/** Those that may sign in by address. */
	readonly signInResellers?: readonly string[];
	readonly webhooks?: readonly Webhook[];
	/** The id of the newest movement, by reseller. */
	readonly newestMovements?: Readonly<Record<string, number>>;
	/** The events that are kept, in order. */
	readonly events?: readonly EventName[];
}

/** The books as a store loads them for a batch. */
export function loadedBooks(onPaper: BooksOnPaper): LoadedBooks {
	const { balances = {}, debts: owed = {}, dues = [], prices = [], taken = [], tokens = [], topUps = [] } = onPaper;
	const { recordedActs = [], recordedChanges = [], sessions = [], terms = [], suspendedResellers = [] } = onPaper;
	const { signInAddresses = [], signInResellers = [] } = onPaper;
	const { webhooks = [], events = [], newestMovements = {}, payments = [] } = onPaper;
	const accounts = Object.entries(balances).map(([key, balanceCents]) => {
		const [reseller = '', username = ''] = key.split('/');
		return { reseller, username, balanceCents };
	});
	const debts = Object.entries(owed).map(([reseller, cents]) => ({ reseller, cents, lineCents: 500 }));
	const takenUsernames = [...accounts.map(({ username }) => username), ...taken];
	return {
		...{ accounts, debts, dues, prices, takenUsernames, tokens, topUps, recordedActs, recordedChanges, sessions },
		...{ signInAddresses, signInResellers },
		...{ terms, suspendedResellers, webhooks, payments, eventIds: events, exhausted: [] },
		newestEvents: new Map(events.map(({ reseller, number }) => [reseller, number])),
		newestMovements: new Map(Object.entries(newestMovements)),
		oldestEvents: events.toReversed().map(({ reseller, number }) => ({ reseller, oldest: number })),
	};
}

/** The books as the rules see them. */
export function booksOf(onPaper: BooksOnPaper): Books {
	const {
		accounts,
		debts,
		dues,
		prices,
		takenUsernames,
		tokens,
		topUps,
		recordedActs,
		recordedChanges,
		sessions,
		...rest
	} = loadedBooks(onPaper);
	const signIns = new WorkingSignIns(rest.signInAddresses, rest.signInResellers);
	return {
		account: (reseller, username) => accounts.find((a) => a.reseller === reseller && a.username === username),
		duesOf: ({ reseller, username }) => dues.filter((due) => due.reseller === reseller && due.username === username),
		debtOf: (reseller) => debts.find((debt) => debt.reseller === reseller) ?? { reseller, cents: 0, lineCents: 500 },
		priceOf: (reseller) => prices.find((price) => price.reseller === reseller),
		isTaken: (username) => takenUsernames.includes(username),
		tokensOf: (reseller) => tokens.filter((token) => token.reseller === reseller),
		topUp: (reference) => topUps.find((topUp) => topUp.reference === reference),
		payment: (reseller, id) => rest.payments.find((each) => each.reseller === reseller && each.id === id),
		paymentOfObject: (provider, objectId) =>
			rest.payments.find((each) => each.provider === provider && each.objectId === objectId)?.id,
		countWaitingPayments: (reseller, sinceMs) =>
			rest.payments.filter(
				(each) => each.reseller === reseller && each.createdAtMs >= sinceMs && WAITING_STATES.includes(each.state),
			).length,
		isActRecorded: (id) => recordedActs.includes(id),
		isChangeRecorded: (reseller, id) => recordedChanges.some((c) => c.reseller === reseller && c.id === id),
		termsOf: ({ reseller, username }) =>
			rest.terms.find((each) => each.reseller === reseller && each.username === username)?.terms ?? NO_TERMS,
		isSuspended: (reseller) => rest.suspendedResellers.includes(reseller),
		signInAddressesOf: (account) => signIns.of(account),
		isAddressTaken: (address, account) => signIns.isTaken(address, account),
		maySignInByAddress: (reseller) => signIns.isAllowed(reseller),
		webhooksOf: (reseller) => rest.webhooks.filter((webhook) => webhook.reseller === reseller),
		logOf(reseller, number) {
			const newest = rest.newestEvents.get(reseller) ?? 0;
			const kept = rest.eventIds.filter((event) => event.reseller === reseller);
			const idAt = kept.find((event) => event.number === (number ?? newest))?.id ?? null;
			return { newest, oldest: kept[0]?.number ?? newest + 1, idAt };
		},
		session: (id) => sessions.find((session) => session.id === id),
	};
}
