import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAccessLogLine } from '../../src/squid/access-log-line.ts';

const LINE = 'bursar1 1795370805.124 1795370802.615 2509 127.0.0.1 47090 TCP_TUNNEL 100 50039 alice.smith';

test('a line is read as Squid writes it', () => {
	assert.deepEqual(readAccessLogLine(LINE), {
		username: 'alice.smith',
		peer: '127.0.0.1:47090',
		begin: '1795370802.615',
		tookMs: 2509,
		atMs: 1_795_370_805_124,
		bytesUp: 100,
		bytesDown: 50_039,
	});
	const overIpv6 = readAccessLogLine(LINE.replace('127.0.0.1', '2001:db8::7'));
	assert.equal(typeof overIpv6 === 'object' && overIpv6.peer, '[2001:db8::7]:47090');
});

test('a refused request bills nobody, whatever name it claimed', () => {
	for (const tag of ['TCP_DENIED', 'TCP_DENIED_REPLY', 'TCP_DENIED_ABORTED']) {
		assert.equal(readAccessLogLine(LINE.replace('TCP_TUNNEL', tag)), undefined);
	}
});

test('a request without a checked name bills nobody', () => {
	for (const name of ['-', 'al', 'alice%20smith', '%FF%00', 'a'.repeat(33), 'alice.smith,bob_42']) {
		assert.equal(readAccessLogLine(LINE.replace('alice.smith', name)), undefined, name);
	}
});

test('a line that was begun when Squid was killed does not harm the next one', () => {
	for (let length = 0; length < LINE.length; length++) {
		assert.deepEqual(readAccessLogLine(LINE.slice(0, length) + LINE), readAccessLogLine(LINE), `${length}`);
	}
});

test('a line of another form is unreadable, never another number of bytes', () => {
	const lines = [
		'',
		'bursar1 ',
		LINE.slice(0, -12),
		LINE.replace('50039', '-1'),
		LINE.replace('50039', '5e3'),
		LINE.replace('50039', '9999999999999999'),
		LINE.replace('47090', '470900'),
		LINE.replace('1795370805.124', '1795370805'),
		`${LINE} more`,
		LINE.replace('bursar1', 'bursar2'),
		`${LINE}\r`,
		LINE.replace('alice', 'al\xffce'),
	];
	for (const line of lines) assert.equal(readAccessLogLine(line), 'unreadable', line);
});
