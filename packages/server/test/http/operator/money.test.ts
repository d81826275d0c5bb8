import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { edgeApi } from '@bursar/testing/edge';
import { eventually } from '@bursar/testing/eventually';
import { startOperatorService } from '../../support/operator-service.ts';

test('a payment counts once by its reference, and no more is taken back than is there', async (t) => {
	const { operator, ...service } = await startOperatorService(t);
	const { token } = await service.openReseller('acme', 0);
	const payment = { username: 'Acme', amount_usd_cents: 5000, reference: 'invoice-1' };
	const paid = { username: 'acme', balance: 5000 };
	assert.deepEqual((await operator('creditReseller', payment)).data, { ...paid, repeated: false });
	assert.deepEqual((await operator('creditReseller', payment)).data, { ...paid, repeated: true });
	assertFailure(await operator('creditReseller', { ...payment, amount_usd_cents: 1 }), 409, 'reference_conflict');
	for (const reference of ['stripe:pi_1', 'BTCPay:1', '']) {
		assertFailure(await operator('creditReseller', { ...payment, reference }), 400, 'invalid_reference', reference);
	}
	for (const amount of [0, -1, 1.5, Number.MAX_VALUE]) {
		const body = { ...payment, amount_usd_cents: amount };
		assertFailure(await operator('creditReseller', body), 400, 'invalid_amount', String(amount));
	}
	assertFailure(await operator('creditReseller', { ...payment, username: 'nobody' }), 404, 'unknown_reseller');
	const tooLarge = { ...payment, amount_usd_cents: Number.MAX_SAFE_INTEGER, reference: 'all' };
	assertFailure(await operator('creditReseller', tooLarge), 409, 'balance_limit');

	const back = { username: 'acme', amount_usd_cents: 1000, reference: 'refund-1', reason: 'paid twice' };
	assert.equal((await operator('takeBack', back)).data.balance, 4000);
	assertFailure(await operator('takeBack', { ...back, reference: 'r2', reason: '' }), 400, 'invalid_reason');
	const tooMuch = { ...back, reference: 'refund-2', amount_usd_cents: 4001 };
	assertFailure(await operator('takeBack', tooMuch), 402, 'insufficient_balance');
	assert.equal((await resellerApi(service.url, token).myInfo()).data.balance, 4000);
});

test('a price and a line are set, and what does not fit is refused', async (t) => {
	const { operator, openReseller } = await startOperatorService(t);
	await openReseller('acme', 0);
	const set = (body: object) => operator('setPrice', { username: 'acme', price: null, ...body });
	const priced = { username: 'acme', price: 3_500_000, debt_line: 2000 };
	assert.deepEqual((await set({ price: 3_500_000, debt_line: 2000 })).data, priced);
	assert.deepEqual((await set({ price: 3_500_000 })).data, priced, 'the line stays');
	assert.deepEqual((await set({})).data, { ...priced, price: null });
	for (const price of [0, -1, 1.5, 1_000_000_001]) assertFailure(await set({ price }), 400, 'invalid_price');
	for (const line of [-1, 0.5]) assertFailure(await set({ debt_line: line }), 400, 'invalid_debt_line');
	for (const body of [{ price: '3' }, { debt_line: null }, { price: undefined }]) {
		assertFailure(await set(body), 400, 'invalid_request');
	}
	assertFailure(await set({ username: 'nobody' }), 404, 'unknown_reseller');
});

test('a debt is forgiven with a reason, and no more than is owed', async (t) => {
	const { operator, ...service } = await startOperatorService(t, { BURSAR_EDGE_PORT: '0' });
	await service.openReseller('acme', 0);
	const forgive = (body: object) =>
		operator('forgiveDebt', { username: 'acme', amount_usd_cents: 1, reason: 'r', ...body });
	assertFailure(await forgive({}), 409, 'more_than_the_debt');
	assertFailure(await forgive({ reason: ' ' }), 400, 'invalid_reason');
	assertFailure(await forgive({ amount_usd_cents: 0 }), 400, 'invalid_amount');
	assertFailure(await forgive({ username: 'x' }), 404, 'unknown_reseller');

	await service.setPrice('acme', 1_000_000);
	const edge = edgeApi(service.edgeUrl as string, await service.openEdge('fra-1'));
	await service.readEdges();
	const at = new Date().toISOString();
	await edge.usage({ counters: [{ counter: 'c', username: 'acme', up: 3_000_000_000, down: 0, at }] });
	await eventually(async () => {
		assert.equal((await operator('viewReseller', { username: 'acme' })).data.debt, 300);
	}, 20_000);
	assert.deepEqual((await forgive({ amount_usd_cents: 100 })).data, { username: 'acme', debt: 200 });
	const [{ kind, reason, amount }] = (await operator('viewStatementPage', { reseller: 'acme' })).data.movements;
	assert.deepEqual([kind, reason, amount], ['debt_forgiven', 'r', 100]);
});

test('the statement of a reseller is read in pages, with the references and reasons of the operator', async (t) => {
	const { operator, ...service } = await startOperatorService(t);
	const { token } = await service.openReseller('acme', 0);
	await operator('creditReseller', { username: 'acme', amount_usd_cents: 500, reference: 'invoice-1' });
	const back = { username: 'acme', amount_usd_cents: 100, reference: 'refund-1', reason: 'paid twice' };
	await operator('takeBack', back);
	const reseller = resellerApi(service.url, token);
	await reseller.create({ username: 'alice' });
	await reseller.give({ username: 'alice', amount_usd_cents: 50 });

	const view = async (body: object) => (await operator('viewStatementPage', { reseller: 'ACME', ...body })).data;
	const all = await view({});
	const facts = ({ movements }: { movements: Record<string, unknown>[] }) =>
		movements.map(({ kind, username, amount, balance, reference, reason }) => [
			...[kind, username, amount, balance, reference, reason],
		]);
	assert.deepEqual(facts(all), [
		['give', 'alice', 50, 340, null, null],
		['create_fee', 'alice', 10, 390, null, null],
		['adjustment', null, 100, 400, 'refund-1', 'paid twice'],
		['top_up', null, 500, 500, 'invoice-1', null],
	]);
	assert.equal(all.next, null);
	const first = await view({ limit: 3 });
	assert.deepEqual(facts(first), facts(all).slice(0, 3));
	assert.deepEqual(facts(await view({ limit: 3, after: first.next })), facts(all).slice(3));
	const day = new Date().toISOString().slice(0, 10);
	assert.deepEqual(facts(await view({ to: '2026-01-01' })), []);
	assert.ok(facts(await view({ from: '2026-01-01', to: day })).length > 0);
	assert.equal((await view({ from: '9999-12-31' })).movements.length, 0);
	assertFailure(await operator('viewStatementPage', { reseller: 'nobody' }), 404, 'unknown_reseller');
	for (const body of [{ from: '2026-02-30' }, { to: 'x' }, { after: '0' }, { limit: 101 }]) {
		const answer = await operator('viewStatementPage', { reseller: 'acme', ...body });
		assertFailure(answer, 400, 'invalid_request', JSON.stringify(body));
	}
});
