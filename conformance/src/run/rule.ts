import type { Basis } from '../wire/answer.ts';
import type { Need, Session } from './session.ts';

/** One rule that is visible on the wire, with the check for it. */
export interface Rule {
	/** Group, period, name: `create-fee.taken-username`. */
	readonly name: string;
	readonly basis: Basis;
	/** The rule in one sentence, as Bursar keeps it. */
	readonly guarantee: string;
	/** Sections of docs/api.md by number and title, or sections of an RFC, separated by semicolons. */
	readonly source: string;
	readonly needs?: readonly Need[];
	/** The highest number of authenticated create calls. Each may cost a fee. */
	readonly creates?: number;
	/** Cents that the reseller needs besides the fees. It gets them back. */
	readonly balanceCents?: number;
	/** Set if the rule applies in one mode of the service only. */
	readonly mode?: 'strict' | 'lenient';
	/**
	 * Throws a `RuleFailure` if the service breaks the rule, and `NotTestable` if the suite cannot find out. A rule of the
	 * contract asks for more if `session.heldTo` is `bursar`: the exact status, code and fields.
	 */
	check(session: Session): Promise<void>;
}
