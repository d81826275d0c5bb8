import { CREATE_FEE_CENTS } from '@bursar/contract';
import {
	ACCOUNT_FIELDS,
	expectAccepted,
	expectArray,
	expectEqual,
	expectFailure,
	expectFields,
	expectThat,
	fieldOf,
	isAccepted,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import { CLOCK_TOLERANCE_S } from './every-answer.ts';

const SAME_TIME = 4;

/** The answer and the effect of a create. */
export const createRules: readonly Rule[] = [
	{
		name: 'create.answer',
		basis: 'bursar',
		guarantee: 'A create answers 200 with exactly the four fields of the sub-user, as view_single shows it.',
		source: 'docs/api.md 8.1 The answer',
		creates: 1,
		async check({ api, subUsers }) {
			const username = subUsers.freshName();
			const answer = await api.create({ username });
			expectEqual('the status', answer.status, 200);
			const data = expectFields(`data of ${answer.asked}`, answer.data, ACCOUNT_FIELDS);
			expectEqual('view_single', expectAccepted(await api.viewSingle(username)), data);
		},
	},
	{
		name: 'create.is-read-afterwards',
		basis: 'contract',
		guarantee:
			'A create answers the requested name and an auth key. Then view_single and view_all show both, the balance 0 and the date of now.',
		source: 'docs/api.md 3.5 What an answer proves',
		creates: 1,
		async check({ api, subUsers }) {
			const username = subUsers.freshName();
			const created = expectAccepted(await api.create({ username }));
			expectEqual('the username in the answer', fieldOf(created, 'username'), username);
			const key = fieldOf(created, 'proxy_authkey');
			expectThat(typeof key === 'string' && key !== '', 'the auth key in the answer', 'a key', key);
			const all = expectArray('data of view_all', expectAccepted(await api.viewAll()));
			const listed = all.filter((entry) => fieldOf(entry, 'username') === username);
			expectEqual('its entries in view_all', listed.length, 1);
			for (const shown of [expectAccepted(await api.viewSingle(username)), listed[0]]) {
				expectEqual('the username', fieldOf(shown, 'username'), username);
				expectEqual('the balance', fieldOf(shown, 'balance'), 0);
				expectThat(fieldOf(shown, 'proxy_authkey') === key, 'the auth key', 'the one in the answer', 'another one');
				const date = fieldOf(shown, 'date_created');
				const isNow = Math.abs(Date.parse(String(date)) - Date.now()) <= CLOCK_TOLERANCE_S * 1000;
				expectThat(isNow, 'the date', `within ${CLOCK_TOLERANCE_S} s of ${new Date().toISOString()}`, date);
			}
		},
	},
	{
		name: 'create.ignores-other-fields',
		basis: 'bursar',
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
		basis: 'bursar',
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
		basis: 'contract',
		guarantee:
			'If several creates of one name arrive at the same time, exactly one makes the sub-user, and each costs the fee.',
		source: 'docs/api.md 8.2 The fee',
		creates: SAME_TIME,
		async check({ api, subUsers }) {
			const username = subUsers.freshName();
			const before = await api.balance();
			const answers = await Promise.all(Array.from({ length: SAME_TIME }, () => api.create({ username })));
			expectEqual('creates that succeeded', answers.filter(isAccepted).length, 1);
			for (const answer of answers) if (!isAccepted(answer)) expectFailure(answer, 409, 'username_taken');
			expectEqual('cents that were charged', before - (await api.balance()), SAME_TIME * CREATE_FEE_CENTS);
		},
	},
];
