import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { suspendReseller } from '../../../support/commands.ts';
import { type Browser, startDashboard } from '../../../support/dashboard.ts';
import { createProviderInMemory } from '../../../support/payment-provider-in-memory.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const provider = createProviderInMemory();
/** Where the provider sends browsers back. */
const returnUrls: string[] = [];
const { create } = provider;
provider.create = (payment, signal) => {
	returnUrls.push(payment.returnUrl);
	return create(payment, signal);
};
const { clock, store, publicUrl, operator, signedIn, resellerWithPerson, browser } = await startDashboard(
	wholeFile,
	{},
	{ paymentProviders: new Map([[provider.name, provider]]), paymentLookMs: 20 },
);
const op = await operator();
const UNKNOWN = `pay_${'0'.repeat(22)}`;

function begin(who: Browser, amount = 5_000) {
	return who.change('/top-ups/create', { provider: 'stripe', amount });
}

/** A body with an act of its own. */
function topUp(body: object = {}) {
	return { act: randomUUID(), provider: 'stripe', amount: 5_000, ...body };
}

/** Has a payment read at the provider, and waits until what is said of it holds. */
async function readUntil(id: string, holds: (payment: Awaited<ReturnType<typeof readNow>>) => boolean) {
	await op.change('/operator/payments/read', { id });
	await eventually(async () => assert.ok(holds(await readNow(id))));
}

function readNow(id: string) {
	return op.read('/operator/payment', { id });
}

test('a viewer of a reseller sees its payments, gets no address at which one can be paid, and begins none', async () => {
	const { browser: owner } = await resellerWithPerson('viewed');
	const [viewer, manager] = [
		await signedIn('vic@viewed.example', 'viewed', 'viewer'),
		await signedIn('mia@viewed.example', 'viewed', 'manager'),
	];
	const made = await begin(owner);
	assert.match(made.url ?? '', /^https:/);
	assert.equal(returnUrls.at(-1), `${publicUrl}/dashboard/top-ups/${made.id}`);
	for (const who of [owner, manager]) {
		assert.deepEqual((await who.read('/top-ups')).waiting, [made]);
		assert.deepEqual(await who.read('/top-ups/view', { id: made.id }), made);
	}
	const withoutUrl = { ...made, url: null };
	assert.deepEqual((await viewer.read('/top-ups')).waiting, [withoutUrl]);
	assert.deepEqual(await viewer.read('/top-ups/view', { id: made.id }), withoutUrl);
	await viewer.refused('not_allowed', '/top-ups/create', topUp());
	const { acts } = await owner.read('/account/acts');
	assert.deepEqual([acts[0]?.kind, acts[0]?.target], ['create_top_up', 'viewed 5000']);
});

test('a payment of another reseller is one that does not exist', async () => {
	const { browser: owner } = await resellerWithPerson('owner1');
	const { browser: stranger } = await resellerWithPerson('stranger1');
	const { id } = await begin(owner);
	await stranger.refused('unknown_payment', `/top-ups/view?id=${id}`);
	await stranger.refused('unknown_payment', `/top-ups/view?id=${UNKNOWN}`);
	const page = await stranger.read('/top-ups');
	assert.deepEqual([page.waiting, page.past], [[], []]);
	const found = await stranger.read('/search', { text: id });
	assert.deepEqual([found.top_ups, (await stranger.read('/search', { text: `obj_${id}` })).top_ups], [[], []]);
	await stranger.refused('only_for_operators', '/operator/payments/read', { act: randomUUID(), id });
	await stranger.refused('only_for_operators', `/operator/payment?id=${id}`);
});

test('the page says which providers there are, and what one payment may be', async () => {
	const { browser: owner } = await resellerWithPerson('bounds');
	assert.deepEqual(await owner.read('/top-ups'), {
		providers: [{ provider: 'stripe', is_test: false }],
		...{ min: 1_000, max: 500_000, waiting: [], past: [], next: null, previous: null },
	});
	assert.equal((await browser().read('/session')).takes_payments, true);
	for (const amount of [999, 500_001])
		await owner.refused('amount_out_of_bounds', '/top-ups/create', topUp({ amount }));
	for (const amount of [0, -5_000, 10.5, 2 ** 60])
		await owner.refused('invalid_amount', '/top-ups/create', topUp({ amount }));
	for (const wrong of [{ provider: 'paypal' }, { provider: null }, { amount: '5000' }, { amount: null }])
		await owner.refused('invalid_request', '/top-ups/create', topUp(wrong));
	await owner.refused('provider_off', '/top-ups/create', topUp({ provider: 'btcpay' }));
	assert.deepEqual((await owner.read('/top-ups')).waiting, []);
});

test('an act counts once, and a reseller has no more than twenty payments that wait', async () => {
	const { browser: owner } = await resellerWithPerson('many1');
	const body = topUp();
	await owner.ok('/top-ups/create', body);
	await owner.refused('act_repeated', '/top-ups/create', body);
	for (let made = 1; made < 20; made++) await begin(owner);
	await owner.refused('too_many_payments', '/top-ups/create', topUp());
	assert.equal((await owner.read('/top-ups')).waiting.length, 20);
});

test('a suspended reseller begins no payment, and still sees those that it had begun', async () => {
	const { browser: owner } = await resellerWithPerson('suspended1');
	const { id } = await begin(owner);
	assert.equal((await store.runCommands([suspendReseller('suspended1')], clock.nowMs())).kind, 'committed');
	await owner.refused('suspended', '/top-ups/create', topUp());
	assert.equal((await owner.read('/top-ups/view', { id })).state, 'open');
});

test('while the provider is away, a payment is begun and has no page; it is found once the provider is back', async () => {
	const { browser: owner } = await resellerWithPerson('away1');
	provider.isAway = true;
	const away = await begin(owner);
	assert.deepEqual([away.state, away.url, away.expires_at], ['creating', null, null]);
	await readUntil(away.id, ({ failed_reads }) => failed_reads >= 2);
	provider.isAway = false;
	provider.losesCreates = true;
	const lost = await begin(owner);
	provider.losesCreates = false;
	assert.deepEqual([lost.state, lost.url], ['creating', null]);
	await readUntil(lost.id, ({ state }) => state === 'open');
	assert.match((await owner.read('/top-ups/view', { id: lost.id })).url ?? '', /^https:/);
});

test('operators see all payments in pages, those that wait and those that do not fit, and have one read', async () => {
	const { browser: owner } = await resellerWithPerson('pages1');
	const [first, second, third] = [await begin(owner), await begin(owner), await begin(owner)];
	provider.pay(second.id, 4_000);
	await readUntil(second.id, ({ credited }) => credited === 4_000);
	const of = { reseller: 'PAGES1' };
	const page = await op.read('/operator/payments', of);
	assert.deepEqual(
		page.payments.map(({ id }) => id),
		[third.id, second.id, first.id],
	);
	assert.deepEqual([page.findings, page.providers], [1, [{ provider: 'stripe', is_test: false }]]);
	const only = async (which: 'waiting' | 'findings') =>
		(await op.read('/operator/payments', { ...of, only: which })).payments.map(({ id }) => id);
	assert.deepEqual(await only('waiting'), [third.id, first.id]);
	assert.deepEqual(await only('findings'), [second.id]);
	assert.ok((await op.read('/operator/payments')).payments.length > 3, 'without a reseller they are of all');
	const read = await readNow(second.id);
	assert.deepEqual(
		[read.username, read.settled, read.credited, read.findings, read.object_id, read.is_test],
		['pages1', 4_000, 4_000, ['underpaid'], `obj_${second.id}`, false],
	);
	await op.refused('unknown_reseller', '/operator/payments?reseller=nobody1');
	await op.refused('unknown_payment', `/operator/payment?id=${UNKNOWN}`);
	await op.refused('unknown_payment', '/operator/payments/read', { act: randomUUID(), id: UNKNOWN });
	const { acts } = await op.read('/operator/acts', { kind: 'ask_payment_read' });
	assert.ok(acts.some(({ target, reseller }) => target === second.id && reseller === 'pages1'));
	assert.ok(((await op.read('/operator/health')).payments?.findings ?? 0) >= 1);
});

test('past payments have pages, and go back and forth', async () => {
	const { browser: owner } = await resellerWithPerson('past1');
	const at = clock.nowMs();
	const ids: string[] = [];
	for (let made = 0; made < 52; made++) {
		const { id } = await begin(owner);
		ids.unshift(id);
		provider.expire(id);
		await op.change('/operator/payments/read', { id });
		if (made % 15 === 14 || made === 51)
			await eventually(async () => assert.deepEqual((await owner.read('/top-ups')).waiting, []));
	}
	assert.ok(clock.nowMs() >= at);
	const first = await owner.read('/top-ups');
	assert.deepEqual(
		first.past.map(({ id }) => id),
		ids.slice(0, 50),
	);
	const last = await owner.read('/top-ups', { after: first.next ?? assert.fail() });
	assert.deepEqual(
		last.past.map(({ id }) => id),
		ids.slice(50),
	);
	assert.equal(last.next, null);
	const again = await owner.read('/top-ups', { before: last.previous ?? assert.fail() });
	assert.deepEqual(again.past, first.past);
});

test('the statement says which provider brought money and took it back, and what is owed then', async () => {
	const { browser: owner } = await resellerWithPerson('stated1');
	const { id } = await begin(owner);
	provider.pay(id);
	await readUntil(id, ({ credited }) => credited === 5_000);
	await owner.change('/sub-users/create', { username: 'spender1' });
	await owner.change('/sub-users/give', { username: 'spender1', amount: 5_500 });
	provider.refund(id, 3_000);
	await readUntil(id, ({ refunded }) => refunded === 3_000);
	const balance = 1_000 + 5_000 - 10 - 5_500;
	const statement = await owner.read('/statement');
	const of = statement.movements
		.filter(({ payment }) => payment !== null)
		.map(({ kind, amount, by, reference, payment }) => [kind, amount, by, reference, payment]);
	const by = { kind: 'provider', provider: 'stripe' };
	assert.deepEqual(of, [
		['refund_debt', balance - 3_000, by, `stripe:obj_${id}:2`, id],
		['adjustment', -balance, by, `stripe:obj_${id}:2`, id],
		['top_up', 5_000, by, `stripe:obj_${id}:1`, id],
	]);
	assert.equal(statement.movements[0]?.balance, null);
	const bounds = `${new Date(clock.nowMs() - 86_400_000).toISOString()},${new Date(clock.nowMs() + 1_000).toISOString()}`;
	const { periods } = await owner.read('/statement/periods', { bounds });
	const owed = periods[0]?.summary?.totals.find(({ kind }) => kind === 'refund_debt');
	assert.deepEqual([owed?.of, owed?.amount], ['debt', balance - 3_000]);
	const lines = (await (await owner.download('/statement.csv', { zone: 'UTC' })).text()).split('\r\n');
	assert.equal(lines.filter((line) => line.includes(',Stripe,') && line.endsWith(`,${id}`)).length, 3);
	const payment = await owner.read('/top-ups/view', { id });
	assert.deepEqual([payment.credited, payment.refunded, payment.state], [2_000, 3_000, 'settled']);
	assert.deepEqual((await readNow(id)).findings, ['owed']);
	for (const [who, path] of [
		[owner, '/search'],
		[op, '/operator/search'],
	] as const)
		for (const text of [id, `obj_${id}`, `int_${id}`]) {
			const { top_ups } = await who.read(path, { text });
			assert.deepEqual(top_ups, [
				{ id, reseller: 'stated1', provider: 'stripe', amount: 5_000, at: payment.timestamp },
			]);
		}
});
