import {
	accountIn,
	expectAccepted,
	expectArray,
	expectEqual,
	expectFields,
	expectForm,
	expectThat,
	fieldOf,
	NotTestable,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';

const RESET = 'docs/api.md 9.3 Reset auth key';

/** Replacing the proxy auth key of a sub-user. */
export const authKeyRules: readonly Rule[] = [
	{
		name: 'auth-keys.reset-answer',
		basis: 'bursar',
		guarantee: 'A reset answers exactly the username and the new key of 16 letters and digits.',
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
		basis: 'contract',
		guarantee: 'Each reset makes a new key, and later reads show it.',
		source: RESET,
		needs: ['sub-user'],
		async check({ api, subUser }) {
			const keys = new Set([fieldOf(expectAccepted(await api.viewSingle(subUser())), 'proxy_authkey')]);
			for (let round = 0; round < 2; round++) {
				const key = fieldOf(expectAccepted(await api.resetAuthKey(subUser())), 'proxy_authkey');
				expectThat(!keys.has(key), 'the key after a reset', 'a new one', 'an earlier one');
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
		basis: 'contract',
		guarantee: "A reset does not change the sub-user's name, balance or date, nor another sub-user.",
		source: RESET,
		needs: ['sub-user'],
		creates: 1,
		balanceCents: 7,
		async check({ api, subUser, subUsers }) {
			const another = subUsers.freshName();
			expectAccepted(await api.create({ username: another }));
			expectAccepted(await api.give(subUser(), 7));
			const look = async () => {
				const { proxy_authkey: _key, ...rest } = accountIn(expectAccepted(await api.viewSingle(subUser())));
				return [rest, accountIn(expectAccepted(await api.viewSingle(another)))];
			};
			const before = await look();
			expectAccepted(await api.resetAuthKey(subUser()));
			expectEqual('the sub-user without its key, and another sub-user', await look(), before);
		},
	},
	{
		name: 'auth-keys.previous-key',
		basis: 'contract',
		guarantee: 'After a reset, the proxy host refuses the previous key.',
		source: RESET,
		async check() {
			throw new NotTestable('the proxy host is not part of this API');
		},
	},
];
