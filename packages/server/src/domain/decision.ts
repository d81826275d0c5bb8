import type { Effect } from './books.ts';
import { type Command, type OutcomeOf, type Refusal, type RefusalReason, refuse } from './command.ts';

/** The outcome of one command, and what it changes. A refusal can have effects too: the fee of create. */
export interface Decision<C extends Command = Command> {
	readonly outcome: OutcomeOf<C>;
	readonly effects: readonly Effect[];
}

/** A refusal that changes nothing. */
export function refused<Reason extends RefusalReason>(error: Reason): RefusedWithoutEffect<Reason> {
	return { outcome: refuse(error), effects: [] };
}

interface RefusedWithoutEffect<Reason extends RefusalReason> {
	readonly outcome: Refusal<Reason>;
	readonly effects: readonly [];
}
