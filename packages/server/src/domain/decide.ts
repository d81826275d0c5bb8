import { CREATE_FEE_CENTS, MAX_CENTS } from '@bursar/contract/limits';
import { type Account, type AccountBalance, isSubUser } from './account.ts';
import type { Books, Effect } from './books.ts';
import {
	type Command,
	type CreateReseller,
	type CreateSubUser,
	type CreditReseller,
	type GiveBalance,
	type Outcome,
	type ResetAuthKey,
	type RevokeToken,
	type RotateToken,
	refuse,
	type TakeBalance,
} from './command.ts';
import { debtPaidBy, decideForgiveDebt, payDebt, withDebtPaid } from './decide-debt.ts';
import { decidePostUsage, decideSetPrice, liveBalance, settle, settleBeforeCredit } from './decide-metering.ts';
import {
	actOfProgram,
	decideDelete,
	decideResellerSuspension,
	decideTerms,
	isRefusedAsSuspended,
} from './decide-terms.ts';
import { type Decision, refused } from './decision.ts';
import { platformTransfer, type Transfer, type TransferKind } from './ledger.ts';
import { assertBalance, isBalance, isTransferAmount } from './money.ts';
import type { PersonAct } from './people/act.ts';
import { refusalOfSession } from './people/proof.ts';
import { mayDo } from './people/rights.ts';
import { isReason } from './reason.ts';
import { CHANGE_KINDS, recordedChange } from './recorded-change.ts';
import { isReference } from './reference.ts';
import { isRotationPending, MAX_TOKEN_OVERLAP_MS, type Token } from './token.ts';

/**
 * The rules of the whole system: decides one command. Pure. `nowMs` is in Unix milliseconds. Throws only if the input
 * is impossible, for example if the reseller that asks does not exist.
 */
export function decide(books: Books, command: Command, nowMs: number): Decision {
	const { act } = command;
	if (act === undefined) return decideWithoutAct(books, command, nowMs);
	if (books.isActRecorded(act.id)) return refused('act_repeated');
	const refusal = 'session' in act ? refusalOfPerson(books, act, command, nowMs) : undefined;
	if (refusal) return refused(refusal);
	const { outcome, effects } = decideWithoutAct(books, command, nowMs);
	// A refusal that changes something, like a create that costs its fee, must not happen twice either. What changes
	// nothing, like a repeated payment, was not done. A state that held already counts as done: a late copy must not set it
	// again after another change.
	if (effects.length === 0 && !isSettled(command, outcome)) return { outcome, effects };
	return {
		outcome,
		effects: [...effects, { kind: 'record_act', act: { ...act, reseller: command.reseller, atMs: nowMs } }],
	};
}

/** Why the session of an act does not allow it any more. */
function refusalOfPerson(books: Books, act: PersonAct, command: Command, nowMs: number) {
	const session = books.session(act.session);
	if (session && session.person !== act.person) throw new Error('an act names another person than its session');
	if (session && !mayDo(session, command)) return 'not_allowed';
	return refusalOfSession(session, command, nowMs);
}

/**
 * A change with an id is done once (docs/api.md 10.5). A state that held already uses up the id too, so that a late request
 * cannot set it again after another change. So does a refusal that changes something, like a create that costs its fee.
 */
function decideWithoutAct(books: Books, command: Command, nowMs: number): Decision {
	if (!('changeId' in command) || command.changeId === undefined) return decideUnlessSuspended(books, command, nowMs);
	if (books.isChangeRecorded(command.reseller, command.changeId)) return refused('change_repeated');
	const { outcome, effects } = decideUnlessSuspended(books, command, nowMs);
	if (effects.length === 0 && !isSettled(command, outcome)) return { outcome, effects };
	const change = recordedChange(command.changeId, command, outcome, nowMs);
	return { outcome, effects: [...effects, { kind: 'record_change', change }] };
}

/** Whether a change of money or of a sub-user was accepted, even if its state held already. */
function isSettled({ kind }: Command, { ok }: Outcome): boolean {
	return ok && CHANGE_KINDS.has(kind);
}

/** What a suspended reseller may not do costs nothing, not even a fee. */
function decideUnlessSuspended(books: Books, command: Command, nowMs: number): Decision {
	if (isRefusedAsSuspended(books, command)) return refused('suspended');
	const { outcome, effects } = decideByKind(books, command, nowMs);
	if (effects.length === 0) return { outcome, effects };
	const { reseller, requestId } = command;
	return { outcome, effects: withDebtPaid(books, reseller, effects, { atMs: nowMs, requestId }) };
}

function decideByKind(books: Books, command: Command, nowMs: number): Decision {
	switch (command.kind) {
		case 'give_balance':
			return decideGive(books, command, nowMs);
		case 'take_balance':
			return decideTake(books, command, nowMs);
		case 'create_sub_user':
			return decideCreate(books, command, nowMs);
		case 'reset_auth_key':
			return decideReset(books, command, nowMs);
		case 'create_reseller':
			return decideCreateReseller(books, command, nowMs);
		case 'credit_reseller':
			return decideCredit(books, command, nowMs);
		case 'rotate_token':
			return decideRotate(books, command, nowMs);
		case 'revoke_token':
			return decideRevoke(books, command, nowMs);
		case 'set_price':
			return decideSetPrice(books, command, nowMs);
		case 'forgive_debt':
			return decideForgiveDebt(books, command, nowMs);
		case 'post_usage':
			return decidePostUsage(books, command, nowMs);
		case 'suspend_sub_user':
		case 'resume_sub_user':
		case 'set_limits':
		case 'set_note':
			return decideTerms(books, subUserOf(books, command), command, nowMs);
		case 'delete_sub_user':
			return decideDelete(books, requireReseller(books, command.reseller), subUserOf(books, command), command, nowMs);
		case 'suspend_reseller':
		case 'resume_reseller':
			return decideResellerSuspension(books, command, nowMs);
	}
}

function decideGive(books: Books, command: GiveBalance, nowMs: number): Decision<GiveBalance | TakeBalance> {
	const reseller = requireReseller(books, command.reseller);
	const subUser = subUserOf(books, command);
	if (!subUser) return refused('unknown_sub_user');
	return decideMovement(books, { from: reseller, to: subUser, subUser: 'to' }, 'give', command, nowMs);
}

function decideTake(books: Books, command: TakeBalance, nowMs: number): Decision<GiveBalance | TakeBalance> {
	const reseller = requireReseller(books, command.reseller);
	const subUser = subUserOf(books, command);
	if (!subUser) return refused('unknown_sub_user');
	return decideMovement(books, { from: subUser, to: reseller, subUser: 'from' }, 'take', command, nowMs);
}

/**
 * Moves at least 1 cent, and at most what the paying account has (docs/api.md 9.1 and 9.2). First, what the payer owes for
 * bandwidth is posted.
 */
function decideMovement(
	books: Books,
	sides: { readonly from: AccountBalance; readonly to: AccountBalance; readonly subUser: 'from' | 'to' },
	kind: TransferKind,
	command: GiveBalance | TakeBalance,
	nowMs: number,
): Decision<GiveBalance | TakeBalance> {
	const { amountCents, requestId, note = '' } = command;
	if (!isReason(note, false)) return refused('invalid_note');
	if (!isTransferAmount(amountCents)) return refused('invalid_amount');
	if (liveBalance(books, sides.from) < amountCents) return refused('insufficient_balance');
	const payer = settle(books, sides.from, { atMs: nowMs, requestId });
	const payee = settleBeforeCredit(books, sides.to, { atMs: nowMs, requestId });
	const { account: from } = payer;
	const { account: to } = payee;
	if (to.balanceCents > MAX_CENTS - amountCents) return refused('balance_limit');
	const transfer: Transfer = {
		reseller: command.reseller,
		debit: from.username,
		credit: to.username,
		amountCents,
		kind,
		atMs: nowMs,
		requestId,
		debitBalanceCents: from.balanceCents - amountCents,
		creditBalanceCents: to.balanceCents + amountCents,
		...(command.program && { program: command.program }),
	};
	// Settling changes no live balance.
	const [username, balanceCents] =
		sides.subUser === 'to'
			? [to.username, liveBalance(books, sides.to) + amountCents]
			: [from.username, liveBalance(books, sides.from) - amountCents];
	return {
		outcome: { ok: true, username, balanceCents },
		effects: [...payer.effects, ...payee.effects, { kind: 'transfer', transfer }, ...noteOn(transfer, note)],
	};
}

function noteOn({ reseller, requestId }: Transfer, note: string): readonly Effect[] {
	return note === '' ? [] : [{ kind: 'note_movement', note: { reseller, requestId, note } }];
}

/**
 * docs/api.md 8.2: the fee is charged on every invocation that has enough reseller balance to
 * attempt creation, even if validation fails or the username exists.
 */
function decideCreate(books: Books, command: CreateSubUser, nowMs: number): Decision<CreateSubUser> {
	const asking = requireReseller(books, command.reseller);
	if (liveBalance(books, asking) < CREATE_FEE_CENTS) return refused('insufficient_balance');
	const { requestId, program, username } = command;
	const { account: reseller, effects: settling } = settle(books, asking, { atMs: nowMs, requestId });
	const fee: Effect = {
		kind: 'transfer',
		transfer: platformTransfer('create_fee', reseller, CREATE_FEE_CENTS, {
			atMs: nowMs,
			requestId,
			...(program && { program }),
			...(username !== undefined && { aboutUsername: username }),
		}),
	};
	const charged = [...settling, fee];
	if (username === undefined) return { outcome: refuse('no_usable_username'), effects: charged };
	if (books.isTaken(username)) return { outcome: refuse('username_taken'), effects: charged };
	const account: Account = {
		reseller: reseller.username,
		username,
		balanceCents: 0,
		proxyAuthkey: command.proxyAuthkey,
		createdAtMs: nowMs,
	};
	return { outcome: { ok: true, account }, effects: [...charged, { kind: 'open_account', account }] };
}

/**
 * The new key replaces the previous one at once (docs/api.md 9.3). It moves no money, so what a program does is recorded
 * as an act.
 */
function decideReset(books: Books, command: ResetAuthKey, nowMs: number): Decision<ResetAuthKey> {
	const account = subUserOf(books, command);
	if (!account) return refused('unknown_sub_user');
	const { proxyAuthkey } = command;
	const { reseller, username } = account;
	return {
		outcome: { ok: true, username, proxyAuthkey },
		effects: [
			{ kind: 'replace_auth_key', change: { reseller, username, proxyAuthkey } },
			...actOfProgram(command, username, nowMs),
		],
	};
}

function decideCreateReseller(books: Books, command: CreateReseller, nowMs: number): Decision<CreateReseller> {
	const { reseller, openingBalanceCents } = command;
	if (!isBalance(openingBalanceCents)) return refused('balance_limit');
	if (books.isTaken(reseller)) return refused('username_taken');
	const account: Account = {
		reseller,
		username: reseller,
		balanceCents: 0,
		proxyAuthkey: command.proxyAuthkey,
		createdAtMs: nowMs,
	};
	const effects: Effect[] = [
		{ kind: 'open_account', account },
		{ kind: 'replace_tokens', reseller, tokens: [tokenOf(command, nowMs)] },
	];
	if (openingBalanceCents > 0) effects.push(funding(account, openingBalanceCents, command.requestId, nowMs));
	return { outcome: { ok: true, account: { ...account, balanceCents: openingBalanceCents } }, effects };
}

/** A reference counts once. A repeat with the same reseller and amount gets the first answer again. */
function decideCredit(books: Books, command: CreditReseller, nowMs: number): Decision<CreditReseller> {
	const { reference, amountCents, requestId, reason = '' } = command;
	if (!isReference(reference)) return refused('invalid_reference');
	if (!isReason(reason, amountCents < 0)) return refused('invalid_reason');
	if (!Number.isSafeInteger(amountCents) || amountCents === 0) return refused('invalid_amount');
	const account = books.account(command.reseller, command.reseller);
	if (!account) return refused('unknown_reseller');
	assertBalance(account.balanceCents, account.username);
	const { username } = account;
	const first = books.topUp(reference);
	if (first) {
		if (first.reseller !== username || first.amountCents !== amountCents) return refused('reference_conflict');
		return { outcome: { ok: true, username, balanceCents: first.balanceCents, repeated: true }, effects: [] };
	}
	// Whoever pays is settled first, and whoever is paid if it owes more than it has.
	const settleFirst = amountCents < 0 ? settle : settleBeforeCredit;
	const settled = settleFirst(books, account, { atMs: nowMs, requestId });
	const liveCents = liveBalance(books, account) + amountCents;
	if (liveCents < 0) return refused('insufficient_balance');
	if (!isBalance(settled.account.balanceCents + amountCents)) return refused('balance_limit');
	const funded = [...settled.effects, funding(settled.account, amountCents, requestId, nowMs)];
	const payment = payDebt(books, username, funded, { atMs: nowMs, requestId });
	const balanceCents = liveCents - debtPaidBy(payment);
	return {
		outcome: { ok: true, username, balanceCents, repeated: false },
		effects: [
			...funded,
			...payment,
			{ kind: 'record_top_up', topUp: { reference, reseller: username, amountCents, balanceCents, requestId, reason } },
		],
	};
}

/** Moves money in from outside or, if the amount is below zero, back out. */
function funding(account: AccountBalance, amountCents: number, requestId: string, nowMs: number): Effect {
	const kind = amountCents > 0 ? 'top_up' : 'adjustment';
	const transfer = platformTransfer(kind, account, Math.abs(amountCents), { atMs: nowMs, requestId });
	return { kind: 'transfer', transfer };
}

/** One rotation at a time. The previous token stays valid during the overlap (docs/api.md 5.4). */
function decideRotate(books: Books, command: RotateToken, nowMs: number): Decision<RotateToken | RevokeToken> {
	const { reseller, overlapMs } = command;
	if (!books.account(reseller, reseller)) return refused('unknown_reseller');
	if (!Number.isSafeInteger(overlapMs) || overlapMs < 0 || overlapMs > MAX_TOKEN_OVERLAP_MS) {
		return refused('invalid_overlap');
	}
	const tokens = books.tokensOf(reseller);
	if (isRotationPending(tokens, nowMs)) return refused('rotation_pending');
	const retireAtMs = nowMs + overlapMs;
	// Drops the tokens that an earlier rotation retired: no process accepts them any more.
	const current = tokens.filter(({ expiresAtMs }) => expiresAtMs === null);
	const retired = current.map((token) => ({ ...token, expiresAtMs: retireAtMs }));
	return replaced(command, [...retired, tokenOf(command, nowMs)], nowMs, retireAtMs);
}

/**
 * Ends every token of the reseller now, even if a rotation is pending. Their rows are deleted, so that a clock that is
 * set back cannot make one valid again.
 */
function decideRevoke(books: Books, command: RevokeToken, nowMs: number): Decision<RotateToken | RevokeToken> {
	if (!books.account(command.reseller, command.reseller)) return refused('unknown_reseller');
	return replaced(command, [tokenOf(command, nowMs)], nowMs, nowMs);
}

function replaced(
	{ kind, reseller, tokenTail: tail, madeBy: by }: RotateToken | RevokeToken,
	tokens: readonly Token[],
	nowMs: number,
	previousExpiresAtMs: number,
): Decision<RotateToken | RevokeToken> {
	const told = { change: kind === 'rotate_token' ? 'rotated' : 'ended', tail, by } as const;
	return {
		outcome: { ok: true, previousExpiresAtMs },
		effects: [
			{ kind: 'replace_tokens', reseller, tokens },
			{ kind: 'notify', notice: { kind: 'token_changed', to: { reseller }, atMs: nowMs, told } },
		],
	};
}

function tokenOf(command: CreateReseller | RotateToken | RevokeToken, nowMs: number): Token {
	const { reseller, tokenHash, tokenTail, madeBy } = command;
	return { hash: tokenHash, reseller, tail: tokenTail, madeAtMs: nowMs, madeBy, expiresAtMs: null };
}

/** The reseller that asks has been authenticated, and resellers are never removed. */
function requireReseller(books: Books, reseller: string): AccountBalance {
	const account = books.account(reseller, reseller);
	if (!account) throw new Error('the reseller that asks has no account');
	assertBalance(account.balanceCents, account.username);
	return account;
}

function subUserOf(books: Books, { reseller, username }: { reseller: string; username: string }) {
	const account = books.account(reseller, username);
	if (!account || !isSubUser(account)) return undefined;
	assertBalance(account.balanceCents, account.username);
	return account;
}
