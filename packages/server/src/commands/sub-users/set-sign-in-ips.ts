import { MAX_SIGN_IN_IPS } from '@bursar/contract/limits';
import { signInIp } from '@bursar/contract/sign-in-ips';
import { signInKeysFrom } from '../../domain/sign-in.ts';
import { actOfProgram, subUserOf } from '../asking.ts';
import type { ResellersChange } from '../command.ts';
import { refused, type Verb } from '../verb.ts';

export interface SetSignInIps extends ResellersChange {
	readonly kind: 'set_sign_in_ips';
	readonly username: string;
	/** All that the sub-user is to have, as `normalizeSignInIps` writes them. */
	readonly signInIps: readonly string[];
}

interface NewSignInIps {
	readonly ok: true;
	readonly username: string;
	readonly signInIps: readonly string[];
}

/**
 * Sets from where a sub-user signs in without a password. An address is of one account of the platform: who has it is not
 * told. While the operator does not allow it, addresses can only be removed.
 */
export const setSignInIps: Verb<
	SetSignInIps,
	NewSignInIps,
	'unknown_sub_user' | 'invalid_sign_in_ips' | 'sign_in_by_address_off' | 'address_taken'
> = {
	kind: 'set_sign_in_ips',
	calls: ['/sub-users/sign-in-ips'],
	isResellersChange: true,
	needs: ({ username, signInIps }) => ({
		subUsers: [username],
		signIn: { username, addresses: signInKeysFrom(signInIps) },
	}),
	decide(books, command, nowMs) {
		const { signInIps } = command;
		if (signInIps.length > MAX_SIGN_IN_IPS) return refused('invalid_sign_in_ips');
		const account = subUserOf(books, command);
		if (!account) return refused('unknown_sub_user');
		const { reseller, username } = account;
		const [before, addresses] = [books.signInAddressesOf(account), signInKeysFrom(signInIps)];
		const outcome = { ok: true, username, signInIps: addresses.map(signInIp) } as const;
		if (before.join() === addresses.join()) return { outcome, effects: [] };
		const isMore = addresses.some((address) => !before.includes(address));
		if (isMore && !books.maySignInByAddress(reseller)) return refused('sign_in_by_address_off');
		if (addresses.some((address) => books.isAddressTaken(address, account))) return refused('address_taken');
		return {
			outcome,
			effects: [
				{ kind: 'set_sign_in', account: { reseller, username, addresses } },
				...actOfProgram(command, username, nowMs),
			],
		};
	},
};
