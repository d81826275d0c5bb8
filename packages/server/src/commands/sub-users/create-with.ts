import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import type { Account } from '../../domain/account.ts';
import type { Effect } from '../../domain/books.ts';
import { subUserTransfer } from '../../domain/ledger.ts';
import { isTransferAmount } from '../../domain/money.ts';
import { liveBalance } from '../../domain/settling.ts';
import { type Limits, limitsView, NO_TERMS, type Terms } from '../../domain/terms.ts';
import { requestOf, requireReseller } from '../asking.ts';
import { type ResellersChange, refuse } from '../command.ts';
import { happened } from '../happened.ts';
import { refused, type Verb } from '../verb.ts';
import { withLimits, withNote } from './change-terms.ts';
import { chargeFee, newAccount, openAccount, openingNeeds } from './create.ts';

export interface CreateSubUserWith extends ResellersChange {
	readonly kind: 'create_sub_user_with';
	readonly username: string;
	readonly proxyAuthkey: string;
	/** What the sub-user is given, in USD cents, from 1. Absent: nothing. */
	readonly amountCents?: number | undefined;
	/** What the gift is for, as the reseller names it. `isMovementReference` says what it may be. Absent: none. */
	readonly reference?: string | undefined;
	/** Those that are absent or `null` are no limits. */
	readonly limits: Partial<Limits>;
	/** `isShortText` says what it may be. Empty: none. */
	readonly note: string;
}

interface CreatedWith {
	readonly ok: true;
	/** With the balance that it was given. */
	readonly account: Account;
	readonly terms: Terms;
}

/**
 * Opens the account of a sub-user with a balance, limits and a note, all or nothing. It costs the fee of a create, also if
 * the name is taken: else resellers could look for names for nothing (docs/api.md 11.10).
 */
export const createSubUserWith: Verb<
	CreateSubUserWith,
	CreatedWith,
	'invalid_amount' | 'invalid_limits' | 'invalid_note' | 'insufficient_balance' | 'username_taken'
> = {
	kind: 'create_sub_user_with',
	calls: ['/sub-users/create'],
	isResellersChange: true,
	needs: ({ username }) => openingNeeds(username),
	decide(books, command, nowMs) {
		const { username, amountCents, reference } = command;
		if (amountCents !== undefined && !isTransferAmount(amountCents)) return refused('invalid_amount');
		const terms = termsIn(command);
		if (typeof terms === 'string') return refused(terms);
		const asking = requireReseller(books, command.reseller);
		const givenCents = amountCents ?? 0;
		if (liveBalance(books, asking) - CREATE_FEE_CENTS < givenCents) return refused('insufficient_balance');
		const { account: reseller, effects: charged } = chargeFee(books, asking, command, nowMs);
		if (books.isTaken(username)) return { outcome: refuse('username_taken'), effects: charged };
		const account = newAccount(command, username, nowMs);
		const { limits, note } = terms;
		const gets = { cents: givenCents, expiresAtMs: limits.expiresAtMs };
		const isLimited = Object.values(limits).some((limit) => limit !== null);
		const effects: Effect[] = [...charged, ...openAccount(books, account, command, nowMs, gets)];
		if (isLimited || note !== '') {
			effects.push({ kind: 'change_terms', change: { reseller: reseller.username, username, terms } });
		}
		if (isLimited) {
			effects.push(happened(command, nowMs, 'sub_user.limits_set', { limits: limitsView(limits) }, username));
		}
		if (givenCents > 0) {
			const request = { ...requestOf(command, nowMs), ...(reference !== undefined && { reference }) };
			effects.push({ kind: 'transfer', transfer: subUserTransfer('give', reseller, account, givenCents, request) });
		}
		return { outcome: { ok: true, account: { ...account, balanceCents: givenCents }, terms }, effects };
	},
};

function termsIn({ limits, note }: CreateSubUserWith): Terms | 'invalid_limits' | 'invalid_note' {
	const limited = withLimits(NO_TERMS, limits);
	return typeof limited === 'string' ? limited : withNote(limited, note);
}
