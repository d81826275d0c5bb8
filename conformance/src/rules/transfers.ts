import { endpoints, MAX_CENTS } from '@bursar/contract';
import {
	accountIn,
	expectAccepted,
	expectEqual,
	expectFailure,
	expectFields,
	expectThat,
	fieldOf,
	isAccepted,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import type { Answer } from '../wire/answer.ts';

const GIVE = 'docs/api.md 9.1 Give balance';
const TAKE = 'docs/api.md 9.2 Take balance';
const PROOF = 'docs/api.md 3.5 What an answer proves';
const SAME_TIME = 8;
const ROUNDS = 5;

/** Moving balance between a reseller and its sub-users. */
export const transferRules: readonly Rule[] = [
	{
		name: 'transfers.give',
		basis: 'contract',
		guarantee:
			"A give moves exactly the amount from the reseller to the sub-user, answers the sub-user's balance, and changes nothing else.",
		source: GIVE,
		needs: ['sub-user'],
		balanceCents: 42,
		async check(session) {
			const { api } = session;
			const before = await api.balance();
			const subUser = await lookAt(session);
			for (const [cents, balanceCents] of [
				[1, 1],
				[41, 42],
			] as const) {
				expectTransferAnswer(session, await api.give(session.subUser(), cents), balanceCents);
			}
			await expectBalances(session, { reseller: before - 42, subUser: 42 });
			expectEqual('the sub-user', await lookAt(session), { ...subUser, balance: 42 });
		},
	},
	{
		name: 'transfers.take',
		basis: 'contract',
		guarantee:
			"A take moves exactly the amount from the sub-user to the reseller, answers the sub-user's balance, and changes nothing else.",
		source: TAKE,
		needs: ['sub-user'],
		balanceCents: 42,
		async check(session) {
			const { api } = session;
			const before = await api.balance();
			expectAccepted(await api.give(session.subUser(), 42));
			const subUser = await lookAt(session);
			// Less than half of the balance, to find a take that is done twice.
			expectTransferAnswer(session, await api.take(session.subUser(), 2), 40);
			await expectBalances(session, { reseller: before - 40, subUser: 40 });
			expectTransferAnswer(session, await api.take(session.subUser(), 40), 0);
			await expectBalances(session, { reseller: before, subUser: 0 });
			expectEqual('the sub-user', await lookAt(session), { ...subUser, balance: 0 });
		},
	},
	{
		name: 'transfers.beyond-the-resellers-balance',
		basis: 'contract',
		guarantee: "A give of more than the reseller's balance answers 402, and nothing moves.",
		source: GIVE,
		needs: ['sub-user'],
		async check(session) {
			const { api } = session;
			const before = await api.balance();
			for (const cents of new Set([Math.min(before + 1, MAX_CENTS), MAX_CENTS])) {
				if (cents <= before) continue;
				const what = cents === MAX_CENTS ? 'the largest amount' : 'one cent too much';
				expectFailure(await api.give(session.subUser(), cents), 402, 'insufficient_balance', what);
			}
			await expectBalances(session, { reseller: before, subUser: 0 });
		},
	},
	{
		name: 'transfers.beyond-the-sub-users-balance',
		basis: 'contract',
		guarantee: "A take of more than the sub-user's balance answers 402, and nothing moves.",
		source: TAKE,
		needs: ['sub-user'],
		balanceCents: 20,
		async check(session) {
			const { api } = session;
			const before = await api.balance();
			expectFailure(await api.take(session.subUser(), 1), 402, 'insufficient_balance', 'from an empty sub-user');
			expectAccepted(await api.give(session.subUser(), 20));
			for (const cents of [21, MAX_CENTS]) {
				expectFailure(await api.take(session.subUser(), cents), 402, 'insufficient_balance', `${cents} of 20 cents`);
			}
			await expectBalances(session, { reseller: before - 20, subUser: 20 });
		},
	},
	{
		name: 'transfers.whole-balance',
		basis: 'contract',
		guarantee: 'The whole balance of the reseller can be given, and the whole balance of the sub-user can be taken.',
		source: `${GIVE}; ${TAKE}`,
		needs: ['sub-user', 'whole-balance'],
		balanceCents: 1,
		async check(session) {
			const { api } = session;
			const before = await api.balance();
			expectTransferAnswer(session, await api.give(session.subUser(), before), before);
			await expectBalances(session, { reseller: 0, subUser: before });
			expectTransferAnswer(session, await api.take(session.subUser(), before), 0);
			await expectBalances(session, { reseller: before, subUser: 0 });
		},
	},
	{
		name: 'transfers.racing-gives',
		basis: 'contract',
		guarantee: 'If several gives arrive at the same time, each of more than half the balance, exactly one succeeds.',
		source: PROOF,
		needs: ['sub-user', 'whole-balance'],
		balanceCents: 1,
		async check(session) {
			const { api } = session;
			const before = await api.balance();
			const cents = Math.floor(before / 2) + 1;
			const answers = await sameTime(() => api.give(session.subUser(), cents));
			expectTransferAnswer(session, expectOneOf(answers), cents);
			await expectBalances(session, { reseller: before - cents, subUser: cents });
		},
	},
	{
		name: 'transfers.racing-takes',
		basis: 'contract',
		guarantee: 'If several takes arrive at the same time, each of more than half the balance, exactly one succeeds.',
		source: PROOF,
		needs: ['sub-user'],
		balanceCents: 10,
		async check(session) {
			const { api } = session;
			const before = await api.balance();
			expectAccepted(await api.give(session.subUser(), 10));
			const answers = await sameTime(() => api.take(session.subUser(), 6));
			expectTransferAnswer(session, expectOneOf(answers), 4);
			await expectBalances(session, { reseller: before - 4, subUser: 4 });
		},
	},
	{
		name: 'transfers.add-up-at-the-same-time',
		basis: 'contract',
		guarantee: 'If several gives arrive at the same time and the balance is enough, all of them count.',
		source: PROOF,
		needs: ['sub-user'],
		balanceCents: SAME_TIME * 3,
		async check(session) {
			const before = await session.api.balance();
			const answers = await sameTime(() => session.api.give(session.subUser(), 3));
			const balances = answers.map((answer) => fieldOf(expectAccepted(answer), 'balance') as number);
			const oneAfterAnother = Array.from({ length: SAME_TIME }, (_, index) => (index + 1) * 3);
			// The contract does not name the field.
			if (session.heldTo === 'bursar') {
				expectEqual(
					'the balances in the answers',
					balances.toSorted((one, other) => one - other),
					oneAfterAnother,
				);
			}
			await expectBalances(session, { reseller: before - SAME_TIME * 3, subUser: SAME_TIME * 3 });
		},
	},
	{
		name: 'transfers.are-read-afterwards',
		basis: 'bursar',
		guarantee: 'Reads that begin after the answer to a transfer show it, on any connection.',
		source: PROOF,
		needs: ['sub-user'],
		balanceCents: ROUNDS,
		async check(session) {
			const { api } = session;
			const before = await api.balance();
			for (let given = 1; given <= ROUNDS; given++) {
				expectAccepted(await api.give(session.subUser(), 1));
				await Promise.all(
					Array.from({ length: 3 }, () => expectBalances(session, { reseller: before - given, subUser: given })),
				);
			}
		},
	},
];

function sameTime(call: () => Promise<Answer>): Promise<Answer[]> {
	return Promise.all(Array.from({ length: SAME_TIME }, call));
}

/** Exactly one call must succeed. Gives its answer. */
function expectOneOf(answers: readonly Answer[]): Answer {
	const accepted = answers.filter(isAccepted);
	expectEqual('calls that succeeded', accepted.length, 1);
	for (const answer of answers) if (!isAccepted(answer)) expectFailure(answer, 402, 'insufficient_balance');
	return accepted[0] as Answer;
}

/**
 * The answer must have the name and the new balance of the sub-user. The contract names no field for the balance after a
 * give, and says nothing about the answer to a take.
 */
function expectTransferAnswer({ heldTo, subUser }: Session, answer: Answer, balanceCents: number): void {
	const accepted = expectAccepted(answer);
	const what = `data of ${answer.asked}`;
	if (heldTo === 'bursar') {
		const data = expectFields(what, accepted, ['username', 'balance']);
		expectEqual(what, data, { username: subUser(), balance: balanceCents });
	} else if (answer.asked.endsWith(endpoints.giveBalance.path)) {
		const values = Object.values(accepted ?? {});
		expectThat(values.includes(balanceCents), what, `a field with the new balance ${balanceCents}`, accepted);
	}
}

async function lookAt({ api, subUser }: Session): Promise<Record<string, unknown>> {
	return accountIn(expectAccepted(await api.viewSingle(subUser())));
}

/** Reads both balances, in cents. */
async function expectBalances(session: Session, expected: { readonly reseller: number; readonly subUser: number }) {
	const [reseller, subUser] = await Promise.all([session.api.balance(), session.api.balanceOf(session.subUser())]);
	expectEqual('the balances of the reseller and of the sub-user', { reseller, subUser }, expected);
}
