import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionError, newChangeId, UnavailableError } from '../src/index.ts';
import { serveAlice } from './support/client.ts';

test('a raw request is sent once, and its answer comes back as it is', async (t) => {
	const { service, reliable, unreliable } = await serveAlice(t);
	const { client, way } = unreliable({ my_info: ['passed', 'answer_lost'] });
	const answer = await client.rawRequest('GET', '/reseller/my_info');
	assert.equal(answer.status, 200);
	assert.equal(JSON.parse(answer.text).data.username, 'acme');
	assert.match(answer.requestId ?? '', /./);
	await assert.rejects(client.rawRequest('GET', '/reseller/my_info'), ConnectionError);
	assert.deepEqual(way.asked, ['my_info', 'my_info']);

	const changeId = newChangeId();
	const give = { username: 'alice', amount_usd_cents: 5 };
	const given = await client.rawRequest('POST', '/reseller/sub_users/give_balance', give, { changeId });
	assert.equal(given.status, 200);
	assert.equal((await reliable.changes.retrieve(changeId))?.amountCents, 5);
	const refused = await client.rawRequest('POST', '/reseller/sub_users/view_single', { username: 'nobody' });
	assert.deepEqual([refused.status, refused.code], [404, 'unknown_sub_user']);
	for (const path of ['//elsewhere.example/', 'reseller/my_info', '@elsewhere.example/', '/a b', '']) {
		await assert.rejects(client.rawRequest('GET', path), TypeError, path);
	}
	await service.stop();
	await assert.rejects(client.rawRequest('GET', '/reseller/my_info'), UnavailableError);
});
