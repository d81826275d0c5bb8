import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertFailure, checkEnvelope } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { type Sent, sendRequest } from '@bursar/testing/send-request';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../../src/engine.ts';
import type { ServiceParts } from '../../../src/service.ts';
import { StoreUnavailableError } from '../../../src/store/reading.ts';
import type { Store } from '../../../src/store/store.ts';
import { createProviderInMemory } from '../../support/payment-provider-in-memory.ts';

const PATH = '/payments/hints/stripe';
const SECRET = 'signing-secret-of-hints';
const PAYMENT = 'pay_1';

/** A service with Stripe, and a payment of acme whose page the provider has. It is not read by itself. */
async function open(t: TestContext, parts: ServiceParts = {}) {
	const provider = createProviderInMemory({ secret: SECRET });
	const log: string[] = [];
	const service = await startTestService(
		t,
		{ BURSAR_TRUSTED_PROXIES: '127.0.0.1', BURSAR_LOG_LEVEL: 'info' },
		{ paymentProviders: new Map([[provider.name, provider]]), ...parts },
		{ write: (line: string) => void log.push(line) },
	);
	const store = await openStore(service.config);
	t.after(() => store.close());
	await service.openReseller('acme', 0);
	await service.submit({
		...{ kind: 'create_top_up', reseller: 'acme', payment: PAYMENT, provider: 'stripe', isLive: true },
		...{ amountCents: 5_000, bounds: { minCents: 1, maxCents: 10_000 } },
	});
	const made = { id: PAYMENT, reseller: 'acme', amountCents: 5_000, returnUrl: '' };
	await provider.create(made, new AbortController().signal);
	provider.pay(PAYMENT);

	async function post(body: Buffer | string, headers: Sent['headers'] = {}, { path = PATH, method = 'POST' } = {}) {
		const answer = await sendRequest(service.url + path, { method, headers, body });
		return { ...answer, ...checkEnvelope(answer.status, answer.headers, answer.text) };
	}

	/** A signed hint about the payment, from an address of the provider. */
	const hint = provider.hint([{ paymentId: PAYMENT, objectIds: [] }]);
	const from = (address: string) => ({ 'x-forwarded-for': address });
	return {
		...{ service, provider, store, log, post, hint, from },
		good: (address = '203.0.113.1') => post(hint.body, { ...hint.headers, ...from(address) }),
		forged: (address: string) => post(hint.body, { 'x-signature': 'forged', ...from(address) }),
		booked: (cents: number) =>
			eventually(async () => assert.equal((await store.findPayment(PAYMENT))?.bookedCents, cents)),
		async metric(name: string) {
			const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
			const lines = text.split('\n').filter((line) => line.startsWith(name) && line.includes('"stripe"'));
			return Object.fromEntries(
				lines.map((line) => [/result="(\w+)"/.exec(line)?.[1] ?? 'value', Number(line.split(' ').at(-1))]),
			);
		},
	};
}

test('a hint, as its bytes were signed, books a payment once, however often it comes', async (t) => {
	const { provider, store, post, good, booked, metric } = await open(t);
	// These bytes are no JSON as it is written anywhere else, and their content type is none.
	const body = Buffer.from(` [ {"objectIds" : [] ,\n"paymentId":"${PAYMENT}"}, {"objectIds":["caf\u00e9"]} ]\n`);
	const signed = provider.hint([], body).headers;
	assert.equal((await post(body, { ...signed, 'content-type': '/;' })).status, 200);
	await booked(5_000);
	for (let count = 0; count < 3; count++) assert.equal((await good()).status, 200);
	provider.refund(PAYMENT, 1_000);
	await good();
	await booked(4_000);
	assert.equal((await store.findPayment(PAYMENT))?.postings, 2);
	const named = provider.hint([{ objectIds: [`int_${PAYMENT}`] }]);
	provider.refund(PAYMENT, 2_000);
	assert.equal((await post(named.body, named.headers)).status, 200);
	await booked(3_000);
	assert.equal((await metric('bursar_payment_hints_total')).good, 6);
	const { value } = await metric('bursar_payment_read_lag_seconds');
	assert.equal(value, 0);
});

test('a hint that is not signed, or names nothing of ours, or is not for this path, changes nothing', async (t) => {
	const { provider, store, post, good, booked, hint, forged, metric, log } = await open(t);
	const changed = Buffer.from(hint.body);
	changed[changed.length - 1] = 0x20;
	assertFailure(await post(changed, hint.headers), 400, 'forged_hint');
	assertFailure(await post(hint.body), 400, 'forged_hint');
	assertFailure(await post('', hint.headers), 400, 'forged_hint');
	for (let count = 0; count < 9; count++) assertFailure(await forged('192.0.2.1'), 400, 'forged_hint');
	const others = provider.hint([{ paymentId: 'pay_of_others', objectIds: ['x', 'y'] }, { objectIds: [] }]);
	assert.equal((await post(others.body, others.headers)).status, 200);
	const none = provider.hint([]);
	assert.equal((await post(none.body, none.headers)).status, 200);
	for (const path of ['/payments/hints/btcpay', '/payments/hints/paypal', '/payments/hints', `${PATH}/`]) {
		assertFailure(await post(hint.body, hint.headers, { path }), 404, 'not_found');
	}
	assertFailure(await post('', {}, { method: 'PUT' }), 405, 'method_not_allowed');
	assert.deepEqual(
		provider.calls.filter((call) => call.startsWith('read')),
		[],
	);
	assert.equal((await store.findPayment(PAYMENT))?.readsBegun, 1);
	const { forged: count, unknown, good: taken } = await metric('bursar_payment_hints_total');
	assert.deepEqual([count, unknown, taken], [12, 2, 0]);
	const warned = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
	assert.equal(warned.length, 1, log.join(''));
	assert.equal(warned[0].msg, 'hints were refused: the payment provider did not sign them');
	assert.ok(!log.join('').includes(SECRET));
	assert.equal((await good()).status, 200);
	await booked(5_000);
});

test('a hint that is too long or encoded is refused before its signature is looked at', async (t) => {
	const { provider, post, metric } = await open(t);
	const longest = Buffer.alloc(256 * 1024, ' ');
	longest.write('[]');
	assert.equal((await post(longest, provider.hint([], longest).headers)).status, 200);
	const tooLong = Buffer.concat([longest, Buffer.from(' ')]);
	assertFailure(await post(tooLong, provider.hint([], tooLong).headers), 413, 'payload_too_large');
	const { body, headers } = provider.hint([]);
	const encoded = await post(body, { ...headers, 'content-encoding': 'gzip' });
	assertFailure(encoded, 415, 'unsupported_media_type');
	assertFailure(await post(body, { ...headers, expect: 'magic' }), 417, 'expectation_failed');
	assert.deepEqual((await metric('bursar_payment_hints_total')).unknown, 1);
});

test('a flood of forged hints is refused, and keeps none out that are signed', async (t) => {
	const { post, good, forged, booked, from, metric, provider } = await open(t);
	assert.equal((await good('203.0.113.1')).status, 200);
	await booked(5_000);
	/** Its failures are forgiven one by one, each after three seconds. */
	const until429 = async (send: () => ReturnType<typeof post>) => {
		let answer = await send();
		while (answer.status !== 429) answer = await send();
		return answer;
	};
	const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await forged('192.0.2.1')).status));
	assert.deepEqual(new Set(statuses), new Set([400]));
	const refused = await until429(() => forged('192.0.2.1'));
	assert.deepEqual([refused.errorCode, refused.headers.get('retry-after')], ['too_many_hints', '3']);
	// Its body does not matter any more.
	await until429(() => post('x'.repeat(300 * 1024), from('192.0.2.1')));
	// From everywhere at once, until strangers have used up what strangers have.
	const flood = Array.from({ length: 1_200 }, (_, index) => forged(`10.0.${index >> 8}.${index & 255}`));
	provider.refund(PAYMENT, 1_000);
	assert.equal((await good('203.0.113.1')).status, 200);
	await booked(4_000);
	const ends = (await Promise.all(flood)).map(({ status }) => status);
	assert.ok(ends.every((status) => status === 400 || status === 429));
	// Also from the address of the provider itself, as behind a proxy that is not trusted.
	for (let count = 0; count < 30; count++) assert.equal((await forged('203.0.113.1')).status, 400);
	assert.equal((await good('203.0.113.1')).status, 200);
	assert.ok(((await metric('bursar_payment_hints_total')).too_many ?? 0) >= 2);
});

/** A store whose answers a test changes. */
function changeable(changes: { [Name in keyof Store]?: (store: Store) => Store[Name] }): ServiceParts['openStore'] {
	return async (config) => {
		const store = await openStore(config, { serves: true });
		return new Proxy(store, {
			get(_, name: keyof Store) {
				const changed = changes[name]?.(store);
				const value = changed ?? store[name];
				return typeof value === 'function' ? value.bind(store) : value;
			},
		});
	};
}

test('while the store is away, or may not have what was asked, a hint must come again', async (t) => {
	let away: 'reads' | 'writes' | undefined;
	const openIt = changeable({
		findPaymentsNamed: (store) => (query) =>
			away === 'reads' ? Promise.reject(new StoreUnavailableError('away')) : store.findPaymentsNamed(query),
		runCommands: (store) => (commands, nowMs, begun) =>
			away === 'writes'
				? Promise.resolve({ kind: 'not_done', cause: new Error('the disk is full') })
				: store.runCommands(commands, nowMs, begun),
	});
	const { good, booked, provider, forged } = await open(t, openIt ? { openStore: openIt } : {});
	for (const what of ['reads', 'writes'] as const) {
		away = what;
		assertFailure(await good(), 503, 'unavailable');
		assertFailure(await forged('192.0.2.1'), 400, 'forged_hint');
	}
	assert.deepEqual(
		provider.calls.filter((call) => call.startsWith('read')),
		[],
	);
	away = undefined;
	assert.equal((await good()).status, 200);
	await booked(5_000);
});

test('hints that wait for a store that hangs are bounded, and others go on afterwards', async (t) => {
	const hanging = Promise.withResolvers<void>();
	let waiting = 0;
	const openIt = changeable({
		findPaymentsNamed: (store) => async (query) => {
			waiting++;
			await hanging.promise;
			return store.findPaymentsNamed(query);
		},
	});
	const { good, booked } = await open(t, openIt ? { openStore: openIt } : {});
	const all = Array.from({ length: 64 }, () => good());
	await eventually(async () => assert.equal(waiting, 64));
	assert.equal((await good()).status, 429);
	hanging.resolve();
	assert.deepEqual([...new Set((await Promise.all(all)).map(({ status }) => status))], [200]);
	assert.equal((await good()).status, 200);
	await booked(5_000);
});
