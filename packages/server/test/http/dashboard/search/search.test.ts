import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Found, SEARCH_HITS } from '@bursar/contract/dashboard';
import { resellerApi } from '@bursar/testing/api';
import { createSubUser, deleteSubUser, giveBalance, setNote } from '../../../support/commands.ts';
import { type Browser, startDashboard } from '../../../support/dashboard.ts';
import { refusedOnEdge } from '../../../support/records.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const {
	url,
	store,
	clock,
	change,
	operator: newOperator,
	openReseller,
	resellerWithPerson,
} = await startDashboard(wholeFile);
const acme = await resellerWithPerson('acme');
const browser = await newOperator();
await openReseller('acmebolt', 1000);
const DAY_MS = 86_400_000;
const search = async (who: Browser, path: '/search' | '/operator/search', text: string) =>
	(await who.ask(`${path}?text=${encodeURIComponent(text)}`)).data as Found;
const own = (text: string) => search(acme.browser, '/search', text);
const everywhere = (text: string) => search(browser, '/operator/search', text);
const NOTHING = {
	...{ resellers: [], sub_users: [], deleted_sub_users: [], people: [], tokens: [], webhooks: [], edges: [] },
	...{ movements: [], payments: [], top_ups: [], changes: [], acts: [], references: [], address: null, looked_at: {} },
};
const run = async (commands: Parameters<typeof store.runCommands>[0]) =>
	assert.equal((await store.runCommands(commands, clock.nowMs())).kind, 'committed');

test('people of a reseller find their own sub-users and people, however it is typed, and nothing of others', async () => {
	await run([
		createSubUser('acme', 'alice'),
		setNote('acme', 'alice', 'Pays in Euro'),
		createSubUser('acmebolt', 'alicia'),
	]);
	const alice = [{ username: 'alice', reseller: 'acme', note: 'Pays in Euro', refused: null }];
	for (const text of [' ALI ', 'lic', 'pays in']) assert.deepEqual((await own(text)).sub_users, alice, text);
	const people = [{ email: acme.email, reseller: 'acme' }];
	assert.deepEqual((await own('ACME.exam')).people, people);
	for (const text of ['', 'alicia', '%', '_', '\\', "' OR ''='", '😀', 'op@bursar', 'acmebolt', 'bolt'])
		assert.deepEqual(await own(text), NOTHING, text);
});

test('operators find resellers, sub-users of all of them, people and edges; so many of each at most, and no notes', async () => {
	const names = Array.from({ length: SEARCH_HITS + 2 }, (_, index) => `acme.${index}.x`);
	await run([...names.map((name) => createSubUser('acmebolt', name)), setNote('acmebolt', 'acme.0.x', 'a secret')]);
	await store.runPersonCommands(
		[{ kind: 'create_edge', name: 'eu-acme-1', keyHash: 'hash of a key', keyTail: 'tail' }],
		Date.now(),
	);
	const answer = await browser.ask('/operator/search?text=Acme');
	assert.ok(!answer.text.includes('secret'));
	const { resellers, sub_users, people, edges, references } = answer.data as Found;
	assert.deepEqual(
		resellers.map(({ reseller }) => reseller),
		['acme', 'acmebolt'],
	);
	assert.deepEqual(
		sub_users,
		names.slice(0, SEARCH_HITS).map((username) => ({ username, reseller: 'acmebolt', note: '', refused: null })),
	);
	assert.deepEqual(
		people.map(({ reseller }) => reseller),
		['acme'],
	);
	assert.deepEqual(edges, ['eu-acme-1']);
	assert.deepEqual(references, []);
	for (const text of ['', '%', 'a secret']) assert.deepEqual(await everywhere(text), NOTHING, text);
});

test('a hit says when and why a proxy last refused it, for a day', async () => {
	await run([createSubUser('acmebolt', 'zoe.1'), createSubUser('acmebolt', 'zoe.2')]);
	const nowMs = clock.nowMs();
	const atMs = nowMs - 1_000;
	await store.writeRecords(
		[
			refusedOnEdge('eu-1', 'zoe.1', 'wrong_pair', { atMs: nowMs - 2_000 }),
			refusedOnEdge('eu-2', 'zoe.1', 'exhausted', { atMs }),
			refusedOnEdge('eu-1', 'zoe.2', 'expired', { atMs: nowMs - DAY_MS - 1 }),
		],
		nowMs,
	);
	const { sub_users } = await everywhere('zoe');
	const at = new Date(atMs).toISOString();
	assert.deepEqual(sub_users, [
		{ username: 'zoe.1', reseller: 'acmebolt', note: '', refused: { at, edge: 'eu-2', reason: 'exhausted' } },
		{ username: 'zoe.2', reseller: 'acmebolt', note: '', refused: null },
	]);
});

test('a reference is found: by people of its reseller by a part, and by operators by its beginning, with each reseller', async () => {
	const given = (reseller: string, username: string, reference: string) => ({
		...giveBalance(reseller, username, 1),
		reference,
	});
	await run([
		...[createSubUser('acme', 'anna'), createSubUser('acmebolt', 'bert')],
		...[given('acme', 'anna', 'Order-7'), given('acme', 'anna', 'Order-7'), given('acmebolt', 'bert', 'Order-7')],
		given('acmebolt', 'bert', 'x'.repeat(128)),
	]);
	const ownReference = [{ reference: 'Order-7', reseller: 'acme' }];
	for (const text of [' Order-7 ', 'order', '-7']) assert.deepEqual((await own(text)).references, ownReference, text);
	for (const text of ['Order-7!', 'Order 7', '%', 'x'.repeat(128)]) assert.deepEqual((await own(text)).references, []);
	const both = [...ownReference, { reference: 'Order-7', reseller: 'acmebolt' }];
	for (const text of ['Order-7', 'Ord']) assert.deepEqual((await everywhere(text)).references, both, text);
	assert.deepEqual((await everywhere('x'.repeat(128))).references, [
		{ reference: 'x'.repeat(128), reseller: 'acmebolt' },
	]);
	for (const text of ['order-7', '%', '_rder']) assert.deepEqual((await everywhere(text)).references, [], text);

	const suggested = async (who: Browser, path: string) => (await who.ask(path)).data;
	assert.deepEqual(await suggested(acme.browser, '/statement/references?text=ORD'), ['Order-7']);
	assert.deepEqual(await suggested(acme.browser, '/statement/references?text=xxx'), []);
	assert.deepEqual(await suggested(acme.browser, '/statement/references?text=%20'), []);
	assert.deepEqual(await suggested(browser, '/operator/statement/references?reseller=acmebolt&text=xxx'), [
		'x'.repeat(128),
	]);
});

test('the ids of a request and of a change, a number and a payment lead to the movement, of a reseller only to its own', async () => {
	const bolt = await resellerWithPerson('bolt');
	const api = resellerApi(url, acme.token);
	const id = (name: string) => ({ headers: { 'x-change-id': `change-${name}-0000000` } });
	await api.create({ username: 'carla' }, id('create'));
	await api.create({ username: 'carla' }, id('failed'));
	await api.setNote({ username: 'carla', note: 'Twice' }, id('note'));
	await browser.change('/operator/top-up', { reseller: 'acme', reference: 'INV-2026-1', reason: 'Paid', amount: 500 });
	const { movements } = await acme.browser.read('/statement');
	const paid = movements.find(({ kind }) => kind === 'top_up') ?? assert.fail();
	const failed = (await api.viewChange({ change_id: 'change-failed-0000000' })).data;

	const numbers = async (text: string) => (await own(text)).movements.map(({ number }) => number);
	assert.deepEqual((await own('change-failed-0000000')).movements[0]?.kind, 'create_fee');
	assert.deepEqual(await numbers(String(failed.request_id)), await numbers('change-failed-0000000'));
	assert.deepEqual(
		(await everywhere(String(failed.request_id))).movements,
		(await own('change-failed-0000000')).movements,
	);
	assert.equal((await own('change-note-0000000')).acts[0]?.kind, 'set_note');
	assert.deepEqual((await own('change-note-0000000')).changes, []);
	assert.equal((await own('INV-2026-1')).payments[0]?.number, paid.number);
	assert.deepEqual((await own('INV-2026')).payments, []);
	assert.equal((await everywhere('INV-2026')).payments[0]?.reseller, 'acme');
	for (const text of [
		`${paid.number}`,
		`#${paid.number}`,
		`No. ${paid.number}`,
		`nr ${paid.number}`,
		`acme #${paid.number}`,
	])
		assert.deepEqual(await numbers(text), [paid.number], text);
	assert.deepEqual(
		(await everywhere(`acme ${paid.number}`)).movements.map(({ reseller }) => reseller),
		['acme'],
	);

	for (const text of [failed.request_id, 'change-failed-0000000', 'change-note-0000000', 'INV-2026-1', 'carla', '#99'])
		assert.deepEqual(await search(bolt.browser, '/search', String(text)), NOTHING, `${text}`);
	assert.deepEqual(await search(bolt.browser, '/search', `acme #${paid.number}`), NOTHING);
});

test('a token is found by its end, a webhook by its host, and a deleted sub-user by its whole name', async () => {
	const tail = acme.token.slice(-4);
	const main = [{ name: null, tail, reseller: 'acme' }];
	for (const text of [tail, `…${tail}`, `...${tail}`, `brs_…${tail}`]) {
		assert.deepEqual((await own(text)).tokens, main, text);
		assert.deepEqual((await everywhere(text)).tokens, main, text);
	}
	const theirs = await openReseller('others', 1000);
	assert.deepEqual((await own(theirs.token.slice(-4))).tokens, []);
	await acme.browser.change('/webhooks/create', { url: 'https://hooks.shop.example/very-secret', types: null });
	for (const find of [own, everywhere]) {
		assert.equal((await find('HOOKS.sh')).webhooks[0]?.host, 'hooks.shop.example');
		assert.deepEqual((await find('very-secret')).webhooks, []);
	}
	await run([createSubUser('acme', 'gone.one'), deleteSubUser('acme', 'gone.one')]);
	const gone = [{ username: 'gone.one', reseller: 'acme' }];
	for (const find of [own, everywhere]) {
		assert.deepEqual((await find('Gone.One')).deleted_sub_users, gone);
		assert.deepEqual((await find('gone.on')).deleted_sub_users, []);
	}
});

test('an address leads to what was done from there; people of a reseller learn nothing of the addresses of operators', async () => {
	const other = await resellerWithPerson('addressed');
	const program = { operatorToken: 'shop ...x4Kd', address: '192.0.2.66' };
	const unattended = { id: 'act of a program', kind: 'unlock_person', target: '', requestId: 'r', ...program };
	await change({ kind: 'unlock_person', email: other.email, unattended });
	assert.equal((await everywhere('192.0.2.66')).address, '192.0.2.66');
	const found = (text: string) => search(other.browser, '/search', text);
	assert.equal((await found('127.0.0.1')).address, '127.0.0.1');
	assert.equal((await found('192.0.2.66')).address, null);
	const acts = async (address: string) =>
		(await other.browser.ask(`/activity?address=${address}`)).data as { acts: [] };
	assert.ok((await acts('127.0.0.1')).acts.length > 0);
	assert.deepEqual((await acts('192.0.2.66')).acts, []);
});
