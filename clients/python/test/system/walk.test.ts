import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startStripe, stripeEnvironment } from '@bursar/testing/payment-providers/stripe';
import { startTestService } from '@bursar/testing/service';
import { Bursar, BursarError, newChangeId, type Page } from '../../../../packages/client/src/index.ts';
import { type Call, type CalledClient, startClient } from '../support/called.ts';
import { pythonOfTests } from '../support/python.ts';
import type { ClientKind } from '../support/soak.ts';

const SHOP = 'https://shop.example.com/events';
const LIMITS = { dayBytes: 1_000, allowedIps: ['192.0.2.0/24'], expiresAt: new Date('2126-01-01T00:00:00Z') };
const SENT_LIMITS = { day_bytes: 1_000, allowed_ips: ['192.0.2.0/24'], expires_at: { $time: '2126-01-01T00:00:00Z' } };
/** What only the answer to a change tells. */
const TOLD_ONCE = ['token', 'secret', 'previousExpiresAt'];

test('each method of the Python client tells what the TypeScript client tells', async (t) => {
	const python = await pythonOfTests(t);
	for (const kind of ['threads', 'tasks'] as const) {
		await t.test(kind, (t) => walk(t, python, kind));
	}
});

async function walk(t: TestContext, python: string, kind: ClientKind): Promise<void> {
	const service = await startTestService(t, stripeEnvironment(await startStripe(t)));
	const { token } = await service.openReseller('acme', 10_000);
	await service.submit({ kind: 'allow_sign_in_by_address', reseller: 'acme', isAllowed: true });
	const bursar = new Bursar({ baseUrl: service.url, token });
	const client = await startClient(t, python, kind, { BURSAR_URL: service.url, BURSAR_TOKEN: token });
	const both = sameIn(client);

	const created = await both.change('sub_users.create', ['Alice.1'], (options) =>
		bursar.subUsers.create('alice.1', options),
	);
	assert.deepEqual(created.fee, { minCents: 10, maxCents: 10 });
	await both.change(
		'sub_users.create_with',
		['bruno'],
		(options) => bursar.subUsers.createWith('bruno', { amountCents: 50, limits: LIMITS, note: 'a note' }, options),
		{ amount_cents: 50, limits: SENT_LIMITS, note: 'a note', reference: 'order-1' },
	);
	const gift = await both.change('sub_users.give', ['alice.1', 300], (o) => bursar.subUsers.give('alice.1', 300, o), {
		reference: 'order-2',
	});
	assert.equal(gift.balanceCents, 300);
	await both.change('sub_users.take', ['alice.1', 100], (o) => bursar.subUsers.take('alice.1', 100, o));
	await both.change('sub_users.reset_auth_key', ['alice.1'], (o) => bursar.subUsers.resetAuthKey('alice.1', o));
	await both.change('sub_users.set_limits', ['alice.1', SENT_LIMITS], (o) =>
		bursar.subUsers.setLimits('alice.1', LIMITS, o),
	);
	await both.change('sub_users.set_note', ['alice.1', 'a note'], (o) =>
		bursar.subUsers.setNote('alice.1', 'a note', o),
	);
	await both.change('sub_users.set_sign_in_ips', ['alice.1', ['192.0.2.7']], (o) =>
		bursar.subUsers.setSignInIps('alice.1', ['192.0.2.7'], o),
	);
	await both.change('sub_users.suspend', ['alice.1'], (o) => bursar.subUsers.suspend('alice.1', o));
	await both.read('sub_users.retrieve_details', ['alice.1'], () => bursar.subUsers.retrieveDetails('alice.1'));
	await both.change('sub_users.resume', ['alice.1'], (o) => bursar.subUsers.resume('alice.1', o));
	await both.read('sub_users.retrieve', ['bruno'], () => bursar.subUsers.retrieve('bruno'));
	await both.read('sub_users.retrieve_usage', ['bruno'], () => bursar.subUsers.retrieveUsage('bruno'));
	await both.list('sub_users.list', { page_rows: 1 }, () => bursar.subUsers.list({ pageRows: 1 }));
	await both.list('sub_users.list', { prefix: 'a', state: 'active', is_usable: true }, () =>
		bursar.subUsers.list({ prefix: 'a', state: 'active', isUsable: true }),
	);
	await both.read('account.retrieve', [], () => bursar.account.retrieve());
	await both.read('account.retrieve_details', [], () => bursar.account.retrieveDetails());

	const { webhook } = await both.change('webhooks.create', [SHOP], (o) => bursar.webhooks.create({ url: SHOP }, o));
	const { id } = webhook as { id: string };
	await both.read('webhooks.list', [], () => bursar.webhooks.list());
	await both.change('webhooks.update', [id, { enabled: false, types: ['sub_user.suspended'] }], (o) =>
		bursar.webhooks.update(id, { enabled: false, types: ['sub_user.suspended'] }, o),
	);
	await both.change('webhooks.rotate_secret', [id], (o) => bursar.webhooks.rotateSecret(id, o));
	await both.read('webhooks.test', [id], () => bursar.webhooks.test(id));
	await both.read('webhooks.tries', [id], () => bursar.webhooks.tries(id));
	await both.change('webhooks.delete', [id], (o) => bursar.webhooks.delete(id, o));

	const expiresAt = new Date(Date.now() + 86_400_000);
	const made = await both.change(
		'tokens.create',
		['shop'],
		(o) => bursar.tokens.create({ name: 'shop', scopes: ['read'], expiresAt, allowedIps: ['192.0.2.1'] }, o),
		{ scopes: ['read'], expires_at: { $time: expiresAt.toISOString() }, allowed_ips: ['192.0.2.1'] },
	);
	await both.read('tokens.list', [], () => bursar.tokens.list());
	const { id: tokenId } = made.details as { id: string };
	await both.change('tokens.end', [tokenId], (o) => bursar.tokens.end(tokenId, o));

	const topUp = { provider: 'stripe', amountCents: 5_000 } as const;
	const begun = await both.change('top_ups.create', ['stripe', 5_000], (o) => bursar.topUps.create(topUp, o));
	const { id: topUpId } = begun.topUp as { id: string };
	await both.read('top_ups.retrieve', [topUpId], () => bursar.topUps.retrieve(topUpId));
	await both.list('top_ups.list', { only: 'waiting' }, () => bursar.topUps.list({ only: 'waiting' }));

	await both.change('sub_users.delete', ['bruno'], (o) => bursar.subUsers.delete('bruno', o));
	const now = bursar.serviceTime() ?? assert.fail('answers have told the time');
	const day = { $day: now.toISOString().slice(0, 10) };
	await both.list('statement.list', { from_: day, to: day, order: 'oldest', page_rows: 2 }, () =>
		bursar.statement.list({ from: now, to: now, order: 'oldest', pageRows: 2 }),
	);
	await both.list('statement.list', { reference: 'order-2' }, () => bursar.statement.list({ reference: 'order-2' }));
	const events = await both.list('events.list', { page_rows: 3 }, () => bursar.events.list({ pageRows: 3 }));
	assert.ok(events.length >= 5);
	for (const method of ['events.follow', 'events.follow_sent'] as const) {
		const followed = () => (method === 'events.follow' ? bursar.events.follow() : bursar.events.followSent());
		await both.same({ method, take: events.length }, async () => taken<unknown>(followed(), events.length));
	}

	const { changeId, requestId } = gift;
	const recorded = await both.read('changes.retrieve', [changeId], () => bursar.changes.retrieve(changeId));
	assert.equal((recorded as { requestId: string }).requestId, requestId);
	await both.read('changes.settle', [{ $known: changeId }], () => bursar.changes.settle({ changeId }));
	const raw = await both.call({ method: 'raw_request', args: ['GET', '/reseller/my_info'] });
	const { text, ...answer } = raw as { text: string; status: number };
	const ofTypeScript = await bursar.rawRequest('GET', '/reseller/my_info');
	assert.deepEqual([answer.status, JSON.parse(text).data], [200, JSON.parse(ofTypeScript.text).data]);
	const time = String(await both.call({ method: 'service_time' }));
	assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);

	await both.fail('sub_users.retrieve', ['nobody'], () => bursar.subUsers.retrieve('nobody'));
	await both.fail('sub_users.give', ['alice.1', 10 ** 9], () => bursar.subUsers.give('alice.1', 10 ** 9));
	await both.fail('sub_users.create', ['a b'], () => bursar.subUsers.create('a b'));
	await both.fail('sub_users.create', ['bruno'], () => bursar.subUsers.create('bruno'));
	await both.fail('webhooks.delete', ['whe_1'], () => bursar.webhooks.delete('whe_1'));
	assert.deepEqual([...both.called].sort(), [...client.methods].sort(), 'every method was called');
}

interface Change {
	readonly changeId: string;
	readonly [field: string]: unknown;
}

/** Makes each call with the Python client, makes the same one with the TypeScript client, and compares what both tell. */
function sameIn(client: CalledClient) {
	const called = new Set<string>();

	async function call(asked: Call): Promise<unknown> {
		called.add(asked.method);
		const { result, error } = await client.call(asked);
		assert.equal(error, undefined, `${asked.method}: ${JSON.stringify(error)}`);
		return result;
	}

	/** Resolves with what both return. */
	async function same(asked: Call, ask: () => Promise<unknown>): Promise<unknown> {
		const result = await call(asked);
		assert.deepEqual(result ?? undefined, plain(await ask()), asked.method);
		return result;
	}

	return {
		called,
		call,
		same,
		read: (method: string, args: readonly unknown[], ask: () => Promise<unknown>) => same({ method, args }, ask),

		/** The TypeScript client repeats the change with its id, and is told what it did. */
		async change(
			method: string,
			args: readonly unknown[],
			repeat: (options: { readonly changeId: string }) => Promise<object>,
			options: Readonly<Record<string, unknown>> = {},
		): Promise<Change> {
			const changeId = newChangeId();
			const result = (await call({ method, args, options: { ...options, change_id: changeId } })) as Change;
			assert.equal(result.confirmedBy, 'answer', method);
			const once = Object.keys(result).filter((name) => TOLD_ONCE.includes(name));
			const expected = plain(await repeat({ changeId })) as object;
			const told = Object.fromEntries(Object.entries(result).filter(([name]) => !once.includes(name)));
			assert.deepEqual({ ...told, confirmedBy: 'look' }, expected, method);
			return { ...result, changeId };
		},

		/** Compares the first page, and all items. Resolves with the items. */
		async list(
			method: string,
			options: Readonly<Record<string, unknown>>,
			list: () => AsyncIterable<unknown> & { page(): Promise<Page<unknown>> },
		): Promise<readonly unknown[]> {
			const result = (await call({ method, options })) as { readonly items: readonly unknown[] };
			const items = await taken(list(), Number.POSITIVE_INFINITY);
			const page = await list().page();
			// In Python, each page says whether there is more.
			const { more = page.next !== undefined } = page;
			assert.deepEqual(result, plain({ page: { ...page, more }, items }), method);
			assert.ok(items.length > 0, method);
			return items;
		},

		async fail(method: string, args: readonly unknown[], ask: () => Promise<unknown>): Promise<void> {
			const { error } = await client.call({ method, args });
			const expected = await ask().then(
				() => assert.fail(method),
				(error: unknown) => error,
			);
			assert.ok(expected instanceof BursarError);
			const { name, message, code = null, status = null, fee = null } = expected;
			assert.deepEqual(error, { name, message, code, status, fee }, method);
		},
	};
}

async function taken<Item>(items: AsyncIterable<Item>, most: number): Promise<Item[]> {
	const found: Item[] = [];
	for await (const item of items) if (found.push(item) === most) break;
	return found;
}

/** As JSON has it: times are text, and what is undefined or `null` is absent. */
function plain(value: unknown): unknown {
	const text = JSON.stringify(value, (_, each) => (each === null ? undefined : each));
	return text === undefined ? undefined : JSON.parse(text);
}
