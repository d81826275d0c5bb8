import { CREATE_FEE_CENTS } from '@bursar/contract';
import type { Answer } from '../answer.ts';
import { expectAccepted, expectArray, expectEqual, expectFields, expectThat, fieldOf, isAccepted } from '../expect.ts';
import type { Rule } from '../rule.ts';
import { CLOCK_TOLERANCE_S } from './answer-rules.ts';

const SAME_TIME = 4;

/** The answer and the effect of a create. */
export const createRules: readonly Rule[] = [
	{
		name: 'create.answer',
		guarantee:
			'A create answers 200 with the whole sub-user, which has the requested name, the balance 0 and the date of now.',
		source: 'docs/api.md 8.1 The answer',
		creates: 1,
		async check({ api, subUsers }) {
			const username = subUsers.freshName();
			const answer = await api.create({ username });
			expectEqual('the status', answer.status, 200);
			const fields = ['username', 'balance', 'proxy_authkey', 'date_created'];
			const data = expectFields(`data of ${answer.asked}`, answer.data, fields);
			expectEqual('the username', data.username, username);
			expectEqual('the balance', data.balance, 0);
			const isNow = Math.abs(Date.parse(String(data.date_created)) - Date.now()) <= CLOCK_TOLERANCE_S * 1000;
			const now = `within ${CLOCK_TOLERANCE_S} s of ${new Date().toISOString()}`;
			expectThat(isNow, 'the date', now, data.date_created);
		},
	},
	{
		name: 'create.is-read-afterwards',
		guarantee: 'After a create is answered, view_single and view_all show the same sub-user as the answer.',
		source: 'docs/api.md 3.5 What an answer proves',
		creates: 1,
		async check({ api, subUsers }) {
			const username = subUsers.freshName();
			const created = expectAccepted(await api.create({ username }));
			expectEqual('view_single', expectAccepted(await api.viewSingle(username)), created);
			const all = expectArray('data of view_all', expectAccepted(await api.viewAll()));
			const listed = all.filter((entry) => fieldOf(entry, 'username') === username);
			expectEqual('its entries in view_all', listed, [created]);
		},
	},
	{
		name: 'create.ignores-other-fields',
		guarantee: 'A create ignores a balance, an auth key or a date in its body.',
		source: 'docs/api.md 8.1 The answer',
		creates: 1,
		async check({ api, subUsers }) {
			const key = 'A'.repeat(16);
			const wish = {
				balance: 100,
				amount_usd_cents: 100,
				proxy_authkey: key,
				date_created: '2001-01-01T00:00:00.000Z',
			};
			const data = expectAccepted(await api.create({ username: subUsers.freshName(), ...wish }));
			expectEqual('the balance', fieldOf(data, 'balance'), 0);
			expectThat(
				fieldOf(data, 'proxy_authkey') !== key,
				'the auth key',
				'a key that the service made',
				'the key in the body',
			);
			expectThat(fieldOf(data, 'date_created') !== wish.date_created, 'the date', 'now', wish.date_created);
		},
	},
	{
		name: 'create.any-content-type',
		guarantee: 'In lenient mode, a create may have any content type.',
		source: 'docs/api.md 2.4 Leniency',
		mode: 'lenient',
		creates: 1,
		async check({ api, subUsers }) {
			const username = subUsers.freshName();
			const headers = { 'content-type': 'application/x-www-form-urlencoded' };
			expectAccepted(await api.create({ username }, { headers }), 'a create sent as a form');
			expectAccepted(await api.viewSingle(username));
		},
	},
	{
		name: 'create.race',
		guarantee:
			'If several creates of one name arrive at the same time, exactly one makes the sub-user, and each costs the fee.',
		source: 'docs/api.md 8.2 The fee',
		creates: SAME_TIME,
		async check({ api, subUsers }) {
			const username = subUsers.freshName();
			const before = await api.balance();
			const answers = await Promise.all(Array.from({ length: SAME_TIME }, () => api.create({ username })));
			expectEqual('creates that succeeded', answers.filter(isAccepted).length, 1);
			const isTaken = ({ errorCode }: Answer) => errorCode === 'username_taken';
			expectEqual('creates answered username_taken', answers.filter(isTaken).length, SAME_TIME - 1);
			expectEqual('cents that were charged', before - (await api.balance()), SAME_TIME * CREATE_FEE_CENTS);
		},
	},
];
