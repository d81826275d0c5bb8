import type { Books, Effect } from '../domain/books.ts';
import type { ObjectName } from '../domain/payments/payment.ts';
import { type AccountCommand, type Refusal, refuse } from './command.ts';
import type { Calls } from './rights.ts';

/** One kind of command about accounts, with all that the rest of the service has to know of it. */
export interface Verb<C extends AccountCommand, Answer extends Done, Reason extends string> {
	readonly kind: C['kind'];
	/** The calls of the dashboard that give it. A person who may make one of them may give it, after a proof if one is needed. */
	readonly calls: Calls;
	/** Resellers change money or a sub-user by it. So it may have an id, and is refused while its reseller is suspended. */
	readonly isResellersChange?: true;
	/** Resellers change something else by it, also while they are suspended. It may have an id, too. */
	readonly isOtherChange?: true;
	/**
	 * Operators set a state by it. One that held already counts as done too: a late copy must not set it again after another
	 * change.
	 */
	readonly setsState?: true;
	/**
	 * In whose turn it runs. Default: its reseller's. People have turns of their own: when they end the tokens of a reseller,
	 * they must not wait behind a flood from the thief of a token. The service has turns of its own, too.
	 */
	readonly giver?: 'person' | 'service';
	/** What it reads and changes besides the account of its reseller. */
	needs?(command: C): Needs;
	/**
	 * Decides the command. Pure. `nowMs` is in Unix milliseconds. Throws only if the input is impossible, for example if the
	 * reseller that asks does not exist.
	 */
	decide(books: Books, command: C, nowMs: number): Decision<Answer, Reason>;
}

interface Done {
	readonly ok: true;
}

/** What a command needs of its reseller, and of the platform. */
interface Needs {
	/** The accounts of these sub-users. */
	readonly subUsers?: readonly string[];
	/** Whether the terms of these sub-users are needed too. */
	readonly terms?: true;
	/** The terms of the reseller itself. */
	readonly ownTerms?: true;
	/** The present price. */
	readonly price?: true;
	readonly tokens?: true;
	/**
	 * Whether its sub-users may sign in by address, and of one of them the addresses that it has, and who has those that it is
	 * to have, or others that overlap with them.
	 */
	readonly signIn?: { readonly username?: string; readonly addresses?: readonly string[] };
	/** The webhooks of the reseller, and its log where they are. */
	readonly webhooks?: true;
	/** The log at the event with this number, too. */
	readonly event?: number;
	/** Whether a new account may have this name. */
	readonly newName?: string;
	/** The first payment under this reference. */
	readonly reference?: string;
	/** The payment through a provider with this id. */
	readonly payment?: string;
	/** The payment that has this object of a provider, if one has. */
	readonly paymentObject?: ObjectName;
	/** Payments of the reseller that still wait for money. */
	readonly waitingPayments?: true;
}

/** The outcome of one command, and what it changes. A refusal can have effects too: the fee of create. */
export interface Decision<Answer = Done, Reason extends string = string> {
	readonly outcome: Answer | Refusal<Reason>;
	readonly effects: readonly Effect[];
}

/** A refusal that changes nothing. */
export function refused<Reason extends string>(error: Reason) {
	return { outcome: refuse(error), effects: [] } as const;
}
