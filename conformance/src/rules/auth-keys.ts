import { NotTestable } from '../check-errors.ts';
import { expectAccepted, expectArray, expectFields, expectForm, expectThat, fieldOf } from '../expect.ts';
import type { Rule } from '../rule.ts';

const RESET = 'docs/api.md 9.3 Reset auth key';

/** Replacing the proxy auth key of a sub-user. */
export const authKeyRules: readonly Rule[] = [
	{
		name: 'auth-keys.reset-answer',
		guarantee: 'A reset answers the username and the new key, 16 letters and digits, and nothing more.',
		source: `${RESET}; docs/api.md 6.3 Proxy auth keys`,
		needs: ['sub-user'],
		async check({ api, subUser }) {
			const answer = await api.resetAuthKey(subUser());
			const fields = ['username', 'proxy_authkey'];
			const data = expectFields(`data of ${answer.asked}`, expectAccepted(answer), fields);
			expectThat(data.username === subUser(), 'the username', subUser(), data.username);
			expectForm('the new key', data.proxy_authkey, /^[0-9A-Za-z]{16}$/, '16 of 0-9 A-Z a-z');
		},
	},
	{
		name: 'auth-keys.reset-replaces',
		guarantee: 'Each reset gives a key that was not there before, and reads show it from then on.',
		source: RESET,
		needs: ['sub-user'],
		async check({ api, subUser }) {
			const keys = new Set([fieldOf(expectAccepted(await api.viewSingle(subUser())), 'proxy_authkey')]);
			for (let round = 0; round < 2; round++) {
				const key = fieldOf(expectAccepted(await api.resetAuthKey(subUser())), 'proxy_authkey');
				expectThat(!keys.has(key), 'the key behind a reset', 'a new one', 'one of before');
				keys.add(key);
				const single = fieldOf(expectAccepted(await api.viewSingle(subUser())), 'proxy_authkey');
				expectThat(single === key, 'the key in view_single', 'the new one', 'another one');
				const all = expectArray('data of view_all', expectAccepted(await api.viewAll()));
				const listed = all.find((entry) => fieldOf(entry, 'username') === subUser());
				expectThat(fieldOf(listed, 'proxy_authkey') === key, 'the key in view_all', 'the new one', 'another one');
			}
		},
	},
	{
		name: 'auth-keys.reset-moves-nothing',
		guarantee: 'A reset leaves the name, the balance and the date of the sub-user as they are.',
		source: RESET,
		needs: ['sub-user'],
		balanceCents: 7,
		async check({ api, subUser }) {
			expectAccepted(await api.give(subUser(), 7));
			const before = fieldsBesideKey(expectAccepted(await api.viewSingle(subUser())));
			expectAccepted(await api.resetAuthKey(subUser()));
			const after = fieldsBesideKey(expectAccepted(await api.viewSingle(subUser())));
			expectThat(after === before, 'the sub-user', before, after);
		},
	},
	{
		name: 'auth-keys.previous-key',
		guarantee: 'The key before a reset no longer opens the proxy host.',
		source: RESET,
		async check() {
			throw new NotTestable('the proxy host is outside of this API');
		},
	},
];

function fieldsBesideKey(subUser: unknown): string {
	return ['username', 'balance', 'date_created'].map((name) => JSON.stringify(fieldOf(subUser, name))).join(', ');
}
