import { actOfProgram, subUserOf } from '../asking.ts';
import type { ResellersChange } from '../command.ts';
import { happened } from '../happened.ts';
import { refused, type Verb } from '../verb.ts';

export interface ResetAuthKey extends ResellersChange {
	readonly kind: 'reset_auth_key';
	readonly username: string;
	readonly proxyAuthkey: string;
}

interface Reset {
	readonly ok: true;
	readonly username: string;
	readonly proxyAuthkey: string;
}

/** Replaces the proxy auth key of a sub-user at once (docs/api.md 9.3). */
export const resetAuthKey: Verb<ResetAuthKey, Reset, 'unknown_sub_user'> = {
	kind: 'reset_auth_key',
	calls: ['/sub-users/reset-key'],
	isResellersChange: true,
	needs: ({ username }) => ({ subUsers: [username] }),
	decide(books, command, nowMs) {
		const account = subUserOf(books, command);
		if (!account) return refused('unknown_sub_user');
		const { proxyAuthkey } = command;
		const { reseller, username } = account;
		return {
			outcome: { ok: true, username, proxyAuthkey },
			effects: [
				{ kind: 'replace_auth_key', change: { reseller, username, proxyAuthkey } },
				happened(command, nowMs, 'sub_user.key_reset', {}, username),
				...actOfProgram(command, username, nowMs),
			],
		};
	},
};
