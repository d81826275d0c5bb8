import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { suspendReseller } from '../../support/commands.ts';
import { startOperatorService, withChangeId } from '../../support/operator-service.ts';
import { createProviderInMemory, createsOf } from '../../support/payment-provider-in-memory.ts';

const PAY = { username: 'acme', provider: 'stripe', amount_usd_cents: 5_000 };
/** The service reads no payment by itself. */
const NEVER_MS = 2 ** 31 - 1;
const UNKNOWN = `pay_${'x'.repeat(22)}`;

async function startWithProvider(t: TestContext) {
	const provider = createProviderInMemory();
	const paymentProviders = new Map([['stripe', provider]] as const);
	const service = await startOperatorService(t, {}, { paymentProviders, paymentLookMs: NEVER_MS });
	await service.openReseller('acme', 0);
	return { ...service, provider };
}

test('a change id begins one payment, and its reseller sees it', async (t) => {
	const { operator, openReseller, provider, url } = await startWithProvider(t);
	const other = resellerApi(url, (await openReseller('other', 0)).token);
	const { data } = await operator('createTopUp', { ...PAY, username: 'Other' }, withChangeId('order-7-pay'));
	const { username, state, amount, credited, settled, change_id, object_id, findings, is_test } = data;
	assert.deepEqual(
		[username, state, amount, credited, settled, change_id, object_id, findings, is_test],
		['other', 'open', 5_000, 0, 0, null, `obj_${data.id}`, [], false],
	);
	const again = await operator('createTopUp', { ...PAY, amount_usd_cents: 9_000 }, withChangeId('order-7-pay'));
	assertFailure(again, 409, 'change_repeated');
	const { kind, reseller, target, timestamp } = again.data.change;
	assert.deepEqual([kind, reseller, target], ['create_top_up', 'other', 'other 5000']);
	assert.equal(timestamp, data.timestamp, 'so a program finds the payment of its change');
	assert.deepEqual(
		(await other.viewTopUps({})).data.top_ups.map(({ id, url }: Record<string, string>) => [id, url]),
		[[data.id, data.url]],
	);
	assert.deepEqual(createsOf(provider), [`create ${data.id}`]);
});

test('what does not fit is refused, and begins no payment', async (t) => {
	const { operator, openProgram, provider, submit } = await startWithProvider(t);
	for (const [change, status, code] of [
		...(['5000', null, undefined, [5_000]] as const).map(
			(amount) => [{ amount_usd_cents: amount }, 400, 'invalid_request'] as const,
		),
		...([0, -1, 5_000.5, 2 ** 53] as const).map(
			(amount) => [{ amount_usd_cents: amount }, 400, 'invalid_amount'] as const,
		),
		...([999, 500_001] as const).map((amount) => [{ amount_usd_cents: amount }, 400, 'amount_out_of_bounds'] as const),
		[{ provider: 'paypal' }, 400, 'invalid_request'],
		[{ provider: 'btcpay' }, 409, 'provider_off'],
		[{ username: 'nobody' }, 404, 'unknown_reseller'],
	] as const) {
		assertFailure(await operator('createTopUp', { ...PAY, ...change }), status, code, JSON.stringify(change));
	}
	const reader = await openProgram('reader', ['resellers:read']);
	assertFailure(await reader('createTopUp', PAY), 403, 'missing_scope');
	assertFailure(await reader('readTopUp', { id: UNKNOWN }), 403, 'missing_scope');
	await submit(suspendReseller('acme'));
	assertFailure(await operator('createTopUp', PAY), 409, 'suspended');
	assert.deepEqual(createsOf(provider), []);
});

test('twenty payments of a reseller wait, and a further one is refused', async (t) => {
	const { operator } = await startWithProvider(t);
	await Promise.all(Array.from({ length: 20 }, () => operator('createTopUp', PAY)));
	assertFailure(await operator('createTopUp', PAY), 409, 'too_many_payments');
});

test('payments are read in pages: of all or of one reseller, and those that wait or do not fit', async (t) => {
	const { operator, openReseller, provider } = await startWithProvider(t);
	await openReseller('other', 0);
	const idsOf = async (body: object) => {
		const { top_ups, next } = (await operator('viewTopUpPage', body)).data;
		return { ids: top_ups.map(({ id }: { id: string }) => id), next };
	};
	const create = async (username: string) => (await operator('createTopUp', { ...PAY, username })).data.id as string;
	const [first, second] = [await create('acme'), await create('other')];
	provider.refuses = true;
	const third = await create('acme');
	const all = (await idsOf({})).ids;
	assert.deepEqual(all.toSorted(), [first, second, third].toSorted());
	assert.deepEqual((await idsOf({ username: 'ACME' })).ids.toSorted(), [first, third].toSorted());
	assert.deepEqual((await idsOf({ only: 'waiting', username: 'acme' })).ids, [first]);
	assert.deepEqual(await idsOf({ limit: 1 }), { ids: [all[0]], next: all[0] });
	assert.deepEqual(await idsOf({ after: all[0] }), { ids: all.slice(1), next: null });
	assert.deepEqual((await idsOf({ id: second })).ids, [second]);
	assert.deepEqual((await idsOf({ id: second, username: 'acme' })).ids, []);
	assert.deepEqual((await idsOf({ id: UNKNOWN })).ids, []);
	assertFailure(await operator('viewTopUpPage', { after: UNKNOWN }), 400, 'invalid_request');
	assertFailure(await operator('viewTopUpPage', { after: second, username: 'acme' }), 400, 'invalid_request');
	assertFailure(await operator('viewTopUpPage', { username: 'nobody' }), 404, 'unknown_reseller');

	provider.refuses = false;
	const { create: make } = provider;
	provider.create = async (...asked) => {
		const made = await make(...asked);
		return { ...made, reading: { ...made.reading, currency: 'eur' } };
	};
	const strange = await create('other');
	const { top_ups } = (await operator('viewTopUpPage', { only: 'findings' })).data;
	assert.deepEqual(
		top_ups.map(({ id, findings }: Record<string, unknown>) => [id, findings]),
		[[strange, ['other_currency']]],
	);
});

test('a program asks for a read of a payment, which is then due, and recorded under its token', async (t) => {
	const { operator } = await startWithProvider(t);
	const { id, timestamp } = (await operator('createTopUp', PAY)).data;
	assertFailure(await operator('readTopUp', { id: UNKNOWN }), 404, 'unknown_payment');
	assertFailure(await operator('readTopUp', { id: 'pay_1' }), 400, 'invalid_request');
	assert.deepEqual((await operator('readTopUp', { id }, withChangeId('look-again-1'))).data, { id });
	assertFailure(await operator('readTopUp', { id }, withChangeId('look-again-1')), 409, 'change_repeated');
	const change = (await operator('viewChange', { change_id: 'look-again-1'.padEnd(16, '0') })).data;
	assert.deepEqual([change.kind, change.reseller, change.target], ['ask_payment_read', 'acme', id]);
	const [{ next_read_at }] = (await operator('viewTopUpPage', { id })).data.top_ups;
	assert.ok(Date.parse(next_read_at) < Date.parse(timestamp) + 10_000, 'sooner than by itself');
});
