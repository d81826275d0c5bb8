import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { readHelperRequest } from '../../src/squid/helper-request.ts';

const REST = '192.0.2.7 5000 Basic%20YTpi';

test("a request is read as Squid writes it, with the name and address of the client's connection", () => {
	assert.deepEqual(readHelperRequest(`17 alice.smith 4fQ9%2520x%FF%25 ${REST}`), {
		channel: '17',
		question: {
			username: 'alice.smith',
			password: '4fQ9%20x\xff%',
			client: '192.0.2.7',
			peer: '192.0.2.7:5000',
		},
	});
	const { question } = readHelperRequest('0 a b 2001:db8::1 9 Basic%20YTpi') ?? {};
	assert.equal(question?.peer, '[2001:db8::1]:9');
	assert.equal(readHelperRequest(`0 a b - 9 Basic%20YTpi`)?.question?.client, '');
});

test('a request without the header of the credentials has no question, so its answer is a refusal', () => {
	for (const line of [
		'3 a b',
		'3 a b 192.0.2.7',
		'3 a b 192.0.2.7 5000',
		'3 a b 192.0.2.7 5000 -',
		'3',
		'3 a',
		'3  ',
	]) {
		assert.deepEqual(readHelperRequest(line), { channel: '3', question: undefined }, line);
	}
	assert.equal(readHelperRequest(`3 a b ${REST} more`)?.question, undefined);
});

test('a line without a channel is no request', () => {
	for (const line of ['', ' ', 'alice secret', '-1 a b', '1e3 a b', '0x1 a b', `${'9'.repeat(21)} a b`, '\xff\0 a b']) {
		assert.equal(readHelperRequest(line), undefined, line);
	}
});

test('no bytes make the reading fail', (t) => {
	const random = randomFrom(printedSeed(t));
	const alphabet = ' %%%0123456789abcdefABCDEF-.:\0\r\t\xff\x80';
	for (let round = 0; round < 20_000; round++) {
		const length = random.below(60);
		const line = Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('');
		readHelperRequest(random.below(2) === 0 ? line : `5 ${line}`);
	}
});
