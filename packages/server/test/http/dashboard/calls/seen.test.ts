import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { startTestService } from '@bursar/testing/service';
import { openStore } from '../../../../src/engine.ts';
import { newQuestion, readAnswer, SEEN_HEADER, SEEN_KEY } from '../../../../src/seen-request.ts';

test('only who has the master key learns what a service sees of a request, and the answer is of that store', async (t) => {
	const service = await startTestService(t, { BURSAR_DASHBOARD: '1', BURSAR_TRUSTED_PROXIES: '127.0.0.1' });
	const store = await openStore(service.config);
	const key = store.deriveKey(SEEN_KEY);
	await store.close();
	const ask = async (question: string | undefined) => {
		const headers = { 'x-forwarded-for': '192.0.2.77, 203.0.113.9', ...(question && { [SEEN_HEADER]: question }) };
		const response = await fetch(`${service.url}/dashboard/api/seen`, { headers });
		return { status: response.status, code: response.headers.get('x-error-code'), body: await response.text() };
	};

	const question = newQuestion(key);
	const { status, body } = await ask(question);
	assert.equal(status, 200);
	const { version: _, ...seen } = readAnswer(key, question, body) ?? assert.fail('the answer is not of the store');
	assert.deepEqual(seen, {
		connectedFrom: '127.0.0.1',
		isTrusted: true,
		forwardedFor: '192.0.2.77, 203.0.113.9',
		client: '203.0.113.9',
	});
	assert.equal(readAnswer(key, newQuestion(key), body), undefined, 'an answer belongs to one question');
	assert.equal(readAnswer(key, question, changed(body)), undefined);
	assert.doesNotMatch(body, /127\.0|203\.0/, 'who passes it on cannot read it');
	assert.equal(readAnswer(randomBytes(32), question, body), undefined);

	const nowhere = await fetch(`${service.url}/dashboard/api/nowhere`);
	for (const wrong of [undefined, '', 'x', newQuestion(randomBytes(32)), `${question}0`, `0${question.slice(1, 40)}`]) {
		const { status, code } = await ask(wrong);
		assert.deepEqual([status, code], [nowhere.status, nowhere.headers.get('x-error-code')]);
	}
});

/** With another character in its middle. */
function changed(body: string): string {
	const at = Math.floor(body.length / 2);
	return `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}`;
}
