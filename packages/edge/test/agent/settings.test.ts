import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { readAgentSettings } from '../../src/agent/settings.ts';
import { EDGE_KEY } from '../support/fake-service.ts';

const GOOD = { BURSAR_EDGE_URL: 'https://edge.bursar.example', BURSAR_EDGE_KEY: EDGE_KEY };

test('good settings are read', () => {
	const settings = readAgentSettings({ ...GOOD, BURSAR_LOG_LEVEL: 'warn', OTHER: 'x', BURSAR_EDGE_PORT: '1' });
	assert.equal(settings.url.href, 'https://edge.bursar.example/');
	assert.equal(settings.key(), EDGE_KEY);
	assert.equal(settings.logLevel, 'warn');
});

test('every wrong setting is named, and no secret is shown', () => {
	const secret = 'ThisIsASecret';
	for (const [environment, named] of [
		[{}, ['BURSAR_EDGE_URL', 'BURSAR_EDGE_KEY']],
		[{ ...GOOD, BURSAR_EDGE_URL: `http://user:${secret}@host` }, ['BURSAR_EDGE_URL']],
		[{ ...GOOD, BURSAR_EDGE_URL: `ftp://${secret}` }, ['BURSAR_EDGE_URL']],
		[{ ...GOOD, BURSAR_EDGE_URL: 'https://host?x' }, ['BURSAR_EDGE_URL']],
		[{ ...GOOD, BURSAR_EDGE_KEY: `bre_${secret}` }, ['BURSAR_EDGE_KEY']],
		[{ ...GOOD, BURSAR_EDGE_KEY: `${EDGE_KEY}\n` }, ['BURSAR_EDGE_KEY']],
		[{ ...GOOD, BURSAR_EDGE_KEY_FILE: '/nowhere' }, ['BURSAR_EDGE_KEY_FILE', 'exactly one']],
		[{ ...GOOD, BURSAR_EDGE_UPSTREAM: `http://a http://u:${secret}@host/path` }, ['BURSAR_EDGE_UPSTREAM: entry 2']],
		[{ ...GOOD, BURSAR_EDGE_UPSTREAM: ' ' }, ['BURSAR_EDGE_UPSTREAM: it names no upstream proxy']],
		[{ ...GOOD, BURSAR_EDGE_UPSTREAM_FILE: '/nowhere' }, ['BURSAR_EDGE_UPSTREAM_FILE', 'ENOENT']],
		[
			{ ...GOOD, BURSAR_EDGE_UPSTREAM: `http://u:${secret}@host`, BURSAR_EDGE_UPSTREAM_FILE: '/nowhere' },
			['BURSAR_EDGE_UPSTREAM and BURSAR_EDGE_UPSTREAM_FILE: only one'],
		],
		[{ ...GOOD, BURSAR_EDGE_KEYS: 'x' }, ['BURSAR_EDGE_KEYS: there is no such setting']],
		[{ ...GOOD, BURSAR_LOG_LEVEL: 'loud' }, ['BURSAR_LOG_LEVEL']],
	] as const) {
		assert.throws(
			() => readAgentSettings(environment),
			({ message }: Error) => named.every((words) => message.includes(words)) && !message.includes(secret),
			JSON.stringify(environment),
		);
	}
});

test('a new key in the file is used without a restart, and a broken file changes nothing', async (t) => {
	const file = join(temporaryFolder(t), 'key');
	writeFileSync(file, `${EDGE_KEY}\n`, { mode: 0o600 });
	const { BURSAR_EDGE_URL } = GOOD;
	const { key } = readAgentSettings({ BURSAR_EDGE_URL, BURSAR_EDGE_KEY_FILE: file });
	assert.equal(key(), EDGE_KEY);
	writeFileSync(file, '');
	await new Promise((resolve) => setTimeout(resolve, 1_100));
	assert.equal(key(), EDGE_KEY);
	const next = `bre_${'n'.repeat(46)}`;
	writeFileSync(file, next);
	await eventually(async () => assert.equal(key(), next), 30_000);
	assert.throws(() => readAgentSettings({ BURSAR_EDGE_URL, BURSAR_EDGE_KEY_FILE: '/nowhere' }), /ENOENT/);
});

/** A file of that mode with this text, and the settings that name it. */
function fileOf(test: TestContext, text: string, mode = 0o600) {
	const file = join(temporaryFolder(test), 'upstreams');
	writeFileSync(file, text, { mode });
	return { ...GOOD, BURSAR_EDGE_UPSTREAM_FILE: file };
}

test('upstream proxies are read from the setting or from a file', (t) => {
	const text = 'http://carol:secret@a.example:3128 weight=3\nsocks5://carol[-{country}]:secret@[::1]:1080';
	const file = fileOf(t, `# both\n${text}\n`);
	for (const environment of [{ ...GOOD, BURSAR_EDGE_UPSTREAM: text }, file]) {
		const { upstreams = [] } = readAgentSettings(environment);
		assert.deepEqual(
			upstreams.map(({ protocol, host, port, weight }) => [protocol, host, port, weight]),
			[
				['http', 'a.example', 3128, 3],
				['socks5', '::1', 1080, 1],
			],
		);
	}
	assert.equal(readAgentSettings(GOOD).upstreams, undefined);
	const long = fileOf(t, `http://a\n${'#'.repeat(1_048_576)}`);
	assert.throws(() => readAgentSettings(long), /BURSAR_EDGE_UPSTREAM_FILE: the file has more than 1048576 bytes/);
});

test('a file of upstream proxies that others can read is refused, unless a setting allows it', {
	skip: process.getuid === undefined && 'there are no modes here',
}, (t) => {
	const environment = fileOf(t, 'http://carol:secret@a.example', 0o644);
	assert.throws(() => readAgentSettings(environment), /BURSAR_EDGE_UPSTREAM_FILE: others can read or change it/);
	assert.equal(readAgentSettings({ ...environment, BURSAR_ALLOW_OPEN_KEY_FILES: '1' }).upstreams?.length, 1);
});

test('a key file that others can read is refused, unless a setting allows it', {
	skip: process.getuid === undefined && 'there are no modes here',
}, (t) => {
	const file = join(temporaryFolder(t), 'key');
	writeFileSync(file, EDGE_KEY, { mode: 0o644 });
	const environment = { BURSAR_EDGE_URL: GOOD.BURSAR_EDGE_URL, BURSAR_EDGE_KEY_FILE: file };
	assert.throws(() => readAgentSettings(environment), /BURSAR_EDGE_KEY_FILE: others can read or change it/);
	assert.equal(readAgentSettings({ ...environment, BURSAR_ALLOW_OPEN_KEY_FILES: '1' }).key(), EDGE_KEY);
	assert.throws(() => readAgentSettings({ ...environment, BURSAR_ALLOW_OPEN_KEY_FILES: 'yes' }), /ALLOW.* 1 or 0/);
});
