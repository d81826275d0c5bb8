import { randomUUID } from 'node:crypto';
import { allEndpoints, CHANGE_ID_HEADER, REFERENCE_HEADER } from '@bursar/contract';
import {
	expectAccepted,
	expectArray,
	expectEqual,
	expectFailure,
	expectFields,
	expectForm,
	expectThat,
	fieldOf,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Answer } from '../wire/answer.ts';
import { rawRequest, sendAll } from '../wire/raw-request.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';
import { CLOCK_TOLERANCE_S } from './every-answer.ts';
import { expectOffered } from './life.ts';
import { WRONG_PAGES } from './pages.ts';

const STATEMENT = 'docs/api.md 11.6 Page of the statement';
const DAY_MS = 86_400_000;
const REFERENCES = 'docs/api.md 9.4 References';
const { giveBalance, takeBalance, viewStatementPage } = allEndpoints;

/** `view_page` of the statement. */
export const statementRules: readonly Rule[] = [
	{
		name: 'statement.movements',
		basis: 'bursar',
		guarantee:
			'The statement tells of each movement once, the newest first, with both balances, its own id, and those of its request and its change.',
		source: STATEMENT,
		needs: ['sub-user'],
		creates: 1,
		balanceCents: 3,
		async check({ api, subUser, subUsers }) {
			await expectOffered(api);
			const wanted = subUsers.freshName();
			const created = await api.create({ username: wanted });
			const change_id = `statement-${randomUUID()}`;
			const body = { username: subUser(), amount_usd_cents: 3 };
			const given = await api.call(giveBalance, { body, headers: { [CHANGE_ID_HEADER]: change_id } });
			const taken = await api.take(subUser(), 2);
			const { movements } = await pageOf(api, { limit: 3 });
			expectEqual('movements in a page of three', movements.length, 3);
			const [take, give, fee] = movements;
			const balance = fieldOf(take, 'balance') as number;
			const id = fieldOf(take, 'id') as number;
			expectThat(Number.isSafeInteger(id) && id >= 3, 'the id of the newest', 'an integer of at least 3', id);
			const named = { change_id: null, reference: null };
			for (const [movement, answer, expected] of [
				[take, taken, { id, kind: 'take', username: subUser(), amount: 2, balance, sub_user_balance: 1, ...named }],
				[
					give,
					given,
					{
						...{ id: id - 1, kind: 'give', username: subUser(), amount: 3, balance: balance - 2, sub_user_balance: 3 },
						...{ ...named, change_id },
					},
				],
				[
					fee,
					created,
					{
						...{ id: id - 2, kind: 'create_fee', username: wanted, amount: 10, balance: balance + 1 },
						...{ sub_user_balance: null, ...named },
					},
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
		name: 'statement.oldest-first',
		basis: 'bursar',
		guarantee: 'The oldest first, next leads to each movement once, also later, and a bare id is a place too.',
		source: STATEMENT,
		needs: ['sub-user'],
		balanceCents: 5,
		async check({ api, subUser }) {
			await expectOffered(api);
			const oldest = (body: object) => pageOf(api, { order: 'oldest', ...body });
			const after = fieldOf((await pageOf(api, { limit: 1 })).movements[0], 'id') as number;
			for (let cents = 1; cents <= 3; cents++) expectAccepted(await api.give(subUser(), 1));
			const { movements, next, more } = await oldest({ after });
			expectEqual(
				'the ids behind the newest movement',
				movements.map((each) => fieldOf(each, 'id')),
				[after + 1, after + 2, after + 3],
			);
			expectEqual('whether there is more', more, false);
			const newest = await pageOf(api, { limit: 3 });
			expectEqual('the newest first', newest.movements, movements.toReversed());
			let place: unknown = String(after);
			for (const [index, movement] of movements.entries()) {
				const page = await oldest({ after: place, limit: 1 });
				expectEqual('a page of one', page.movements, [movement]);
				expectEqual('whether there is more', page.more, index < 2);
				expectForm('its next', page.next, /^[0-9]+-[0-9a-f]{16}$/, 'an id and its guard');
				place = page.next;
			}
			expectEqual('the place behind the last one', place, next);
			expectEqual('a page at the end', await oldest({ after: next }), { movements: [], next, more: false });
			for (let cents = 1; cents <= 2; cents++) expectAccepted(await api.give(subUser(), 1));
			const later = await oldest({ after: next });
			expectEqual(
				'what came later',
				later.movements.map((each) => fieldOf(each, 'id')),
				[after + 4, after + 5],
			);
		},
	},
	{
		name: 'statement.rewound',
		basis: 'bursar',
		guarantee: 'An id above the newest, or one of another movement, is 410 statement_rewound, with the newest id.',
		source: STATEMENT,
		needs: ['sub-user'],
		balanceCents: 1,
		async check({ api, subUser }) {
			await expectOffered(api);
			expectAccepted(await api.give(subUser(), 1));
			const newest = fieldOf((await pageOf(api, { limit: 1 })).movements[0], 'id') as number;
			const foreign = '0123456789abcdef';
			for (const after of [newest + 1, String(newest + 1), `${newest + 1}-${foreign}`, `${newest}-${foreign}`]) {
				const answer = await api.call(viewStatementPage, { body: { order: 'oldest', after } });
				expectFailure(answer, 410, 'statement_rewound', `after ${after}`);
				expectEqual('X-Statement-Newest', answer.headers.get('x-statement-newest'), String(newest));
			}
		},
	},
	{
		name: 'statement.references',
		basis: 'bursar',
		guarantee: 'A give and a take are stored with their X-Reference, and the statement finds them by exactly that.',
		source: REFERENCES,
		needs: ['sub-user'],
		balanceCents: 4,
		async check({ api, subUser }) {
			await expectOffered(api);
			const reference = `order-${randomUUID()}`;
			const longest = `~${randomUUID()}${'!'.repeat(91)}`;
			for (const [endpoint, cents, sent] of [
				[giveBalance, 3, reference],
				[giveBalance, 1, longest],
				[takeBalance, 2, reference],
			] as const) {
				const body = { username: subUser(), amount_usd_cents: cents };
				expectAccepted(await api.call(endpoint, { body, headers: { [REFERENCE_HEADER]: sent } }));
			}
			for (const order of ['oldest', 'newest']) {
				const { movements } = await pageOf(api, { order, reference });
				const found = movements.map((each) => [fieldOf(each, 'kind'), fieldOf(each, 'reference')]);
				const expected = [
					['give', reference],
					['take', reference],
				];
				expectEqual(`the ${order} first`, found, order === 'oldest' ? expected : expected.toReversed());
			}
			const { movements } = await pageOf(api, { reference: longest });
			expectEqual('movements with the longest reference', movements.length, 1);
			const { movements: none } = await pageOf(api, { reference: reference.slice(0, -1) });
			expectEqual('movements with a part of the reference', none, []);
		},
	},
	{
		name: 'statement.malformed-references',
		basis: 'bursar',
		guarantee: 'A give or a take with a malformed X-Reference, or with two, answers 400, and nothing moves.',
		source: REFERENCES,
		needs: ['sub-user'],
		balanceCents: 2,
		async check(session) {
			const { api, baseUrl, subUser } = session;
			await expectOffered(api);
			expectAccepted(await api.give(subUser(), 2));
			const before = await api.balance();
			const body = { username: subUser(), amount_usd_cents: 1 };
			for (const endpoint of [giveBalance, takeBalance]) {
				for (const malformed of ['', 'two words', 'x'.repeat(129)]) {
					const answer = await api.call(endpoint, { body, headers: { [REFERENCE_HEADER]: malformed } });
					expectFailure(answer, 400, 'invalid_request', `sent with ${JSON.stringify(malformed).slice(0, 40)}`);
				}
				const twice = [`${REFERENCE_HEADER}: order-1`, `${REFERENCE_HEADER}: order-1`];
				const { method, path } = endpoint;
				const request = rawRequest(baseUrl, method, path, { token: api.token, headers: twice, body });
				const [answer] = await sendAll(session, [request]);
				expectFailure(answer as Answer, 400, 'invalid_request', 'sent with two');
			}
			expectEqual('the balance of the reseller', await api.balance(), before);
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
			const wrong = [
				...days.flatMap((day) => [{ from: day }, { to: day }]),
				...['', 'oldest first', 5, null].map((order) => ({ order })),
				...['', 'two words', 5, null].map((reference) => ({ reference })),
				...['', '-1', '01', '1-short', 'newest', -1, 1.5, {}].map((after) => ({ order: 'oldest', after })),
			];
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
	const data = expectAccepted(answer);
	const isOldest = 'order' in body && body.order === 'oldest';
	const fields = isOldest ? ['movements', 'next', 'more'] : ['movements', 'next'];
	const { movements, next, more } = expectFields(what, data, fields);
	return { movements: expectArray(`movements in ${what}`, movements), next, ...(isOldest && { more }) };
}
