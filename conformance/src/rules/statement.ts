import { allEndpoints } from '@bursar/contract';
import {
	expectAccepted,
	expectArray,
	expectEqual,
	expectFailure,
	expectFields,
	expectThat,
	fieldOf,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';
import { CLOCK_TOLERANCE_S } from './every-answer.ts';
import { expectOffered } from './life.ts';
import { WRONG_PAGES } from './pages.ts';

const STATEMENT = 'docs/api.md 11.6 Page of the statement';
const DAY_MS = 86_400_000;
const { viewStatementPage } = allEndpoints;

/** `view_page` of the statement. */
export const statementRules: readonly Rule[] = [
	{
		name: 'statement.movements',
		basis: 'bursar',
		guarantee: 'The statement tells of each movement once, the newest first, with both balances and its request id.',
		source: STATEMENT,
		needs: ['sub-user'],
		creates: 1,
		balanceCents: 3,
		async check({ api, subUser, subUsers }) {
			await expectOffered(api);
			const wanted = subUsers.freshName();
			const created = await api.create({ username: wanted });
			const given = await api.give(subUser(), 3);
			const taken = await api.take(subUser(), 2);
			const { movements } = await pageOf(api, { limit: 3 });
			expectEqual('movements in a page of three', movements.length, 3);
			const [take, give, fee] = movements;
			const balance = fieldOf(take, 'balance') as number;
			for (const [movement, answer, expected] of [
				[take, taken, { kind: 'take', username: subUser(), amount: 2, balance, sub_user_balance: 1 }],
				[give, given, { kind: 'give', username: subUser(), amount: 3, balance: balance - 2, sub_user_balance: 3 }],
				[
					fee,
					created,
					{ kind: 'create_fee', username: wanted, amount: 10, balance: balance + 1, sub_user_balance: null },
				],
			] as const) {
				expectAccepted(answer);
				const { timestamp, ...rest } = movement as Record<string, unknown>;
				const request_id = answer.headers.get('x-request-id');
				expectEqual(`the movement of ${answer.asked}`, rest, { ...expected, request_id });
				const isNow = Math.abs(Date.parse(String(timestamp)) - Date.now()) <= CLOCK_TOLERANCE_S * 1000;
				expectThat(isNow, `the timestamp of ${answer.asked}`, `within ${CLOCK_TOLERANCE_S} s of now`, timestamp);
			}
		},
	},
	{
		name: 'statement.pages',
		basis: 'bursar',
		guarantee: 'Pages of the statement follow each other without a gap and without a repeat.',
		source: STATEMENT,
		needs: ['sub-user'],
		balanceCents: 3,
		async check({ api, subUser }) {
			await expectOffered(api);
			for (let cents = 1; cents <= 3; cents++) expectAccepted(await api.give(subUser(), 1));
			const { movements } = await pageOf(api, { limit: 3 });
			const singly: unknown[] = [];
			let after: unknown = null;
			while (singly.length < 3) {
				const page = await pageOf(api, { limit: 1, after });
				expectEqual('movements of a page of one', page.movements.length, 1);
				expectThat(typeof page.next === 'string', 'its next', 'a text', page.next);
				singly.push(...page.movements);
				after = page.next;
			}
			expectEqual('pages of one', singly, movements);
		},
	},
	{
		name: 'statement.days',
		basis: 'bursar',
		guarantee: 'With from and to, the statement has the movements of these UTC days, both included.',
		source: STATEMENT,
		needs: ['sub-user'],
		balanceCents: 1,
		async check({ api, subUser }) {
			await expectOffered(api);
			expectAccepted(await api.give(subUser(), 1));
			const [newest] = (await pageOf(api, { limit: 1 })).movements;
			const atMs = Date.parse(String(fieldOf(newest, 'timestamp')));
			const day = (days: number) => new Date(atMs + days * DAY_MS).toISOString().slice(0, '2026-11-21'.length);
			const id = fieldOf(newest, 'request_id');
			for (const [fields, isThere] of [
				[{ from: day(0) }, true],
				[{ to: day(0) }, true],
				[{ from: day(0), to: day(0) }, true],
				[{ from: day(-5), to: day(5) }, true],
				[{ from: day(1) }, false],
				[{ to: day(-1) }, false],
				[{ from: day(-5), to: day(-1) }, false],
				[{ from: day(1), to: day(-1) }, false],
			] as const) {
				const { movements } = await pageOf(api, { ...fields, limit: 1 });
				const isFound = movements.some((each) => fieldOf(each, 'request_id') === id);
				expectEqual(`whether it is in the statement with ${JSON.stringify(fields)}`, isFound, isThere);
			}
		},
	},
	{
		name: 'statement.wrong-fields',
		basis: 'bursar',
		guarantee: 'A page of the statement with a field of another type or out of bounds answers 400.',
		source: STATEMENT,
		async check({ api }) {
			await expectOffered(api);
			const days = [5, null, '2026-02-30', '2026-11-21T00:00:00Z', '21.11.2026', ''];
			const wrong = days.flatMap((day) => [{ from: day }, { to: day }]);
			for (const body of [...WRONG_PAGES, ...wrong]) {
				const what = `sent with ${JSON.stringify(body).slice(0, 40)}`;
				expectFailure(await api.call(viewStatementPage, { body }), 400, 'invalid_request', what);
			}
		},
	},
	{
		name: 'statement.foreign',
		basis: 'bursar',
		guarantee: 'The statement shows no movement of another reseller.',
		source: STATEMENT,
		needs: ['second-reseller'],
		async check(session) {
			await expectOffered(session.api);
			const { api, subUser, username } = session.second();
			expectAccepted(await api.give(subUser, 1));
			const [theirs] = (await pageOf(api, { limit: 1 })).movements;
			const { movements } = await pageOf(session.api, { limit: 1000 });
			const foreign = movements.filter((each) => {
				// A movement of a failed create has the requested name, which may be a name of another reseller.
				const isNamed = [subUser, username].some((name) => name === fieldOf(each, 'username'));
				const isFee = fieldOf(each, 'kind') === 'create_fee';
				return fieldOf(each, 'request_id') === fieldOf(theirs, 'request_id') || (isNamed && !isFee);
			});
			expectEqual('movements of the other reseller', foreign, []);
		},
	},
];

async function pageOf(api: ResellerApi, body: object) {
	const answer = await api.call(viewStatementPage, { body });
	const what = `data of ${answer.asked}`;
	const { movements, next } = expectFields(what, expectAccepted(answer), ['movements', 'next']);
	return { movements: expectArray(`movements in ${what}`, movements), next };
}
