import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { suspendReseller } from '../../support/commands.ts';
import { describedApi } from '../../support/described-api.ts';
import { createProviderInMemory, createsOf } from '../../support/payment-provider-in-memory.ts';

const PAY = { provider: 'stripe', amount_usd_cents: 5_000 };
const withChangeId = (id: string) => ({ headers: { 'x-change-id': id.padEnd(16, '0') } });

/** A service that takes payments through Stripe. Each answer must be as its document describes it. */
async function startWithProvider(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
	const provider = createProviderInMemory();
	// The service reads no payment by itself.
	const parts = { paymentProviders: new Map([['stripe', provider]] as const), paymentLookMs: 2 ** 31 - 1 };
	const service = await startTestService(t, environment, parts);
	// biome-ignore lint/suspicious/noExplicitAny: the document is untyped JSON, as for a client
	const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as any;
	const { assertDescribed } = describedApi(document);

	function callsOf(token: string) {
		const api = resellerApi(service.url, token);
		return {
			...api,
			async createTopUp(...sent: Parameters<typeof api.createTopUp>) {
				const answer = await api.createTopUp(...sent);
				assertDescribed('createTopUp', answer);
				return answer;
			},
			async viewTopUps(...sent: Parameters<typeof api.viewTopUps>) {
				const answer = await api.viewTopUps(...sent);
				assertDescribed('viewTopUpPage', answer);
				return answer;
			},
			async idsOf(body: object) {
				const { top_ups, next } = (await this.viewTopUps(body)).data;
				return { ids: top_ups.map(({ id }: { id: string }) => id), next };
			},
		};
	}
	const open = async (reseller: string) => callsOf((await service.openReseller(reseller, 0)).token);
	return { ...service, provider, callsOf, open };
}

test('a change id begins one payment, however often and with whatever else it is sent', async (t) => {
	const { open, provider } = await startWithProvider(t);
	const [acme, other] = [await open('acme'), await open('other')];
	const first = await acme.createTopUp(PAY, withChangeId('one'));
	assert.equal(first.data.change_id, 'one'.padEnd(16, '0'));
	const again = await Promise.all(
		[PAY, { ...PAY, amount_usd_cents: 9_000 }, { ...PAY, amount_usd_cents: 1 }].map((body) =>
			acme.createTopUp(body, withChangeId('one')),
		),
	);
	for (const answer of again) {
		assertFailure(answer, 409, 'change_repeated');
		const { kind, amount, username, balance } = answer.data.change;
		assert.deepEqual([kind, amount, username, balance], ['create_top_up', 5_000, null, null]);
	}
	assert.deepEqual((await acme.idsOf({})).ids, [first.data.id]);
	// Ids are those of a reseller.
	const theirs = await other.createTopUp(PAY, withChangeId('one'));
	assert.notEqual(theirs.data.id, first.data.id);
	assert.deepEqual(createsOf(provider), [`create ${first.data.id}`, `create ${theirs.data.id}`]);
	// And those of all its changes.
	await acme.createTopUp({ ...PAY, provider: 'paypal' }, withChangeId('two'));
	assertFailure(await acme.createTopUp(PAY, { headers: { 'x-change-id': 'short' } }), 400, 'invalid_request');
	assert.equal((await acme.createTopUp(PAY, withChangeId('two'))).status, 200, 'a refusal leaves no id');
	const looked = (await acme.viewChange({ change_id: 'two'.padEnd(16, '0') })).data;
	assert.deepEqual([looked.kind, looked.amount], ['create_top_up', 5_000]);
});

test('requests with one change id at the same time begin one payment', async (t) => {
	const { open } = await startWithProvider(t);
	const acme = await open('acme');
	const answers = await Promise.all(Array.from({ length: 8 }, () => acme.createTopUp(PAY, withChangeId('one'))));
	assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(409)]);
	assert.equal((await acme.idsOf({})).ids.length, 1);
});

test('the payments of another reseller are like those that do not exist', async (t) => {
	const { open } = await startWithProvider(t);
	const [acme, other] = [await open('acme'), await open('other')];
	const { id } = (await acme.createTopUp(PAY)).data;
	for (const body of [{}, { id }, { id: `pay_${'x'.repeat(22)}` }, { id: '' }, { only: 'waiting' }]) {
		assert.deepEqual(await other.idsOf(body), { ids: [], next: null }, JSON.stringify(body));
	}
	assertFailure(await other.viewTopUps({ after: id }), 400, 'invalid_request');
	assert.deepEqual((await acme.idsOf({ id })).ids, [id]);
});

test('only a token with the scope money begins a payment, and sees where it can be paid', async (t) => {
	const { open, callsOf } = await startWithProvider(t);
	const acme = await open('acme');
	const expires_at = new Date(Date.now() + 86_400_000).toISOString();
	const further = async (scope: string) =>
		callsOf((await acme.createToken({ name: scope, scopes: [scope], expires_at })).data.token);
	const { id } = (await (await further('money')).createTopUp(PAY)).data;
	for (const scope of ['read', 'sub_users']) {
		const api = await further(scope);
		assertFailure(await api.createTopUp(PAY), 403, 'missing_scope', scope);
		assertFailure(await api.viewTopUps({ id }), 403, 'missing_scope', scope);
	}
	assert.deepEqual((await acme.idsOf({})).ids, [id]);
});

test('what does not fit is refused, and begins no payment', async (t) => {
	const { open, provider, submit } = await startWithProvider(t);
	const acme = await open('acme');
	for (const [change, status, code] of [
		...(['5000', null, undefined, true, [5_000], {}] as const).map(
			(amount) => [{ amount_usd_cents: amount }, 400, 'invalid_request'] as const,
		),
		...([0, -5_000, 5_000.5, 0.1, 2 ** 53] as const).map(
			(amount) => [{ amount_usd_cents: amount }, 400, 'invalid_amount'] as const,
		),
		...([1, 999, 500_001, Number.MAX_SAFE_INTEGER] as const).map(
			(amount) => [{ amount_usd_cents: amount }, 400, 'amount_out_of_bounds'] as const,
		),
		...(['paypal', 'Stripe', '', null, undefined, 5] as const).map(
			(name) => [{ provider: name }, 400, 'invalid_request'] as const,
		),
		[{ provider: 'btcpay' }, 409, 'provider_off'],
	] as const) {
		assertFailure(await acme.createTopUp({ ...PAY, ...change }), status, code, JSON.stringify(change));
	}
	assertFailure(await acme.createTopUp(PAY, { headers: { 'x-request-expires': '1' } }), 503, 'unavailable');
	for (const body of [{ id: 5 }, { id: null }, { after: 'pay_1' }, { after: 5 }, { only: 'findings' }, { limit: 0 }]) {
		assertFailure(await acme.viewTopUps(body), 400, 'invalid_request', JSON.stringify(body));
	}
	await submit(suspendReseller('acme'));
	assertFailure(await acme.createTopUp(PAY), 403, 'suspended');
	assert.deepEqual(await acme.idsOf({}), { ids: [], next: null });
	assert.deepEqual(createsOf(provider), []);
});

test('the bounds are accepted, and the lenient mode takes an amount as text', async (t) => {
	const { open } = await startWithProvider(t, { BURSAR_LENIENT: '1' });
	const acme = await open('acme');
	for (const amount of [1_000, 500_000, '1000']) {
		assert.equal((await acme.createTopUp({ ...PAY, amount_usd_cents: amount })).data.amount, Number(amount));
	}
	assertFailure(await acme.createTopUp({ ...PAY, amount_usd_cents: '10.00' }), 400, 'invalid_request');
});

test('twenty payments wait, and a further one is refused', async (t) => {
	const { open } = await startWithProvider(t);
	const acme = await open('acme');
	await Promise.all(Array.from({ length: 20 }, () => acme.createTopUp(PAY)));
	assertFailure(await acme.createTopUp(PAY), 409, 'too_many_payments');
	assert.equal((await acme.idsOf({ only: 'waiting' })).ids.length, 20);
});

test('a service without providers takes no payments', async (t) => {
	const service = await startTestService(t);
	const api = resellerApi(service.url, (await service.openReseller('acme', 0)).token);
	assertFailure(await api.createTopUp(PAY), 409, 'provider_off');
	assert.deepEqual((await api.viewTopUps({})).data, { top_ups: [], next: null });
});

test('a payment can be paid at its url, and the balance has nothing of it', async (t) => {
	const { open, provider } = await startWithProvider(t);
	const acme = await open('acme');
	const { data } = await acme.createTopUp(PAY);
	const { id, url, expires_at, timestamp, ...rest } = data;
	assert.deepEqual(rest, {
		...{ provider: 'stripe', state: 'open', amount: 5_000, credited: 0, refunded: 0, disputed: 0, change_id: null },
	});
	assert.match(url, /^https:\/\/pay\.example\//);
	assert.ok(Date.parse(expires_at) > Date.parse(timestamp));
	provider.pay(id);
	assert.equal((await acme.myInfo()).data.balance, 0);
	assert.deepEqual((await acme.viewTopUps({ id })).data, { top_ups: [data], next: null });
});

test('if the provider cannot be reached, or refuses, the answer says so, and the payment can be followed', async (t) => {
	const { open, provider } = await startWithProvider(t);
	const acme = await open('acme');
	provider.isAway = true;
	const away = await acme.createTopUp(PAY, withChangeId('away'));
	assert.deepEqual([away.status, away.data.state, away.data.url], [200, 'creating', null]);
	assertFailure(await acme.createTopUp(PAY, withChangeId('away')), 409, 'change_repeated');
	provider.isAway = false;
	provider.refuses = true;
	assert.equal((await acme.createTopUp(PAY)).data.state, 'not_made');
	assert.deepEqual((await acme.idsOf({ only: 'waiting' })).ids, [away.data.id]);
});

test('a provider that is slow holds no answer up: the payment gets its page later', async (t) => {
	const { open, provider } = await startWithProvider(t);
	const acme = await open('acme');
	const { promise, resolve } = Promise.withResolvers<void>();
	provider.slow = promise;
	const slow = (await acme.createTopUp(PAY)).data;
	assert.deepEqual([slow.state, slow.url], ['creating', null]);
	resolve();
	await eventually(async () => {
		const [{ state }] = (await acme.viewTopUps({ id: slow.id })).data.top_ups;
		assert.equal(state, 'open');
	});
});

test('pages have each payment once, the newest first', async (t) => {
	const { open, provider } = await startWithProvider(t);
	const acme = await open('acme');
	provider.refuses = true;
	const made: string[] = [];
	for (let n = 0; n < 5; n++) made.unshift((await acme.createTopUp(PAY)).data.id);
	const pages: string[][] = [];
	let after: string | null = null;
	do {
		const page: { ids: string[]; next: string | null } = await acme.idsOf({ limit: 2, after });
		pages.push(page.ids);
		after = page.next;
	} while (after !== null);
	// Those of one millisecond are in the order of their ids.
	assert.deepEqual(pages.flat().toSorted(), made.toSorted());
	assert.deepEqual(pages.flat(), (await acme.idsOf({})).ids);
	assert.deepEqual(
		pages.map(({ length }) => length),
		[2, 2, 1],
	);
	assert.deepEqual(await acme.idsOf({ only: 'waiting' }), { ids: [], next: null });
});
