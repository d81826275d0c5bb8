import type { Need, Session } from './session.ts';

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
