import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Found, type FoundByOperator, SEARCH_HITS } from '@bursar/contract/dashboard';
import { createSubUser, setNote } from '../../../support/commands.ts';
import { startDashboard } from '../../../support/dashboard.ts';
import { refusedOnEdge } from '../../../support/records.ts';
import { wholeFile } from '../../../support/whole-file.ts';

const { store, clock, operator, openReseller, resellerWithPerson } = await startDashboard(wholeFile);
const acme = await resellerWithPerson('acme');
await openReseller('acmebolt', 1000);
const DAY_MS = 86_400_000;
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
	const browser = await operator();
	const names = Array.from({ length: SEARCH_HITS + 2 }, (_, index) => `acme.${index}.x`);
	await run([...names.map((name) => createSubUser('acmebolt', name)), setNote('acmebolt', 'acme.0.x', 'a secret')]);
	await store.runPersonCommands(
		[{ kind: 'create_edge', name: 'eu-acme-1', keyHash: 'hash of a key', keyTail: 'tail' }],
		Date.now(),
	);
	const answer = await browser.ask('/operator/search?text=Acme');
	assert.ok(!answer.text.includes('secret'));
	const { resellers, sub_users, people, edges } = answer.data as FoundByOperator;
	assert.deepEqual(resellers, ['acme', 'acmebolt']);
	assert.deepEqual(
		sub_users,
		names.slice(0, SEARCH_HITS).map((username) => ({ username, reseller: 'acmebolt', refused: null })),
	);
	assert.deepEqual(
		people.map(({ reseller }) => reseller),
		['acme'],
	);
	assert.deepEqual(edges, ['eu-acme-1']);
	const nothing = { resellers: [], sub_users: [], people: [], edges: [] };
	assert.deepEqual((await browser.ask('/operator/search?text=')).data, nothing);
});

test('a hit says when and why a proxy last refused it, for a day', async () => {
	const browser = await operator('ann@bursar.example');
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
	const { sub_users } = (await browser.ask('/operator/search?text=zoe')).data as FoundByOperator;
	const at = new Date(atMs).toISOString();
	assert.deepEqual(sub_users, [
		{ username: 'zoe.1', reseller: 'acmebolt', refused: { at, edge: 'eu-2', reason: 'exhausted' } },
		{ username: 'zoe.2', reseller: 'acmebolt', refused: null },
	]);
});
