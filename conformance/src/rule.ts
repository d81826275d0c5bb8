import type { Session } from './session.ts';

/** What a rule cannot be tested without. */
export type Need =
	/** A sub-user of the reseller, with balance 0. */
	| 'sub-user'
	/** The token of another reseller, and a sub-user of that one. */
	| 'second-reseller'
	/** For a moment the sub-user holds nearly all that the reseller has. */
	| 'whole-balance'
	/** Nothing in front of the service that answers in its place what is no HTTP. */
	| 'direct'
	/** Patience: it takes a minute or more. */
	| 'slow';

/** One rule that shows on the wire: data, with the check that tells whether a service keeps it. */
export interface Rule {
	/** Its group, a period, and its own name: `create-fee.taken-username`. */
	readonly name: string;
	/** What a service that keeps it guarantees, in one sentence. */
	readonly guarantee: string;
	/** Where it stands: sections of docs/api.md by number and title, or of an RFC, with semicolons between them. */
	readonly source: string;
	readonly needs?: readonly Need[];
	/** The most authenticated calls of create that it makes: each of them may cost a fee. */
	readonly creates?: number;
	/** What the reseller must have beside that, in cents. It has it back in the end. */
	readonly balanceCents?: number;
	/** Where it holds in one of the modes of the service only. */
	readonly mode?: 'strict' | 'lenient';
	/** Throws a `RuleFailure` where the service breaks it, and `NotTestable` where nobody can know. */
	check(session: Session): Promise<void>;
}

/** The service did something else than the rule says. */
export class RuleFailure extends Error {
	override readonly name = 'RuleFailure';
	readonly expected: string;
	readonly actual: string;

	/** `message` says what was looked at. */
	constructor(message: string, expected: string, actual: string) {
		super(message);
		this.expected = expected;
		this.actual = actual;
	}
}

/** Whether the service keeps the rule cannot be learned here; the message says why. */
export class NotTestable extends Error {
	override readonly name = 'NotTestable';
}

/** The run is being stopped: no further call may be made. */
export class Interrupted extends Error {
	override readonly name = 'Interrupted';
}
