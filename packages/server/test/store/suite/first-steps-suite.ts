import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	createReseller,
	createSubUser,
	creditReseller,
	giveBalance,
	NOON_MS,
	setPrice,
} from '../../support/commands.ts';
import { accept, invite, setLowBalance } from '../../support/person-commands.ts';
import { type Engine, keep, record, runAll, runAllPeople } from './engine.ts';

/** Tests what lists of first steps read: a step is done once there is what it makes. */
export function firstStepsSuite(engine: Engine): void {
	test('each step of the service and of a reseller is done once there is what it makes', async (t) => {
		const { store } = await engine.open(t);
		const ofService = async () => namesOf(await store.readServiceSteps('olga'));
		const ofAcme = async () => namesOf(await store.readResellerSteps('acme', 'ann'));
		assert.deepEqual(await ofService(), []);
		assert.deepEqual(await ofAcme(), []);

		await runAllPeople(store, [invite('olga', null), accept('olga', 's1'), invite('otto', null)]);
		assert.deepEqual(await ofService(), []);
		await runAllPeople(store, [accept('otto', 's2')]);
		await runAll(store, [createReseller('acme'), createReseller('other')]);
		assert.deepEqual(await ofService(), ['operator', 'reseller']);
		assert.deepEqual(await ofAcme(), []);

		await runAll(store, [creditReseller('acme', 1000, 'invoice'), setPrice('acme', 1_000_000)]);
		await runAllPeople(store, [invite('ann', 'acme'), accept('ann', 's3')]);
		assert.deepEqual(await ofService(), ['operator', 'person', 'price', 'reseller', 'topUp']);
		assert.deepEqual(await ofAcme(), []);

		await runAll(store, [createSubUser('acme', 'alice'), giveBalance('acme', 'alice', 100)]);
		await runAllPeople(store, [setLowBalance('ann', 's3', 500), invite('ben', 'acme')]);
		const report = { source: 's', id: 'r1', username: 'alice', atMs: NOON_MS, bytesUp: 1, bytesDown: 0 };
		await record(store, [report]);
		assert.deepEqual(await ofAcme(), ['bytes', 'give', 'person', 'subUser', 'warning']);
		const [token] = await store.listTokens('acme');
		assert.ok(token);
		await keep(store, [{ kind: 'token_use', hash: token.hash, usedAtMs: NOON_MS }]);
		assert.deepEqual(await ofAcme(), ['api', 'bytes', 'give', 'person', 'subUser', 'warning']);
		assert.deepEqual(namesOf(await store.readResellerSteps('other', 'zoe')), []);
	});
}

function namesOf(done: object): readonly string[] {
	return Object.entries(done)
		.filter(([, isDone]) => isDone)
		.map(([name]) => name)
		.sort();
}
