import { MAX_CENTS } from '@bursar/contract/limits';
import type { AccountBalance } from './account.ts';
import type { Books, Effect } from './books.ts';
import type {
	Command,
	DeleteSubUser,
	ResumeReseller,
	ResumeSubUser,
	SetLimits,
	SetNote,
	SuspendReseller,
	SuspendSubUser,
} from './command.ts';
import { settle, settleBeforeCredit } from './decide-metering.ts';
import { type Decision, refused } from './decision.ts';
import type { Transfer } from './ledger.ts';
import type { Program } from './people/act.ts';
import { isReason } from './reason.ts';
import { CHANGE_KINDS } from './recorded-change.ts';
import { areLimits, NO_TERMS, type Terms } from './terms.ts';

/** The changes of a sub-user's terms. */
type TermsCommand = SuspendSubUser | ResumeSubUser | SetLimits | SetNote;

/** A suspended reseller changes neither money nor sub-users. Its tokens and people can still be changed. */
export function isRefusedAsSuspended(books: Books, { kind, reseller }: Command): boolean {
	return books.isSuspended(reseller) && CHANGE_KINDS.has(kind);
}

/** Sets what a sub-user's terms are to be. What holds already is not set again. */
export function decideTerms(
	books: Books,
	account: AccountBalance | undefined,
	command: TermsCommand,
	nowMs: number,
): Decision<TermsCommand> {
	if (!account) return refused('unknown_sub_user');
	const before = books.termsOf(account);
	const terms = changed(before, command, nowMs);
	if (typeof terms === 'string') return refused(terms);
	const { reseller, username } = account;
	const outcome = { ok: true, username, terms } as const;
	if (isSame(before, terms)) return { outcome, effects: [] };
	const change: Effect = { kind: 'change_terms', change: { reseller, username, terms } };
	return { outcome, effects: [change, ...actOfProgram(command, username, nowMs)] };
}

function changed(before: Terms, command: TermsCommand, nowMs: number): Terms | 'invalid_limits' | 'invalid_note' {
	switch (command.kind) {
		case 'suspend_sub_user':
			return { ...before, suspendedAtMs: before.suspendedAtMs ?? nowMs };
		case 'resume_sub_user':
			return { ...before, suspendedAtMs: null };
		case 'set_note':
			return isReason(command.note, false) ? { ...before, note: command.note } : 'invalid_note';
		case 'set_limits': {
			const limits = { ...before.limits, ...command.limits };
			return areLimits(limits) ? { ...before, limits } : 'invalid_limits';
		}
	}
}

/** Settles what is due, gives the rest back to the reseller, and ends the account. Its name is never given again. */
export function decideDelete(
	books: Books,
	reseller: AccountBalance,
	subUser: AccountBalance | undefined,
	command: DeleteSubUser,
	nowMs: number,
): Decision<DeleteSubUser> {
	if (!subUser) return refused('unknown_sub_user');
	const { requestId, program } = command;
	const { account: from, effects } = settle(books, subUser, { atMs: nowMs, requestId });
	const { username, balanceCents: returnedCents } = from;
	const end: Effect = {
		kind: 'delete_account',
		deletion: { reseller: reseller.username, username, deletedAtMs: nowMs, requestId },
	};
	const ending = [end, ...actOfProgram(command, username, nowMs)];
	const outcome = { ok: true, username, returnedCents } as const;
	if (returnedCents === 0) return { outcome, effects: [...effects, ...ending] };
	const payee = settleBeforeCredit(books, reseller, { atMs: nowMs, requestId });
	const { account: to } = payee;
	if (to.balanceCents > MAX_CENTS - returnedCents) return refused('balance_limit');
	const transfer: Transfer = {
		reseller: reseller.username,
		debit: username,
		credit: to.username,
		amountCents: returnedCents,
		kind: 'take',
		atMs: nowMs,
		requestId,
		debitBalanceCents: 0,
		creditBalanceCents: to.balanceCents + returnedCents,
		...(program && { program }),
	};
	return { outcome, effects: [...effects, ...payee.effects, { kind: 'transfer', transfer }, ...ending] };
}

/** The pairs of a suspended reseller and of its sub-users are refused, and it changes nothing. */
export function decideResellerSuspension(
	books: Books,
	command: SuspendReseller | ResumeReseller,
	nowMs: number,
): Decision<SuspendReseller | ResumeReseller> {
	const { reseller } = command;
	if (!books.account(reseller, reseller)) return refused('unknown_reseller');
	const isSuspended = command.kind === 'suspend_reseller';
	const outcome = { ok: true, username: reseller, isSuspended } as const;
	if (books.isSuspended(reseller) === isSuspended) return { outcome, effects: [] };
	const terms = { ...NO_TERMS, suspendedAtMs: isSuspended ? nowMs : null };
	return { outcome, effects: [{ kind: 'change_terms', change: { reseller, username: reseller, terms } }] };
}

interface ProgramsChange {
	readonly kind: string;
	readonly reseller: string;
	readonly requestId: string;
	readonly program?: Program | undefined;
}

/** What a program changes without moving money is recorded as an act, under the id of its request. */
export function actOfProgram(
	{ kind, reseller, requestId, program }: ProgramsChange,
	target: string,
	atMs: number,
): readonly Effect[] {
	if (!program) return [];
	return [{ kind: 'record_act', act: { id: requestId, kind, target, requestId, reseller, atMs, ...program } }];
}

function isSame(a: Terms, b: Terms): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
