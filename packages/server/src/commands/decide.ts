import type { Books } from '../domain/books.ts';
import type { Cause } from '../domain/events/happening.ts';
import { withDebtPaid } from '../domain/paying-debt.ts';
import type { PersonAct } from '../domain/people/act.ts';
import { withDetails } from './act-details.ts';
import { changeRecord } from './change-record.ts';
import type { ActRefusal } from './command.ts';
import { type AnyDecision, type ChangeCommand, type Command, verbOf } from './registry.ts';
import { mayGive, refusalOfSession } from './rights.ts';
import { refused } from './verb.ts';

/**
 * The rules of the whole system: decides one command. Pure. `nowMs` is in Unix milliseconds. Throws only if the input
 * is impossible, for example if the reseller that asks does not exist.
 */
export function decide(books: Books, command: Command, nowMs: number): AnyDecision {
	return withDetails(books, command, decideWithAct(books, command, nowMs));
}

function decideWithAct(books: Books, command: Command, nowMs: number): AnyDecision {
	const { act } = command;
	if (act === undefined) return decideWithoutAct(books, command, nowMs);
	if (books.isActRecorded(act.id)) return refused('act_repeated');
	const refusal = 'session' in act ? refusalOfPerson(books, act, command, nowMs) : undefined;
	if (refusal) return refused(refusal);
	const decision = decideWithoutAct(books, command, nowMs);
	const { outcome, effects } = decision;
	// A refusal that changes something, like a create that costs its fee, must not happen twice either. What changes
	// nothing, like a repeated payment, was not done; nor was a state that held, if the command line set it: its acts have no
	// late copies.
	if (effects.length === 0 && ('systemUser' in act || !isSettled(command, decision))) return decision;
	return {
		outcome,
		effects: [...effects, { kind: 'record_act', act: { ...act, reseller: command.reseller, atMs: nowMs } }],
	};
}

/** Why the session of an act does not allow it any more. */
function refusalOfPerson(books: Books, act: PersonAct, command: Command, nowMs: number): ActRefusal | undefined {
	const session = books.session(act.session);
	if (session && session.person !== act.person) throw new Error('an act names another person than its session');
	const { calls } = verbOf(command);
	if (session && !mayGive(session, calls, command.reseller)) return 'not_allowed';
	return refusalOfSession(session, calls, nowMs);
}

/**
 * A change with an id is done once (docs/api.md 10.5). A state that held already uses up the id too, so that a late request
 * cannot set it again after another change. So does a refusal that changes something, like a create that costs its fee.
 */
function decideWithoutAct(books: Books, command: Command, nowMs: number): AnyDecision {
	const { reseller } = command;
	const changeId = changeIdOf(command);
	if (changeId === undefined) return decideUnlessSuspended(books, command, nowMs);
	if (books.isChangeRecorded(reseller, changeId)) return refused('change_repeated');
	const decision = decideUnlessSuspended(books, command, nowMs);
	const { outcome, effects } = decision;
	if (effects.length === 0 && !isSettled(command, decision)) return decision;
	const change = changeRecord(changeId, command as ChangeCommand, outcome, nowMs);
	return { outcome, effects: [...effects, { kind: 'record_change', change }] };
}

/** The reseller's own name for a change. */
export function changeIdOf(command: Command): string | undefined {
	return 'changeId' in command ? command.changeId : undefined;
}

/** What the service does by itself has no cause. */
export function causeOf(command: Command): Cause {
	if (verbOf(command).giver === 'service') return {};
	return { requestId: command.requestId, changeId: changeIdOf(command) };
}

/** Whether a change was accepted, even if its state held already. */
function isSettled(command: Command, { outcome }: AnyDecision): boolean {
	const { isResellersChange, isOtherChange, setsState } = verbOf(command);
	return outcome.ok && (isResellersChange ?? isOtherChange ?? setsState ?? false);
}

/** What a suspended reseller may not do costs nothing, not even a fee. */
function decideUnlessSuspended(books: Books, command: Command, nowMs: number): AnyDecision {
	const { reseller, requestId } = command;
	const verb = verbOf(command);
	if (verb.isResellersChange && books.isSuspended(reseller)) return refused('suspended');
	const { outcome, effects } = verb.decide(books, command, nowMs);
	if (effects.length === 0) return { outcome, effects };
	const cause = causeOf(command);
	return { outcome, effects: withDebtPaid(books, reseller, effects, { atMs: nowMs, requestId, cause }) };
}
