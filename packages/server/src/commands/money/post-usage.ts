import type { Effect } from '../../domain/books.ts';
import { settle } from '../../domain/settling.ts';
import type { AccountCommand } from '../command.ts';
import type { Verb } from '../verb.ts';

export interface PostUsage extends AccountCommand {
	readonly kind: 'post_usage';
	/** Of sub-users, or of the reseller itself. */
	readonly usernames: readonly string[];
}

interface Posted {
	readonly ok: true;
}

/**
 * Posts what accounts of a reseller owe for bandwidth. The service itself gives this command. A deleted sub-user can owe
 * too, for what arrived later: its reseller pays.
 */
export const postUsage: Verb<PostUsage, Posted, never> = {
	kind: 'post_usage',
	calls: [],
	giver: 'service',
	needs: ({ usernames }) => ({ subUsers: usernames }),
	decide(books, command, nowMs) {
		const { reseller, usernames, requestId } = command;
		const effects: Effect[] = [];
		for (const username of usernames) {
			const account = books.account(reseller, username) ?? { reseller, username, balanceCents: 0 };
			const settled = settle(books, account, { atMs: nowMs, requestId });
			effects.push(...settled.effects);
			if (username !== reseller) effects.push({ kind: 'judge', reseller, username });
		}
		return { outcome: { ok: true }, effects };
	},
};
