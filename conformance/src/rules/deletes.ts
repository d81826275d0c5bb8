import { allEndpoints, CREATE_FEE_CENTS } from '@bursar/contract';
import { expectAccepted, expectEqual, expectFailure, fieldOf, isAccepted } from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { Answer } from '../wire/answer.ts';
import { newSubUser } from './life.ts';

const DELETE = 'docs/api.md 11.7 Delete';
const SAME_TIME = 4;
const ROUNDS = 3;
const { deleteSubUser, resumeSubUser, setLimits, setNote, suspendSubUser, viewDetails, viewSubUserPage } = allEndpoints;
const { viewStatementPage } = allEndpoints;

/** The end of a sub-user. */
export const deleteRules: readonly Rule[] = [
	{
		name: 'deletes.answer',
		basis: 'bursar',
		guarantee: 'A delete moves the whole balance back to the reseller, and answers the name and what went back.',
		source: DELETE,
		creates: 2,
		balanceCents: 7,
		async check(session) {
			const { api } = session;
			for (const cents of [7, 0]) {
				const username = await newSubUser(session);
				const before = await api.balance();
				if (cents > 0) expectAccepted(await api.give(username, cents));
				await call(session, suspendSubUser, username);
				const answer = await call(session, deleteSubUser, username.toUpperCase());
				expectEqual(`data of ${answer.asked}`, expectAccepted(answer), { username, amount_usd_cents: cents });
				expectEqual("the reseller's balance", await api.balance(), before);
			}
		},
	},
	{
		name: 'deletes.is-gone',
		basis: 'bursar',
		guarantee: 'After its delete a sub-user is unknown to every endpoint, and in no list. Its past stays.',
		source: DELETE,
		creates: 1,
		balanceCents: 2,
		async check(session) {
			const { api } = session;
			const username = await newSubUser(session);
			expectAccepted(await api.give(username, 2));
			expectAccepted(await call(session, deleteSubUser, username));
			const before = await api.balance();
			const answers = [
				await api.viewSingle(username),
				await api.viewTxs(username),
				await api.resetAuthKey(username),
				await api.give(username, 1),
				await api.take(username, 1),
			];
			for (const endpoint of [suspendSubUser, resumeSubUser, setLimits, setNote, viewDetails, deleteSubUser])
				answers.push(await call(session, endpoint, username));
			for (const answer of answers) expectFailure(answer, 404, 'unknown_sub_user');
			expectEqual("the reseller's balance", await api.balance(), before);
			const page = expectAccepted(await api.call(viewSubUserPage, { body: { prefix: username } }));
			for (const listed of [expectAccepted(await api.viewAll()), fieldOf(page, 'sub_users')]) {
				const names = (listed as readonly unknown[]).map((each) => fieldOf(each, 'username'));
				expectEqual('whether it is in a list', names.includes(username), false);
			}
			const { data } = await api.call(viewStatementPage, { body: { limit: 2 } });
			const listed = (fieldOf(data, 'movements') as readonly unknown[]).map((each) =>
				['kind', 'username', 'amount'].map((name) => fieldOf(each, name)),
			);
			const past = [
				['take', username, 2],
				['give', username, 2],
			];
			expectEqual('the last movements of the statement', listed, past);
		},
	},
	{
		name: 'deletes.name-stays-taken',
		basis: 'bursar',
		guarantee: 'The name of a deleted sub-user is never given again: a create with it answers 409 and costs the fee.',
		source: DELETE,
		creates: 2,
		async check(session) {
			const { api } = session;
			const username = await newSubUser(session);
			expectAccepted(await call(session, deleteSubUser, username));
			const before = await api.balance();
			expectFailure(await api.create({ username }), 409, 'username_taken');
			expectEqual('cents that were charged', before - (await api.balance()), CREATE_FEE_CENTS);
			expectEqual('whether it exists', isAccepted(await api.viewSingle(username)), false);
		},
	},
	{
		name: 'deletes.race',
		basis: 'bursar',
		guarantee: 'Of several deletes at the same time exactly one succeeds, and the balance goes back once.',
		source: DELETE,
		creates: 1,
		balanceCents: 5,
		async check(session) {
			const username = await newSubUser(session);
			const before = await session.api.balance();
			expectAccepted(await session.api.give(username, 5));
			const deletes = Array.from({ length: SAME_TIME }, () => call(session, deleteSubUser, username));
			const answers = await Promise.all(deletes);
			const amounts = answers.filter(isAccepted).map(({ data }) => fieldOf(data, 'amount_usd_cents'));
			expectEqual('what the successful ones answer', amounts, [5]);
			for (const answer of answers) if (!isAccepted(answer)) expectFailure(answer, 404, 'unknown_sub_user');
			expectEqual("the reseller's balance", await session.api.balance(), before);
		},
	},
	{
		name: 'deletes.race-with-transfers',
		basis: 'bursar',
		guarantee: 'Whatever moves while a sub-user is deleted, each cent is back at the reseller afterwards.',
		source: DELETE,
		creates: ROUNDS,
		balanceCents: 20,
		async check(session) {
			const { api } = session;
			for (let round = 0; round < ROUNDS; round++) {
				const username = await newSubUser(session);
				const before = await api.balance();
				expectAccepted(await api.give(username, 5));
				const gives = Array.from({ length: SAME_TIME }, () => api.give(username, 3));
				const [deleted, taken, ...given] = await Promise.all([
					call(session, deleteSubUser, username),
					api.take(username, 1),
					...gives,
				]);
				for (const answer of [taken, ...given]) if (!isAccepted(answer)) expectFailure(answer, 404, 'unknown_sub_user');
				const heldCents = 5 + 3 * given.filter(isAccepted).length - (isAccepted(taken) ? 1 : 0);
				const returned = fieldOf(expectAccepted(deleted), 'amount_usd_cents');
				expectEqual('what went back', returned, heldCents);
				expectEqual("the reseller's balance", await api.balance(), before);
			}
		},
	},
];

function call({ api }: Session, endpoint: (typeof allEndpoints)['deleteSubUser'], username: string): Promise<Answer> {
	return api.call(endpoint, { body: { username, day_bytes: 5, note: 'x' } });
}
