import type { Effect } from '../../domain/books.ts';
import type { AccountCommand } from '../command.ts';
import type { Verb } from '../verb.ts';

export interface JudgeUsable extends AccountCommand {
	readonly kind: 'judge_usable';
	/** Of sub-users, or of the reseller itself. */
	readonly usernames: readonly string[];
	/** The number of a price. Present if all accounts of the reseller were judged since it has this price. */
	readonly judgedAtPrice?: number | undefined;
}

interface Judged {
	readonly ok: true;
}

/**
 * Tells the reseller which of its sub-users are usable and which are not any more, and whether its own balance is low, if it was
 * told something else. The service itself gives this command, for what no command brings about: bandwidth and time.
 */
export const judgeUsable: Verb<JudgeUsable, Judged, never> = {
	kind: 'judge_usable',
	calls: [],
	giver: 'service',
	needs: ({ usernames }) => ({ subUsers: usernames }),
	decide(books, { reseller, usernames, judgedAtPrice }) {
		const effects: Effect[] = usernames
			.filter((username) => books.account(reseller, username))
			.map((username) => ({ kind: 'judge', reseller, username }));
		if (judgedAtPrice !== undefined) effects.push({ kind: 'end_judging', reseller, price: judgedAtPrice });
		return { outcome: { ok: true }, effects };
	},
};
