import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ConnectionError, OutcomeUnknownError, UnknownSubUserError } from '../src/index.ts';
import { serveAlice, serveReseller } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { LATE_MS } from './support/unreliable-fetch.ts';

const SOLE = { soleWriter: true };

describe('a reset whose answer is lost or wrong', { concurrency: true }, () => {
	test('the key tells that a reset took effect whose answer was lost', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { subUser } = await reliable.createSubUser('alice');
		for (const options of [SOLE, {}]) {
			const { client, way } = unreliable({ reset_auth_key: ['answer_lost'] });
			const replaced = await client.resetAuthKey('alice', options);
			assert.equal(replaced.confirmedBy, 'look');
			assert.notEqual(replaced.proxyAuthkey, subUser.proxyAuthkey);
			assert.equal((await reliable.viewSubUser('alice')).proxyAuthkey, replaced.proxyAuthkey);
			assert.equal(way.asked.filter((endpoint) => endpoint === 'reset_auth_key').length, 1);
		}
	});

	test('a reset that never arrived is repeated when it can no longer arrive', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { subUser } = await reliable.createSubUser('alice');
		const { client, way } = unreliable({ reset_auth_key: ['never_arrives'] });
		const replaced = await client.resetAuthKey('alice');
		assert.equal(replaced.confirmedBy, 'answer');
		assert.notEqual(replaced.proxyAuthkey, subUser.proxyAuthkey);
		assert.equal(way.asked.filter((endpoint) => endpoint === 'reset_auth_key').length, 2);
	});

	test("another client's reset does not hide the own reset that is still on its way", async (t) => {
		const { reliable, unreliable } = await serveAlice(t);
		let late: Promise<unknown> | undefined;
		let onItsWay: Promise<unknown> | undefined;
		const overtaken: typeof fetch = async (input, init) => {
			// If this process was slow, the timers of the late reset and of this request fired together. The late one is first.
			await onItsWay;
			if (late || !String(input).endsWith('reset_auth_key')) return fetch(input, init);
			late = setTimeout(LATE_MS).then(() => {
				onItsWay = fetch(input, { ...init, signal: null });
				return onItsWay;
			});
			await reliable.resetAuthKey('alice');
			throw new TypeError('the answer is lost');
		};
		const { client } = unreliable({}, { fetch: overtaken });
		const { proxyAuthkey } = await client.resetAuthKey('alice');
		await late;
		assert.equal((await reliable.viewSubUser('alice')).proxyAuthkey, proxyAuthkey, 'the key that is valid in the end');
	});

	test('a reset that never arrives leaves the key as it is', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { subUser } = await reliable.createSubUser('alice');
		const { client } = unreliable({ reset_auth_key: ['never_arrives'] });
		await assert.rejects(client.resetAuthKey('alice', { maxAttempts: 1 }), ConnectionError);
		assert.deepEqual(await reliable.viewSubUser('alice'), subUser);
	});

	test('if looking fails too, the outcome is unknown, and the error holds no key', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { subUser } = await reliable.createSubUser('alice');
		const { client } = unreliable({ reset_auth_key: ['answer_lost'], view_single: ['passed', 'never_arrives'] });
		await rejectsWith(client.resetAuthKey('alice', { ...SOLE, maxAttempts: 1 }), OutcomeUnknownError, (error) => {
			assert.deepEqual([error.known.operation, error.known.username], ['reset_auth_key', 'alice']);
			assert.ok(!JSON.stringify(error).includes(subUser.proxyAuthkey));
		});
	});

	test('a reset for a sub-user that does not exist is refused', async (t) => {
		const { reliable } = await serveReseller(t);
		await assert.rejects(reliable.resetAuthKey('nobody'), UnknownSubUserError);
	});

	test('a reset whose answer shows the previous key is unknown', async (t) => {
		const { reliable, unreliable } = await serveReseller(t);
		const { subUser } = await reliable.createSubUser('alice');
		const data = { username: 'alice', proxy_authkey: subUser.proxyAuthkey };
		const same = () => Response.json({ status: 200, message: '', timestamp: 1, data });
		await assert.rejects(unreliable({ reset_auth_key: [same] }).client.resetAuthKey('alice'), OutcomeUnknownError);
	});
});
