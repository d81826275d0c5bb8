import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndpoints, endpoints, type Movement } from '@bursar/contract';
import { resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { type DocumentedRequest, documentedRequests, sendDocumented } from '../../support/documented-requests.ts';
import { startEdgeService } from '../../support/edge-service.ts';

const { createSubUserWith, viewAccount, setLimits, viewDetails, viewEventPage, viewStatementPage } = allEndpoints;
const { deleteSubUser, viewChange } = allEndpoints;
const { giveBalance, viewSubUser } = endpoints;
/** When the page was written, by its own dates. */
const PAGE_MS = Date.parse('2026-11-21T09:30:00Z');
const GB = 1_000_000_000;

test('the recipe for packages does what it says, command by command', async (t) => {
	const service = await startEdgeService(t);
	const { url, edge } = service;
	const tokens = { acme: service.token, free: (await service.openReseller('free', 1_000)).token };
	await service.setPrice('acme', 3_500_000);
	const left = documentedRequests('docs/packages.md').values();
	const laterMs = Date.now() - PAGE_MS;
	const later = (at: string) => new Date(Date.parse(at) + laterMs).toISOString();

	async function send(request: DocumentedRequest, reseller: keyof typeof tokens) {
		const body = request.body?.replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, later);
		const { status, text } = await sendDocumented({ ...request, body }, { url, token: tokens[reseller] });
		const { data } = JSON.parse(text);
		return { status, data, name: request.name };
	}
	/** Runs the next command of the page, which must call this endpoint. */
	async function next(endpoint: { readonly path: string }, reseller: keyof typeof tokens, expected = 200) {
		const { value: request } = left.next();
		assert.equal(request?.path, endpoint.path, request?.name ?? 'the page has no further command');
		const { status, data, name } = await send(request as DocumentedRequest, reseller);
		assert.equal(status, expected, name);
		return data;
	}
	let bytes = 0;
	async function use(username: string, gigabytes: number) {
		bytes += gigabytes * GB;
		const counter = { counter: username, username, up: 0, down: bytes, at: new Date().toISOString() };
		assert.equal((await edge.usage({ counters: [counter] })).status, 200);
	}
	const pair = { username: '', password: '' };
	/** Waits until the proxies are told this of the pair: bytes that are left, or why they refuse it. */
	const told = (what: number | string) =>
		eventually(async () => {
			const { body } = await edge.check(pair);
			assert.equal(body.ok ? body.left_bytes : body.reason, what, JSON.stringify(body));
		});
	/** Waits until the log tells that the pair is refused for this reason. */
	const logged = (reseller: keyof typeof tokens, reason: string) =>
		eventually(async () => {
			const { events } = (await resellerApi(url, tokens[reseller]).viewEvents({ types: ['sub_user.unusable'] })).data;
			const own = events.filter(({ username }: { readonly username: string }) => username === pair.username);
			assert.deepEqual(own.at(-1)?.data, { reason });
		});

	/** What the statement finds by the reference in the next command. */
	async function given(reseller: keyof typeof tokens) {
		const { movements } = await next(viewStatementPage, reseller);
		return movements.map(({ kind, username, amount, reference }: Movement) => [kind, username, amount, reference]);
	}

	assert.equal((await next(viewAccount, 'acme')).price, 3_500_000);
	const sold = await next(createSubUserWith, 'acme');
	Object.assign(pair, { username: sold.username, password: sold.proxy_authkey });
	assert.deepEqual([sold.balance, sold.limits.expires_at], [3_500, later('2026-12-21T09:30:00Z')]);
	await told(10 * GB);
	await use('carol.lee', 4);
	assert.equal((await next(viewSubUser, 'acme')).balance, 3_500 - 1_400);
	assert.equal((await next(giveBalance, 'acme')).balance, 3_500 - 1_400 + 1_750);
	await use('carol.lee', 11);
	await told('exhausted');
	await logged('acme', 'exhausted');
	assert.equal((await next(giveBalance, 'acme')).balance, 3_500);
	assert.equal((await next(setLimits, 'acme')).limits.expires_at, later('2027-01-20T09:30:00Z'));
	await told(10 * GB);
	assert.equal((await next(deleteSubUser, 'acme')).amount_usd_cents, 3_500);
	await told('wrong_pair');
	assert.deepEqual(await given('acme'), [['give', 'carol.lee', 3_500, 'order-1042']]);

	bytes = 0;
	const free = await next(createSubUserWith, 'free');
	Object.assign(pair, { username: free.username, password: free.proxy_authkey });
	assert.deepEqual([free.balance, free.limits.total_bytes], [0, 10 * GB]);
	await told(10 * GB);
	await use('dave.ross', 10);
	await told('limit_reached');
	await logged('free', 'limit_reached');
	const { limits, used } = await next(viewDetails, 'free');
	assert.equal(limits.total_bytes - used.total_bytes, 0);
	assert.equal((await next(setLimits, 'free')).limits.total_bytes, 15 * GB);
	await use('dave.ross', 2);
	await told(3 * GB);
	const renewed = await next(setLimits, 'free');
	assert.deepEqual([renewed.limits.total_bytes, renewed.limits.expires_at], [22 * GB, later('2027-01-20T09:30:00Z')]);
	await told(10 * GB);

	const { events } = await next(viewEventPage, 'free');
	const [ended, ...open] = events.map(({ type, data }: { type: string; data: object }) => [type, data]);
	assert.deepEqual(ended, ['sub_user.unusable', { reason: 'limit_reached' }]);
	assert.deepEqual(open, [['sub_user.usable', {}]]);

	const { change } = await next(createSubUserWith, 'free', 409);
	assert.deepEqual([change.kind, change.username, change.amount, change.error], ['create_with', 'dave.ross', 0, null]);
	assert.deepEqual(await next(viewChange, 'free'), change);
	assert.deepEqual(await given('acme'), [['give', 'carol.lee', 1_750, 'order-1077']]);
	assert.equal(left.next().done, true, 'each command of the page was run');
});
