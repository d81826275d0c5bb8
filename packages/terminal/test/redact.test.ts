import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../src/redact.ts';

const TOKEN = `brs_${'A1b2C3'.repeat(7)}`;

test('a token, the key of an edge, the secret of a link, and the password of a database URL are removed from a text', () => {
	const link = 'https://bursar.example/dashboard/invitation#';
	assert.equal(redact(`no ${link}${'aB_-9'.repeat(8)} here`), `no ${link}[redacted] here`);
	assert.equal(redact(`no ${TOKEN} here`), 'no brs_[redacted] here');
	assert.equal(redact(`no ${TOKEN.replace('brs', 'bre')} here`), 'no bre_[redacted] here');
	assert.equal(redact('postgres://bursar:hunter2@db1/bursar'), 'postgres://bursar:***@db1/bursar');
});

test('a given secret is removed, and no end of a longer one is left', () => {
	assert.equal(redact('the key abcdef', ['abc', 'abcdef']), 'the key [redacted]');
	assert.equal(redact(`${TOKEN}-more`, [`${TOKEN}-more`]), '[redacted]');
});

test('a given secret that is only the beginning of a token leaves nothing of that token', () => {
	for (const length of [4, 12, TOKEN.length - 1]) {
		assert.equal(redact(`${TOKEN} does not exist`, [TOKEN.slice(0, length)]), '[redacted] does not exist');
	}
});
