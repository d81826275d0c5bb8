import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInKey } from '@bursar/contract/sign-in-ips';
import type { Command } from '../../../src/commands/registry.ts';
import type { Store } from '../../../src/store/store.ts';
import { allowSignIn, createSubUser, deleteSubUser, setSignInIps } from '../../support/commands.ts';
import { assertSoundLedger, type Engine, endings, openSubUsers, run, runAll } from './engine.ts';

const ROUNDS = 10;

/** Tests who signs in from which address, and that an address is of one account, whoever sets it at the same moment. */
export function signInSuite(engine: Engine): void {
	async function open(t: Parameters<Engine['open']>[0]) {
		const opened = await openSubUsers(engine, t);
		await runAll(opened.store, [allowSignIn('acme'), allowSignIn('other')]);
		return opened;
	}

	const signedIn = async (store: Store, client: string) => (await store.findSignIn({ edge: 'eu-1', client }))?.username;

	test('a client signs in from its address, in any form of it, and from each address of a /64', async (t) => {
		const { store } = await open(t);
		await runAll(store, [setSignInIps('acme', 'alice', '192.0.2.7', '2001:db8::7', '2001:db8:0:1::/64')]);
		for (const client of ['192.0.2.7', '::ffff:192.0.2.7', '2001:DB8:0::7', '2001:db8:0:1::', '2001:db8:0:1:f::9']) {
			assert.equal(await signedIn(store, client), 'alice', client);
		}
		for (const client of ['192.0.2.70', '192.0.2.8', '2001:db8::8', '2001:db8:0:2::', '', 'nowhere', '::/64', '/64']) {
			assert.equal(await signedIn(store, client), undefined, client);
		}
		assert.deepEqual(await store.findSignIn({ edge: 'eu-1', client: '2001:db8:0:1::9' }), {
			username: 'alice',
			address: signInKey('2001:db8:0:1::/64'),
		});
		const details = await store.findDetails('acme', 'alice');
		const addresses = ['192.0.2.7', '2001:db8::7', '2001:db8:0:1::/64'].map(signInKey).sort();
		assert.deepEqual([details?.signInAddresses, details?.maySignInByAddress], [addresses, true]);
		const read = await store.findSignInAddresses({ edge: 'eu-1', username: 'alice' });
		assert.deepEqual(read.toSorted(), addresses);
		assert.deepEqual(await store.findSignInAddresses({ edge: 'eu-1', username: 'bruno' }), []);
	});

	test('the addresses of a reseller that may not sign in by address are of no use, and are kept', async (t) => {
		const { store, openAnother } = await open(t);
		const another = await openAnother();
		await runAll(store, [setSignInIps('acme', 'alice', '192.0.2.7'), setSignInIps('other', 'chiara', '192.0.2.8')]);
		await runAll(store, [allowSignIn('acme', false), allowSignIn('acme', false)]);
		assert.equal(await signedIn(another, '192.0.2.7'), undefined);
		assert.deepEqual(await another.findSignInAddresses({ edge: 'eu-1', username: 'alice' }), []);
		assert.equal(await signedIn(another, '192.0.2.8'), 'chiara');
		assert.equal(await another.isSignInUsed(), true);
		assert.equal((await another.findOwnTerms('acme')).isSignInAllowed, 0);
		const details = await another.findDetails('acme', 'alice');
		assert.deepEqual([details?.signInAddresses, details?.maySignInByAddress], [['192.0.2.7'], false]);
		assert.deepEqual(endings(await run(store, [setSignInIps('other', 'chiara', '192.0.2.7')])), ['address_taken']);

		await runAll(store, [allowSignIn('other', false)]);
		assert.equal(await another.isSignInUsed(), false);
		await runAll(store, [allowSignIn('acme')]);
		assert.equal(await signedIn(another, '192.0.2.7'), 'alice');
		const [listed] = await another.listResellersBy({ search: 'acme', by: 'name', descends: false, limit: 1 });
		assert.equal(listed?.isSignInAllowed, 1);
	});

	test('a deleted sub-user frees its addresses, in the same batch too', async (t) => {
		const { store } = await open(t);
		await runAll(store, [setSignInIps('acme', 'alice', '192.0.2.7', '2001:db8::/64')]);
		assert.deepEqual(endings(await run(store, [setSignInIps('other', 'chiara', '2001:db8::7')])), ['address_taken']);
		await runAll(store, [
			deleteSubUser('acme', 'alice'),
			setSignInIps('acme', 'bruno', '192.0.2.7'),
			setSignInIps('other', 'chiara', '2001:db8::7', '2001:db8::8'),
		]);
		assert.equal(await signedIn(store, '192.0.2.7'), 'bruno');
		assert.equal(await signedIn(store, '2001:db8::7'), 'chiara');
		assert.equal(await signedIn(store, '2001:db8::9'), undefined);
		await assertSoundLedger(store);
	});

	test('a /64 is refused as long as another account has one address in it, however many others have some', async (t) => {
		const { store } = await open(t);
		const names = Array.from({ length: 20 }, (_, n) => `user.${n}`);
		await runAll(store, [
			...names.map((name) => createSubUser('acme', name)),
			...names.map((name, n) => setSignInIps('acme', name, `2001:db8::${n + 1}`)),
		]);
		const take = setSignInIps('other', 'chiara', '2001:db8::/64');
		for (const name of names) {
			assert.deepEqual(endings(await run(store, [take])), ['address_taken'], name);
			await runAll(store, [setSignInIps('acme', name)]);
		}
		assert.deepEqual(endings(await run(store, [take])), ['ok']);
	});

	test('of resellers that take one address at the same moment, or overlapping ones, one gets it', async (t) => {
		const { store, openAnother } = await open(t);
		const stores = [store, await openAnother()] as const;
		for (let round = 0; round < ROUNDS; round++) {
			const network = `2001:db8:0:${round.toString(16)}`;
			const takes: readonly (readonly [Command, Command])[] = [
				[setSignInIps('acme', 'alice', `192.0.2.${round}`), setSignInIps('other', 'chiara', `192.0.2.${round}`)],
				[setSignInIps('acme', 'alice', `${network}::/64`), setSignInIps('other', 'chiara', `${network}::7`)],
				[setSignInIps('acme', 'alice', `${network}::/64`), setSignInIps('other', 'chiara', `${network}::/64`)],
				[
					setSignInIps('acme', 'alice', `192.0.2.${round}`, `${network}::8`),
					setSignInIps('other', 'chiara', `${network}::/64`, `198.51.100.${round}`),
				],
			];
			for (const pair of takes) {
				await runAll(store, [setSignInIps('acme', 'alice'), setSignInIps('other', 'chiara')]);
				const outcomes = await Promise.all(pair.map((command, index) => run(stores[index] as Store, [command])));
				const both = outcomes.flatMap((each) => endings(each)).sort();
				assert.deepEqual(both, ['address_taken', 'ok']);
			}
		}
		await assertSoundLedger(store);
	});

	test('the verification finds addresses of accounts that do not exist, and two accounts with one address', async (t) => {
		const { store, insert, corrupt } = await open(t);
		await runAll(store, [setSignInIps('acme', 'alice', '192.0.2.7', '2001:db8::/64')]);
		await assertSoundLedger(store);
		await corrupt(`INSERT INTO sign_in_addresses VALUES ('192.0.2.8', 'acme', 'nobody');
			INSERT INTO sign_in_resellers VALUES ('nobody.2')`);
		// One of the engines refuses by itself what overlaps.
		const overlap = { address: signInKey('2001:db8::9'), reseller: 'other', username: 'chiara' };
		const isRefused = await insert({ sign_in_addresses: [overlap] }).then(
			() => false,
			() => true,
		);
		const { problems } = await store.verifyLedger();
		assert.deepEqual(
			problems.map(({ name }) => name),
			['nobody', ...(isRefused ? [] : ['chiara']), 'nobody.2'],
		);
	});
}
