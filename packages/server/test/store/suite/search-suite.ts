import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	createReseller,
	createSubUser,
	createToken,
	creditReseller,
	deleteSubUser,
	giveBalance,
	NOON_MS,
	noteReseller,
	setLimits,
	setNote,
} from '../../support/commands.ts';
import { emailOf, invite } from '../../support/person-commands.ts';
import { type Engine, runAll, runAllPeople } from './engine.ts';

/** Tests the search over everything. */
export function searchSuite(engine: Engine): void {
	test('sub-users are found by name and note: first those that begin with the text, and never those of another reseller', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [
			createReseller('acme', 1000),
			createReseller('bolt', 1000),
			...['bob', 'a_bob', 'axbob', 'carl', 'gone.bob', 'zora'].map((name) => createSubUser('acme', `${name}.x`)),
			createSubUser('bolt', 'bobby'),
			setNote('acme', 'carl.x', 'For BOB, 100 % paid_up!'),
			deleteSubUser('acme', 'gone.bob.x'),
		]);
		const found = async (text: string, limit = 8) =>
			(await store.searchSubUsers({ reseller: 'acme', text, limit })).rows.map(({ username }) => username);
		assert.deepEqual(await found('bob'), ['bob.x', 'a_bob.x', 'axbob.x', 'carl.x']);
		assert.deepEqual(await found('bob', 2), ['bob.x', 'a_bob.x']);
		assert.deepEqual(await found('bob', 1), ['bob.x']);
		// What means something to `LIKE` stands for itself.
		assert.deepEqual(await found('_b'), ['a_bob.x']);
		assert.deepEqual(await found('100 %'), ['carl.x']);
		assert.deepEqual(await found('d_up!'), ['carl.x']);
		for (const text of ['%', '__', '!!', "'", 'bobby', 'acme']) {
			assert.deepEqual(await found(text), text === '%' ? ['carl.x'] : [], text);
		}
		for (const note of ['Überweisung an GÜNTHER', 'überweisung an günther']) {
			await runAll(store, [setNote('acme', 'zora.x', note)]);
			for (const text of ['über', 'günther', 'g an g', 'überweisung an gü'])
				assert.deepEqual(await found(text), ['zora.x']);
			for (const text of ['uber', 'ünter', 'ß', 'éü']) assert.deepEqual(await found(text), [], text);
		}
		await runAll(store, [setNote('acme', 'zora.x', '')]);
		const all = await store.searchSubUsers({ reseller: 'acme', text: 'zora', limit: 8 });
		assert.deepEqual(all, { rows: [{ username: 'zora.x', note: null }], lookedAt: null });
	});

	test('sub-users of all resellers are found by a part of their names, while they live', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [
			createReseller('acme', 1000),
			createReseller('acmex', 1000),
			createSubUser('acme', 'acme.two'),
			createSubUser('acmex', 'acme.one'),
			createSubUser('acme', 'acme.gone'),
			deleteSubUser('acme', 'acme.gone'),
		]);
		const gone = Array.from({ length: 70 }, (_, index) => `old.${index}`);
		await runAll(
			store,
			[...gone, 'old.z'].map((name) => createSubUser('acme', name)),
		);
		await runAll(
			store,
			gone.map((name) => deleteSubUser('acme', name)),
		);
		const found = async (text: string, limit = 8) => (await store.searchAllSubUsers(text, limit)).rows;
		const [one, two] = [
			{ username: 'acme.one', reseller: 'acmex' },
			{ username: 'acme.two', reseller: 'acme' },
		];
		assert.deepEqual(await found('old'), [{ username: 'old.z', reseller: 'acme' }]);
		assert.deepEqual(await found('acme'), [one, two]);
		assert.deepEqual(await found('acme', 1), [one]);
		assert.deepEqual(await found('e.t'), [two]);
		for (const text of ['%', '_', 'ACME', 'a b', 'gone']) assert.deepEqual(await found(text), [], text);
		assert.equal(await store.findResellerOfDeleted('acme.gone'), 'acme');
		for (const name of ['acme.one', 'acme', 'nobody']) assert.equal(await store.findResellerOfDeleted(name), undefined);
	});

	test('resellers are found by a part of the name or of what operators noted: first those that begin with it', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [
			...['shop', 'bestshop', 'acme'].map((name) => createReseller(name, 1000)),
			createSubUser('acme', 'shopper'),
			setNote('acme', 'shopper', 'the shop'),
			noteReseller('acme', 'Ordered by Eshop_1'),
		]);
		const found = async (text: string, limit = 8) =>
			(await store.searchResellers(text, limit)).map(({ reseller }) => reseller);
		assert.deepEqual(await found('shop'), ['shop', 'acme', 'bestshop']);
		assert.deepEqual(await found('shop', 1), ['shop']);
		assert.deepEqual(await found('shop_'), ['acme']);
		for (const text of ['%', 'shopp', 'the s', '\\']) assert.deepEqual(await found(text), [], text);
	});

	test('a sub-user is found by an address that it allows, and not by a part of it', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [
			createReseller('acme', 1000),
			...['alice', 'bella', 'carol'].map((name) => createSubUser('acme', name)),
			setLimits('acme', 'alice', { allowedIps: ['192.0.2.0/24', '203.0.113.70'] }),
			setLimits('acme', 'bella', { allowedIps: ['203.0.113.7'] }),
		]);
		const found = async (text: string, networks: readonly string[]) =>
			(await store.searchSubUsers({ reseller: 'acme', text, networks, limit: 8 })).rows.map(({ username }) => username);
		assert.deepEqual(await found('203.0.113.7', ['203.0.113.7', '203.0.113.0/24']), ['bella']);
		assert.deepEqual(await found('192.0.2.9', ['192.0.2.9', '192.0.2.0/24']), ['alice']);
		assert.deepEqual(await found('0.113', []), []);
	});

	test('people are found by a part of their e-mail address: first those whose address begins with it', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme')]);
		await runAllPeople(store, [invite('bea', 'acme'), invite('abe', null), invite('zoe', 'acme')]);
		const found = (text: string, limit = 8) => store.searchPeople(text, limit);
		assert.deepEqual(await found('be'), [
			{ email: emailOf('bea'), reseller: 'acme' },
			{ email: emailOf('abe'), reseller: null },
		]);
		assert.deepEqual(await found('be', 1), [{ email: emailOf('bea'), reseller: 'acme' }]);
		for (const text of ['%', '_', 'nobody']) assert.deepEqual(await found(text), [], text);
	});

	test('movements, payments, changes and references are found by what people have of them, and only with their reseller', async (t) => {
		const { store } = await engine.open(t);
		const of = (reseller: string, username: string, more: object = {}) => ({
			...giveBalance(reseller, username, 5),
			requestId: `request of ${username}`,
			...more,
		});
		await runAll(store, [
			...['acme', 'bolt'].map((name) => createReseller(name, 10_000)),
			...[createSubUser('acme', 'alice'), createSubUser('bolt', 'bella'), createSubUser('bolt', 'bruno')],
			of('acme', 'alice', { reference: 'Order-7', changeId: 'change-of-alice-1' }),
			of('bolt', 'bella', { reference: 'Order-7' }),
			of('bolt', 'bruno', { reference: 'order_8%' }),
			{ ...creditReseller('acme', 100, 'INV-1'), requestId: 'request of a payment' },
			{ ...creditReseller('bolt', 100, 'INV-2'), requestId: 'request of another' },
		]);
		const whose = (rows: readonly { readonly reseller: string }[]) => rows.map(({ reseller }) => reseller);
		const newest = (await store.listMovements({ reseller: 'acme', before: Number.MAX_SAFE_INTEGER, limit: 1 })).rows[0];
		const { number } = newest ?? assert.fail();
		assert.deepEqual(whose(await store.findMovementsByNumber('acme', number, 8)), ['acme']);
		assert.deepEqual(await store.findMovementsByNumber('bolt', 99, 8), []);
		assert.deepEqual(whose(await store.findMovementsByNumber(null, number, 8)), ['acme', 'bolt']);
		assert.deepEqual(whose(await store.findMovementsByNumber(null, number, 1)), ['acme']);

		for (const [reseller, found] of [
			['acme', 1],
			[null, 1],
			['bolt', 0],
		] as const) {
			const movements = await store.findMovementsOfRequest(reseller, 'request of alice', 8);
			const changes = await store.findChangesById(reseller, 'change-of-alice-1', 8);
			const payments = await store.findPayments(reseller, 'INV-1', 8);
			assert.deepEqual(
				[movements, changes, payments].map((rows) => rows.length),
				[found, found, found],
				`${reseller}`,
			);
		}
		assert.equal((await store.findMovementsOfChange('acme', 'change-of-alice-1', 8)).length, 1);
		assert.deepEqual(await store.findMovementsOfChange('bolt', 'change-of-alice-1', 8), []);
		assert.deepEqual(await store.findPayments('acme', 'INV', 8), []);
		assert.deepEqual(
			(await store.findPayments(null, 'INV', 8)).map(({ reference }) => reference),
			['INV-1', 'INV-2'],
		);

		const references = async (text: string, limit = 8) =>
			(await store.searchReferences({ reseller: 'bolt', text, limit })).references;
		assert.deepEqual(await references('order'), ['Order-7', 'order_8%']);
		assert.deepEqual(await references('order', 1), ['Order-7']);
		assert.deepEqual(await references('8%'), ['order_8%']);
		assert.deepEqual(await references('r_7'), []);
		assert.deepEqual(await store.listReferences('Order', 8), [
			{ reference: 'Order-7', reseller: 'acme' },
			{ reference: 'Order-7', reseller: 'bolt' },
		]);
		assert.deepEqual(await store.listReferences('O', 1), [{ reference: 'Order-7', reseller: 'acme' }]);
		for (const text of ['%', 'rder', 'Order-8']) assert.deepEqual(await store.listReferences(text, 8), [], text);
	});

	test('a live token is found by its last four characters, or by a part of its name', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme'), createReseller('bolt'), createToken('bolt', 'hash rGaU', 'Shop_1')]);
		const found = async (tail: string | undefined, text: string, nowMs = NOON_MS) =>
			(await store.searchTokens({ tail, text, nowMs, limit: 8 })).map(({ name }) => name);
		assert.deepEqual(await found('rGaU', 'rgau'), ['Shop_1']);
		assert.deepEqual(await found(undefined, 'shop_'), ['Shop_1']);
		for (const text of ['rgau', '%', 'shop-']) assert.deepEqual(await found(undefined, text), [], text);
		assert.deepEqual(await found('rGaU', 'rgau', NOON_MS + 2 * 86_400_000), []);
	});
}
