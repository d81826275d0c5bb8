import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, maskedConfig, readConfig } from '../../src/config.ts';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';

test('a URL with one host gives one host URL', () => {
	const { hostUrls, masked } = parseDatabaseUrl('postgres://bursar:s3cret@db.example:5433/books?sslmode=verify-full');
	assert.deepEqual(hostUrls, ['postgres://bursar:s3cret@db.example:5433/books?sslmode=verify-full']);
	assert.equal(masked, 'postgres://bursar:***@db.example:5433/books');
});

test('a URL with several hosts gives one URL for each, in their order', () => {
	const text = 'postgresql://bursar:p%40ss@a.example,b.example:5433,[::1]:5434/books?target_session_attrs=read-write';
	const { hostUrls, masked } = parseDatabaseUrl(text);
	assert.deepEqual(hostUrls, [
		'postgres://bursar:p%40ss@a.example/books',
		'postgres://bursar:p%40ss@b.example:5433/books',
		'postgres://bursar:p%40ss@[::1]:5434/books',
	]);
	assert.equal(masked, 'postgres://bursar:***@a.example,b.example:5433,[::1]:5434/books');
});

test('a URL needs no user and no password', () => {
	assert.deepEqual(parseDatabaseUrl('postgres://localhost/books').hostUrls, ['postgres://localhost/books']);
	assert.equal(parseDatabaseUrl('postgres://localhost/books').masked, 'postgres://localhost/books');
});

for (const [what, text] of [
	['another scheme', 'mysql://bursar:s3cret@localhost/books'],
	['no database', 'postgres://bursar:s3cret@localhost'],
	['no database after the slash', 'postgres://bursar:s3cret@localhost/'],
	['no content', ''],
	['a password that begins with a slash', 'postgres://bursar:/s3cret@localhost/books'],
	['a slash in its password', 'postgres://bursar:12/s3cret@localhost/books'],
	['an invalid port', 'postgres://bursar:s3cret@localhost:port/books'],
	['a session that cannot write', 'postgres://bursar:s3cret@localhost/books?target_session_attrs=any'],
] as const) {
	test(`a URL with ${what} stops the start, and its password is not repeated`, () => {
		const environment = { BURSAR_DATABASE_URL: text, BURSAR_MASTER_KEY: Buffer.alloc(32).toString('base64') };
		assert.throws(
			() => readConfig(environment),
			(error: Error) =>
				error instanceof ConfigError && /^BURSAR_DATABASE_URL: /.test(error.message) && !/s3cret/.test(error.message),
		);
	});
}

test('a database needs a master key, and the printed configuration has no secrets', () => {
	const BURSAR_DATABASE_URL = 'postgres://bursar:s3cret@localhost/books';
	assert.throws(() => readConfig({ BURSAR_DATABASE_URL }), /BURSAR_MASTER_KEY/);
	const BURSAR_MASTER_KEY = Buffer.alloc(32, 1).toString('base64');
	const printed = JSON.stringify(maskedConfig(readConfig({ BURSAR_DATABASE_URL, BURSAR_MASTER_KEY })));
	assert.match(printed, /"postgres:\/\/bursar:\*\*\*@localhost\/books"/);
	assert.ok(!printed.includes('s3cret') && !printed.includes(BURSAR_MASTER_KEY));
});
