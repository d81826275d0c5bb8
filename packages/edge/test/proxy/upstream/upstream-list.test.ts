import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readUpstreamList } from '../../../src/proxy/upstream/upstream-list.ts';

/** Without the templates. */
const read = (text: string) =>
	readUpstreamList(text).map(({ protocol, host, port, weight }) => `${protocol} ${host} ${port} ${weight}`);

test('a list has URLs, weights and comments', () => {
	for (const [text, exits] of [
		['http://upstream.example', ['http upstream.example 80 1']],
		['HTTPS://Upstream.Example/', ['https upstream.example 443 1']],
		['http://upstream.example:443', ['http upstream.example 443 1']],
		['https://upstream.example:80', ['https upstream.example 80 1']],
		['socks5://127.0.0.1:1080', ['socks5 127.0.0.1 1080 1']],
		['socks5h://[::1]:1080', ['socks5 ::1 1080 1']],
		['https://[2001:DB8::1]:3128', ['https 2001:db8::1 3128 1']],
		['http://a:1 http://b:2\thttp://c:3', ['http a 1 1', 'http b 2 1', 'http c 3 1']],
		['http://a:1 weight=7 http://b:2 weight=1000', ['http a 1 7', 'http b 2 1000']],
		['http://a:1\nweight=7\r\nhttp://a:1', ['http a 1 7', 'http a 1 1']],
		['# first\n\n  http://a:1 # near\n#http://b:2\nhttp://c:3\n', ['http a 1 1', 'http c 3 1']],
		['http://u:p#w@a:1 '.replace('#', '%23'), ['http a 1 1']],
	] as const) {
		assert.deepEqual(read(text), exits, text);
	}
	assert.equal(read('http://a:1\n'.repeat(256)).length, 256);
});

test('the user and the password are what stands before the last @', () => {
	const [exit] = readUpstreamList('http://car@ol-{country}:p:w@upstream.example:3128');
	assert.deepEqual(exit?.username.parts.flatMap(({ pieces }) => pieces)[0], 'car@ol-');
	assert.deepEqual([...(exit?.username.names ?? [])], ['country']);
	assert.deepEqual(exit?.password.parts, [{ pieces: ['p:w'], isInBrackets: false }]);
	const [socks] = readUpstreamList('socks5://car%3Aol@upstream.example:1080');
	assert.deepEqual(socks?.username.parts, [{ pieces: ['car:ol'], isInBrackets: false }]);
});

test('a wrong entry is named by its number, and nothing of it is shown', () => {
	const good = 'http://carol:secret@a:1';
	for (const [text, named] of [
		['', 'no upstream'],
		['# http://secret', 'no upstream'],
		['secret', 'entry 1: it must be the URL'],
		['secret:x@host', 'entry 1: it must be the URL'],
		[`${good} secret`, 'entry 2: it must be the URL'],
		[`${good} weight=2 ftp://secret`, 'entry 2: it must be the URL'],
		['socks4://u:secret@a:1', 'entry 1: it must be the URL'],
		['http://', 'entry 1: it must be the URL'],
		['http://u:secret@', 'entry 1: it must be the URL'],
		['http://u:secret@host/path', 'entry 1: it must be the URL'],
		['http://u:secret@host?query', 'entry 1: it must be the URL'],
		['http://u:secret@host#part', 'entry 1: it must be the URL'],
		['http://u:sec/ret@host', 'entry 1: it must be the URL'],
		['http://u:secret@host\\x', 'entry 1: it must be the URL'],
		['http://u:secret@::1:80', 'entry 1: it must be the URL'],
		['http://u:secret@[::1', 'entry 1: it must be the URL'],
		['http://u:secret@[127.0.0.1]', 'entry 1: it must be the URL'],
		['http://u:secret@{country}.example:1', 'entry 1: it must be the URL'],
		['http://u:secret@host:{port}', 'entry 1: it must be the URL'],
		['http://u:secret@host:0', 'entry 1: its port'],
		['http://u:secret@host:65536', 'entry 1: its port'],
		['socks5://u:secret@host', 'entry 1: with SOCKS, it must have a port'],
		['http://us%3Aer:secret@host', 'entry 1: over HTTP, its user must have no colon'],
		['http://user:sec%ret@host', 'entry 1: a percent sign'],
		['http://user-{secret:x@host', 'entry 1: a field'],
		['http://user-{country=a:b}@host', 'entry 1: a field'],
		[`socks5://u:${'secret'.repeat(50)}@host:1`, 'entry 1: over SOCKS'],
		[`http://u:${'secret'.repeat(500)}@host:1`, 'entry 1: it has more than 2048'],
		['weight=2', 'entry 1: it has a weight too many'],
		[`${good} weight=2 weight=3`, 'entry 1: it has a weight too many'],
		[`${good} ${good} weight=0`, 'entry 2: a weight'],
		[`${good} weight=1001`, 'entry 1: a weight'],
		[`${good} weight=1.5`, 'entry 1: a weight'],
		[`${good} weight=secret`, 'entry 1: a weight'],
		[`${good} `.repeat(257), 'more than 256'],
	] as const) {
		assert.throws(
			() => readUpstreamList(text),
			({ message }: Error) => message.includes(named) && !/secret|carol/.test(message),
			text.slice(0, 100),
		);
	}
});

const GUIDE = join(import.meta.dirname, '../../../../../docs/edge/upstreams.md');

test('the list of the guide is good', () => {
	const [, list = ''] = /```text\n(# [^`]*)```/.exec(readFileSync(GUIDE, 'utf8')) ?? [];
	assert.deepEqual(read(list), ['http gate.example 7000 3', 'https gate.example 7443 1', 'socks5 192.0.2.7 1080 1']);
});
