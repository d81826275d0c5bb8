import { type ActKind, type Gift, moneyTarget, type NewPair, type SubUserDetails } from '@bursar/contract/dashboard';
import { normalizeUsername } from '@bursar/contract/username';
import { newProxyAuthkey } from '../../../credentials.ts';
import type { Account } from '../../../domain/account.ts';
import { readLimits } from '../../sub-user-limits.ts';
import { readAfterChange } from '../calls/after-change.ts';
import { type PersonCall, type Reply, resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { findOwnAccount, findSubUser } from './accounts.ts';
import { readSubUserDetails } from './sub-user-details.ts';

interface ChangeDependencies
	extends Pick<DashboardDependencies, 'accounts' | 'store' | 'bank' | 'nowMs' | 'proxyAccess'> {
	readonly sessions: Sessions;
}

/** Creates sub-users, moves balance, and shows and replaces proxy auth keys. */
export function subUserChangeRoutes(calls: Calls, dependencies: ChangeDependencies): void {
	const { accounts, bank, sessions, proxyAccess } = dependencies;

	/** What every command of a person about money or keys carries. */
	function commandOf(call: PersonCall, done: { act: string; kind: ActKind; target: string }) {
		const { act } = ownChange(call, sessions, done);
		return { reseller: resellerOf(call), requestId: call.request.id, act };
	}

	function pairOf({ username, proxyAuthkey }: Pick<Account, 'username' | 'proxyAuthkey'>): NewPair {
		return { username, proxy_authkey: proxyAuthkey, proxy_url: proxyAccess().proxy_urls[0] ?? null };
	}

	calls.change(
		'/sub-users/create',
		async ({ act, username: typedName, amount, limits = {}, note = '', reference }, call) => {
			const username = normalizeUsername(typedName);
			// Unlike the API, a page does not pay for a name that cannot be one.
			if (username === undefined) return { refused: 'invalid_username' };
			const read = readLimits(limits);
			if ('wrong' in read) return { refused: 'invalid_limits' };
			const command = commandOf(call, { act, kind: 'create_sub_user', target: username });
			const pair = { username, proxyAuthkey: newProxyAuthkey() };
			const has = { amountCents: amount, ...read, note, reference };
			const outcome = await bank.submit({ kind: 'create_sub_user_with', ...command, ...pair, ...has });
			return outcome.ok ? { data: pairOf(outcome.account) } : refusedBy(outcome);
		},
	);

	async function move(
		kind: 'give_balance' | 'take_balance',
		{ act, username: typedName, amount, note, reference }: Gift & { readonly act: string },
		call: PersonCall,
	): Promise<Reply<SubUserDetails>> {
		const username = normalizeUsername(typedName);
		if (username === undefined) return { refused: 'unknown_sub_user' };
		const command = commandOf(call, { act, kind, target: moneyTarget(username, amount) });
		const outcome = await bank.submit({ kind, ...command, username, amountCents: amount, note, reference });
		if (!outcome.ok) return refusedBy(outcome);
		return readAfterChange(async () => {
			const details = await readSubUserDetails(dependencies, command.reseller, username);
			return details ? { data: details } : { refused: 'outcome_unknown' };
		});
	}

	calls.change('/sub-users/give', async (body, call) => move('give_balance', body, call));
	calls.change('/sub-users/take', async (body, call) => move('take_balance', body, call));

	calls.change('/sub-users/show-key', async ({ act, username: typedName }, call) => {
		const reseller = resellerOf(call);
		const account = await findOwnAccount(accounts, reseller, typedName);
		if (!account) return { refused: 'unknown_sub_user' };
		const { username } = account;
		const outcome = await bank.changePerson({
			kind: 'show_auth_key',
			...ownChange(call, sessions, { act, kind: 'show_auth_key', target: username }),
		});
		if (!outcome.ok) return refusedBy(outcome);
		// Read again, because it was recorded that this key is shown, and another one may be valid by now.
		return readAfterChange(async () => {
			const shown = await accounts.findAccount(reseller, username);
			return shown ? { data: pairOf(shown) } : { refused: 'outcome_unknown' };
		});
	});

	calls.change('/sub-users/show-keys', async ({ act, usernames }, call) => {
		const reseller = resellerOf(call);
		const readAll = async (names: readonly string[]) => {
			const found = await Promise.all(names.map((name) => findSubUser(accounts, reseller, name)));
			return found.filter((account) => account !== undefined);
		};
		const names = [...new Set((await readAll(usernames)).map(({ username }) => username))];
		if (names.length === 0) return { refused: 'unknown_sub_user' };
		const done = { act, kind: 'show_auth_key', target: names.join(' ') } as const;
		const outcome = await bank.changePerson({ kind: 'show_auth_key', ...ownChange(call, sessions, done) });
		if (!outcome.ok) return refusedBy(outcome);
		return readAfterChange(async () => {
			const shown = await readAll(names);
			return { data: { keys: shown.map(({ username, proxyAuthkey }) => ({ username, proxy_authkey: proxyAuthkey })) } };
		});
	});

	calls.change('/sub-users/reset-key', async ({ act, username: typedName }, call) => {
		const username = normalizeUsername(typedName);
		if (username === undefined) return { refused: 'unknown_sub_user' };
		const command = commandOf(call, { act, kind: 'reset_auth_key', target: username });
		const proxyAuthkey = newProxyAuthkey();
		const outcome = await bank.submit({ kind: 'reset_auth_key', ...command, username, proxyAuthkey });
		return outcome.ok ? { data: pairOf(outcome) } : refusedBy(outcome);
	});
}
