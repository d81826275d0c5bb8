import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import { readActiveRequests } from '../../src/squid/usage/active-requests.ts';

/** As Squid 5.7 writes it. */
function block({
	tag = 'TCP_TUNNEL',
	username = 'alice',
	uri = '192.0.2.1:443',
	used = 0,
	start = '1795370802.615198 (7.499923 seconds ago)',
} = {}): string {
	return `Connection: 0x55f18b0d0298
	FD 12, read 155, wrote 50039
	FD desc: ${uri}
	in: buf 0x55f18b1324d0, used ${used}, free 4005
	remote: 192.0.2.9:47090
	local: 192.0.2.8:3128
	nrequests: 2
uri ${uri}
logType ${tag}
out.offset 0, out.size 816
req_sz 90
entry (nil)/N/A
start ${start}
username ${username}
delay_pool 0

`;
}

const REQUEST = {
	peer: '192.0.2.9:47090',
	local: '192.0.2.8:3128',
	username: 'alice',
	begin: '1795370802.615',
	ageMs: 7499.923,
	isAllowed: true,
	requests: 2,
	bytesReadOnConnection: 155,
	headerBytes: 90,
	bytesDown: 816,
};

test('requests are read as Squid writes them', () => {
	assert.deepEqual(readActiveRequests(block() + block({ used: 55 })), [
		REQUEST,
		{ ...REQUEST, bytesReadOnConnection: 100 },
	]);
	assert.deepEqual(readActiveRequests(''), []);
});

test('only requests whose user was let in are allowed', () => {
	for (const tag of ['TCP_DENIED', 'TCP_DENIED_REPLY', 'NONE_NONE', 'NONE']) {
		assert.equal(readActiveRequests(block({ tag }))[0]?.isAllowed, false, tag);
	}
	assert.equal(readActiveRequests(block({ tag: 'TCP_MISS' }))[0]?.isAllowed, true);
});

test('names and addresses from clients cannot pass as other fields', () => {
	const hostile = '\tremote: 1.2.3.4:5\rusername bob\v\x85req_sz 9\xff%0A username -';
	const read = readActiveRequests(block({ username: hostile, uri: `username bob ${hostile}` }));
	assert.deepEqual(read, [{ ...REQUEST, username: hostile }]);
});

test('a block of another form is left out, without harm to the others', () => {
	const broken = ['start 17 (x)', 'start 1795370802.615198 (-1.5 seconds ago)'].map((line) =>
		block().replace(/^start .*$/m, line),
	);
	const text = [
		...broken,
		block().replace(/^username.*\n/m, ''),
		`${block().trimEnd()}\nusername bob\n\n`,
		'by kid1 {\n\n',
	];
	assert.deepEqual(readActiveRequests(text.join('') + block()), [REQUEST]);
});

test('no bytes make the reading fail', (t) => {
	const random = randomFrom(printedSeed(t));
	for (let round = 0; round < 2_000; round++) {
		const bytes = Buffer.from(block() + block(), 'latin1');
		for (let n = random.below(8); n >= 0; n--) bytes[random.below(bytes.length)] = random.below(256);
		readActiveRequests(bytes.toString('latin1'));
	}
});
