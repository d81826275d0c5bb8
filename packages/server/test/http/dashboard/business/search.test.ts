import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Found, type FoundByOperator, SEARCH_HITS } from '@bursar/contract/dashboard';
import { createSubUser, giveBalance, setNote } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const { store, clock, operator: newOperator, openReseller, resellerWithPerson } = await startDashboard(wholeFile);
const acme = await resellerWithPerson('acme');
const browser = await newOperator();
await openReseller('acmebolt', 1000);
const run = async (commands: Parameters<typeof store.runCommands>[0]) =>
	assert.equal((await store.runCommands(commands, clock.nowMs())).kind, 'committed');

test('people of a reseller find their own sub-users and people, however it is typed, and nothing of others', async () => {
	await run([
		createSubUser('acme', 'alice'),
		setNote('acme', 'alice', 'Pays in Euro'),
		createSubUser('acmebolt', 'alicia'),
	]);
	const found = async (text: string) => {
		const { data } = await acme.browser.ask(`/search?text=${encodeURIComponent(text)}`);
		return (data as Found).sub_users;
	};
	const alice = [{ username: 'alice', note: 'Pays in Euro' }];
	for (const text of [' ALI ', 'pays in']) assert.deepEqual(await found(text), alice, text);
	const { people } = (await acme.browser.ask('/search?text=ACME.exam')).data as Found;
	assert.ok(people.length === 1 && people[0]?.endsWith('@acme.example'));
	for (const text of ['', 'alicia', '%', '😀']) assert.deepEqual(await found(text), [], text);
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
	const { resellers, sub_users, people, edges, references } = answer.data as FoundByOperator;
	assert.deepEqual(resellers, ['acme', 'acmebolt']);
	assert.deepEqual(
		sub_users,
		names.slice(0, SEARCH_HITS).map((username) => ({ username, reseller: 'acmebolt' })),
	);
	assert.deepEqual(
		people.map(({ reseller }) => reseller),
		['acme'],
	);
	assert.deepEqual(edges, ['eu-acme-1']);
	assert.deepEqual(references, []);
	const nothing = { resellers: [], sub_users: [], people: [], edges: [], references: [] };
	assert.deepEqual((await browser.ask('/operator/search?text=')).data, nothing);
});

test('exactly a reference is found: by people of its reseller, and by operators with each reseller that has it', async () => {
	const given = (reseller: string, username: string, reference: string) => ({
		...giveBalance(reseller, username, 1),
		reference,
	});
	await run([
		...[createSubUser('acme', 'anna'), createSubUser('acmebolt', 'bert')],
		...[given('acme', 'anna', 'Order-7'), given('acme', 'anna', 'Order-7'), given('acmebolt', 'bert', 'Order-7')],
		given('acmebolt', 'bert', 'x'.repeat(128)),
	]);
	const own = async (text: string) =>
		((await acme.browser.ask(`/search?text=${encodeURIComponent(text)}`)).data as Found).references;
	assert.deepEqual(await own(' Order-7 '), ['Order-7']);
	for (const text of ['order-7', 'Order', 'Order-7!', 'Order 7', 'x'.repeat(128)])
		assert.deepEqual(await own(text), []);
	const all = async (text: string) =>
		((await browser.ask(`/operator/search?text=${encodeURIComponent(text)}`)).data as FoundByOperator).references;
	assert.deepEqual(await all('Order-7'), [
		{ reference: 'Order-7', reseller: 'acme' },
		{ reference: 'Order-7', reseller: 'acmebolt' },
	]);
	assert.deepEqual(await all('x'.repeat(128)), [{ reference: 'x'.repeat(128), reseller: 'acmebolt' }]);
	assert.deepEqual(await all('order-7'), []);
	assert.deepEqual(await store.listResellersWithReference('Order-7', 1), ['acme']);
});
