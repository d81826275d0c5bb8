import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { allEndpoints } from '@bursar/contract';
import { StatementPage } from '@bursar/contract/terms-schemas';
import { type Answer, assertFailure, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { Compile } from 'typebox/compile';
import { expiring, startExpiryService } from '../../support/expiry-service.ts';
import { assertRawFailure, rawCall, requestText } from '../../support/raw-socket.ts';

const statementPage = Compile(StatementPage);
const FOREIGN = '0123456789abcdef';

type Api = ReturnType<typeof resellerApi>;

/** A service with the reseller acme, whose sub-user alice got 1, 2 and 3 cents. The statement then has five movements. */
async function serveAcme(t: TestContext) {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1_000);
	const api = resellerApi(service.url, token);
	assert.equal((await api.create({ username: 'alice' })).status, 200);
	for (const cents of [1, 2, 3]) await give(api, cents);
	return { service, token, api };
}

async function give(api: Api, cents: number, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
	const answer = await api.give({ username: 'alice', amount_usd_cents: cents }, { headers });
	assert.equal(answer.status, 200, answer.text);
	return answer;
}

/** A page, which must be as the contract says. */
async function pageOf(api: Api, body: object): Promise<StatementPage> {
	const answer = await api.viewStatement(body);
	assert.equal(answer.status, 200, answer.text);
	assert.ok(statementPage.Check(answer.data), answer.text);
	return answer.data;
}

/** A page of the statement, the oldest first: its ids, its next, and whether there is more. */
async function idsAfter(api: Api, after: string | number | null, limit = 100) {
	const { movements, next, more } = await pageOf(api, { order: 'oldest', after, limit });
	return [movements.map(({ id }) => id), next, more] as const;
}

test('the oldest first, next leads from page to page, and goes on behind the last movement later', async (t) => {
	const { api } = await serveAcme(t);
	const [first, second, more] = await idsAfter(api, null, 2);
	assert.deepEqual([first, more], [[1, 2], true]);
	assert.match(second as string, /^2-[0-9a-f]{16}$/);
	const [rest, end, none] = await idsAfter(api, second);
	assert.deepEqual([rest, none], [[3, 4, 5], false]);
	assert.deepEqual(await idsAfter(api, end), [[], end, false]);
	assert.deepEqual(await idsAfter(api, end, 1), [[], end, false]);
	await give(api, 4);
	await give(api, 5);
	assert.deepEqual((await idsAfter(api, end, 1)).toSpliced(1, 1), [[6], true]);
	// A bare id becomes a guarded place.
	assert.deepEqual(await idsAfter(api, 2, 3), [[3, 4, 5], end, true]);
	assert.equal((await idsAfter(api, '7'))[1], (await idsAfter(api, end))[1]);
	const newest = await pageOf(api, { limit: 1_000 });
	assert.deepEqual(
		newest.movements.map(({ id }) => id),
		[7, 6, 5, 4, 3, 2, 1],
	);
	assert.deepEqual([newest.next, newest.more], [null, undefined]);
});

test('an empty statement has a place too', async (t) => {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 0);
	const api = resellerApi(service.url, token);
	assert.deepEqual(await idsAfter(api, null), [[], '0', false]);
	await service.submit({ kind: 'credit_reseller', reseller: 'acme', amountCents: 5, reference: 'r' });
	assert.deepEqual((await idsAfter(api, '0'))[0], [1]);
});

test('a place that the statement has not is rewound: above the newest, or another movement', async (t) => {
	const { api } = await serveAcme(t);
	for (const after of [6, '6', `6-${FOREIGN}`, `5-${FOREIGN}`, `1-${FOREIGN}`, `0-${FOREIGN}`]) {
		const answer = await api.viewStatement({ order: 'oldest', after });
		assertFailure(answer, 410, 'statement_rewound', String(after));
		assert.equal(answer.headers.get('x-statement-newest'), '5');
	}
});

test('a movement has its own id, the id of its change, and its reference', async (t) => {
	const { api } = await serveAcme(t);
	const given = await give(api, 7, { 'x-change-id': 'give-seven-cents-1', 'x-reference': 'order-7' });
	await api.create({ username: 'bruno' }, { headers: { 'x-change-id': 'create-bruno-once' } });
	const take = { username: 'alice', amount_usd_cents: 2 };
	assert.equal((await api.take(take, { headers: { 'x-reference': 'order-7' } })).status, 200);
	const { movements } = await pageOf(api, { order: 'oldest', after: 5 });
	assert.deepEqual(
		movements.map(({ id, kind, change_id, reference }) => [id, kind, change_id, reference]),
		[
			[6, 'give', 'give-seven-cents-1', 'order-7'],
			[7, 'create_fee', 'create-bruno-once', null],
			[8, 'take', null, 'order-7'],
		],
	);
	assert.equal(movements[0]?.request_id, given.headers.get('x-request-id'));
});

test('the statement is searched by exactly a reference, in both orders, also while others come between', async (t) => {
	const { service, api } = await serveAcme(t);
	const { token } = await service.openReseller('bolt', 1_000);
	const other = resellerApi(service.url, token);
	await other.create({ username: 'bruno' });
	const ids: number[] = [];
	for (let cents = 10; cents < 16; cents++) {
		const reference = cents % 2 === 0 ? 'order-1' : 'order-10';
		await give(api, cents, { 'x-reference': reference });
		await give(api, 1);
		await other.give({ username: 'bruno', amount_usd_cents: 1 }, { headers: { 'x-reference': reference } });
		if (reference === 'order-1') ids.push(4 + 2 * (cents - 9));
	}
	const found: number[] = [];
	for (let after: string | null = null, more = true; more; ) {
		const page: StatementPage = await pageOf(api, { order: 'oldest', reference: 'order-1', limit: 2, after });
		found.push(...page.movements.map(({ id }) => id));
		[after, more] = [page.next, page.more ?? assert.fail()];
	}
	assert.deepEqual(found, ids);
	const newest = await pageOf(api, { reference: 'order-1', limit: 2 });
	assert.deepEqual(
		newest.movements.map(({ id }) => id),
		ids.toReversed().slice(0, 2),
	);
	const rest = await pageOf(api, { reference: 'order-1', limit: 2, after: newest.next });
	assert.deepEqual([rest.movements.map(({ id }) => id), rest.next], [[ids[0]], null]);
	for (const reference of ['order', 'ORDER-1', 'order-1%', 'order-2']) {
		assert.deepEqual((await pageOf(api, { reference })).movements, []);
	}
});

test('a wrong field of a page is refused', async (t) => {
	const { api } = await serveAcme(t);
	const places = ['', '-1', '01', '1-', `1-${FOREIGN}0`, `1-${FOREIGN.toUpperCase()}`, ' 1', '1'.repeat(16), -1, 1.5];
	for (const body of [
		...[...places, 1e21, true, {}, [1]].map((after) => ({ order: 'oldest', after })),
		...[5, `5-${FOREIGN}`, '0'].map((after) => ({ after })),
		...[null, '', 'Oldest', 5].map((order) => ({ order })),
		...[null, '', 5, 'two words', 'ü', 'x'.repeat(129)].map((reference) => ({ reference })),
	]) {
		assertFailure(await api.viewStatement(body), 400, 'invalid_request', JSON.stringify(body));
	}
});

test('a malformed reference, or one that is sent twice, moves nothing; other calls ignore it', async (t) => {
	const { service, api, token } = await serveAcme(t);
	const amount = { username: 'alice', amount_usd_cents: 1 };
	for (const reference of ['!', '~', `"\\'{},;=`, 'x'.repeat(128)]) {
		await give(api, 1, { 'x-reference': reference });
		const [movement] = (await pageOf(api, { reference, limit: 1 })).movements;
		assert.equal(movement?.reference, reference);
	}
	const before = (await pageOf(api, {})).movements;
	for (const sent of [[''], ['two words'], ['é'], ['x'.repeat(129)], ['one', 'two'], ['one', 'one'], ['', '']]) {
		for (const { path } of [allEndpoints.giveBalance, allEndpoints.takeBalance]) {
			const lines = [`Authorization: Bearer ${token}`, ...sent.map((value) => `X-Reference: ${value}`)];
			const answer = await rawCall(t, service.url, requestText('POST', path, lines, JSON.stringify(amount)));
			assertRawFailure(answer, 400, 'invalid_request');
			assert.match(JSON.parse(answer.body).message, /^X-Reference must be 1 to 128 visible/);
		}
	}
	assert.deepEqual((await pageOf(api, {})).movements, before);
	const ignored = { headers: { 'x-reference': 'two words' } };
	assert.equal((await api.create({ username: 'bruno' }, ignored)).status, 200);
	assert.equal((await api.viewSingle({ username: 'bruno' }, ignored)).status, 200);
	assert.equal((await api.delete({ username: 'bruno' }, ignored)).status, 200);
});

interface Order {
	readonly id: string;
	readonly username: string;
	readonly cents: number;
}

/** The longest expiry that the shop gives, in seconds. */
const EXPIRY_S = 30;

/** A shop as docs/api.md 10.7 describes it. `wait` until the answers of the service have this time. */
async function finishOrder(api: Api, { id, username, cents }: Order, wait: (untilSeconds: number) => Promise<void>) {
	const begun = secondsOf(await api.myInfo());
	const find = async () => {
		const { movements } = await pageOf(api, { reference: id, limit: 1_000 });
		if (movements.length === 0) return undefined;
		const own = movements.every((each) => each.kind === 'give' && each.username === username && each.amount === cents);
		return movements.length === 1 && own ? `found ${movements[0]?.change_id}` : 'for a person';
	};
	const found = await find();
	if (found !== undefined) return found;
	await wait(begun + EXPIRY_S);
	await wait(begun + EXPIRY_S + 5);
	const late = await find();
	if (late !== undefined) return late;
	return (await giveFor(api, { id, username, cents }, 'change-after-crash')) ? 'given' : 'refused';
}

async function giveFor(api: Api, { id, username, cents }: Order, changeId: string): Promise<boolean> {
	const expires = secondsOf(await api.myInfo()) + EXPIRY_S;
	const headers = { ...expiring(expires).headers, 'x-change-id': changeId, 'x-reference': id };
	const answer = await api.give({ username, amount_usd_cents: cents }, { headers });
	return answer.status === 200;
}

function secondsOf({ text }: Answer): number {
	return JSON.parse(text).timestamp;
}

const ORDER: Order = { id: 'order-7781', username: 'alice', cents: 5 };

test('a shop that crashed before it stored anything finds its order, and gives it once', async (t) => {
	type Shop = Awaited<ReturnType<typeof startExpiryService>> & {
		wait(untilSeconds: number): Promise<void>;
	};
	const cases: readonly (readonly [what: string, (shop: Shop) => Promise<string>, expected: string])[] = [
		[
			'done before the crash',
			async ({ api, wait }) => {
				assert.ok(await giveFor(api, ORDER, 'change-before-crash'));
				return finishOrder(api, ORDER, wait);
			},
			'found change-before-crash',
		],
		['never sent', ({ api, wait }) => finishOrder(api, ORDER, wait), 'given'],
		[
			'on its way during the crash, and done while the shop waits',
			({ api, wait }) => {
				let arrived: Promise<boolean> | undefined;
				return finishOrder(api, ORDER, async (untilSeconds) => {
					arrived ??= giveFor(api, ORDER, 'change-on-its-way');
					assert.ok(await arrived);
					await wait(untilSeconds);
				});
			},
			'found change-on-its-way',
		],
		[
			'on its way for longer than the shop waits',
			async ({ api, wait }) => {
				const expires = secondsOf(await api.myInfo()) + EXPIRY_S;
				const finished = await finishOrder(api, ORDER, wait);
				const headers = { ...expiring(expires).headers, 'x-reference': ORDER.id };
				const late = await api.give({ username: 'alice', amount_usd_cents: 5 }, { headers });
				assertFailure(late, 503, 'unavailable');
				return finished;
			},
			'given',
		],
		[
			'another amount has its reference',
			async ({ api, wait }) => {
				assert.ok(await giveFor(api, { ...ORDER, cents: 6 }, 'change-before-crash'));
				return finishOrder(api, ORDER, wait);
			},
			'for a person',
		],
	];
	for (const [what, run, expected] of cases) {
		const service = await startExpiryService(t);
		const { api, overrides } = service;
		const wait = async (untilSeconds: number) => {
			overrides.shiftMs += Math.max(0, untilSeconds - secondsOf(await api.myInfo())) * 1000;
		};
		assert.equal(await run({ ...service, wait }), expected, what);
		assert.equal((await pageOf(api, { reference: ORDER.id })).movements.length, 1, what);
	}
});
