import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProxyPassword } from '@bursar/contract/proxy-options';
import { readFromList } from '../../../src/proxy/from/from-list.ts';
import { createOutgoingAddresses, type OutgoingAddress } from '../../../src/proxy/from/outgoing.ts';

type Families = readonly (4 | 6)[];

/** Addresses with a clock that the test sets. */
function start(list: string, takesFrom = false) {
	const clock = { ms: 1_000_000, dateMs: Date.UTC(2026, 10, 25, 10) };
	const changes: string[] = [];
	const outgoing = createOutgoingAddresses({
		list: readFromList(list),
		takesFrom,
		changed: ({ number, isUp }) => changes.push(`${number} ${isUp ? 'up' : 'down'}`),
		nowMs: () => clock.ms,
		dateMs: () => clock.dateMs,
	});

	/** The addresses for one connection, which are tried until one of `dead` is none. */
	function tried(sent = '', { families = [4, 6] as Families, account = 'alice', dead = [] as readonly string[] } = {}) {
		const { options } = readProxyPassword(sent === '' ? 'KEY' : `KEY_${sent}`);
		assert.ok(options);
		const choice = outgoing.choose(account, options);
		if (choice === 'invalid_options') return ['invalid_options'];
		const addresses: string[] = [];
		let next: OutgoingAddress | undefined = choice.next(new Set(families));
		while (next) {
			const { address, worked, failed } = next;
			addresses.push(address);
			assert.ok(addresses.length < 100);
			const isDead = dead.some((begin) => address.startsWith(begin));
			if (isDead) failed();
			else worked();
			next = isDead ? choice.next(new Set(families)) : undefined;
		}
		return addresses;
	}
	const seen = (sent?: string, more?: Parameters<typeof tried>[1]) =>
		new Set(Array.from({ length: 200 }, () => tried(sent, more).join()));
	return { outgoing, clock, changes, tried, seen };
}

const sorted = (set: ReadonlySet<string>) => [...set].toSorted();

test('each connection draws an address, of the families that the destination has', () => {
	const { outgoing, seen } = start('192.0.2.1,192.0.2.2,2001:db8::1');
	assert.deepEqual(sorted(seen()), ['192.0.2.1', '192.0.2.2', '2001:db8::1']);
	assert.deepEqual(sorted(seen('', { families: [4] })), ['192.0.2.1', '192.0.2.2']);
	assert.deepEqual(sorted(seen('', { families: [6] })), ['2001:db8::1']);
	const choice = outgoing.choose('alice', new Map());
	assert.ok(typeof choice === 'object' && choice.has(4) && choice.has(6));
	const four = start('192.0.2.0/24').outgoing.choose('alice', new Map());
	assert.ok(typeof four === 'object' && four.has(4) && !four.has(6));
	assert.equal(four.next(new Set([6])), undefined);
	// 200 draws of 2^64 addresses.
	assert.equal(start('2001:db8::/64').seen().size, 200);
});

test('a session of an account keeps its address, and other sessions and accounts have others', () => {
	const list = Array.from({ length: 50 }, (_, index) => `192.0.2.${index}`).join();
	const { seen, tried } = start(list);
	assert.equal(seen('session-a1').size, 1);
	assert.equal(seen('session-a1', { families: [4] }).size, 1);
	const many = (of: (index: number) => string[]) => new Set(Array.from({ length: 200 }, (_, n) => of(n).join())).size;
	assert.ok(many((index) => tried(`session-s${index}`)) > 40);
	assert.ok(many((index) => tried('session-a1', { account: `account${index}` })) > 40);
	// Another process, and a list in another order, draw the same. One entry less moves only the sessions on it.
	const other = start(`${list.split(',').toReversed().slice(1).join()}`);
	for (let index = 0; index < 50; index++) {
		const [address] = tried(`session-s${index}`);
		if (address !== '192.0.2.49') assert.deepEqual(other.tried(`session-s${index}`), [address]);
	}
	const network = start('2001:db8::/64');
	assert.equal(network.seen('session-a1').size, 1);
	assert.notDeepEqual(network.tried('session-a1'), network.tried('session-a2'));
	assert.deepEqual(start('2001:db8::/64').tried('session-a1'), network.tried('session-a1'));
});

test('a session with a lifetime keeps its address until that is over', () => {
	const { clock, tried, seen } = start('2001:db8::/64');
	const addresses = new Set<string>();
	for (let minutes = 0; minutes < 150; minutes++) {
		for (const address of seen('session-a1_lifetime-30m')) addresses.add(address);
		clock.dateMs += 60_000;
	}
	assert.ok(addresses.size === 5 || addresses.size === 6, String(addresses.size));
	assert.ok(!addresses.has(String(tried('session-a1'))));
});

test('a client chooses an address only where the operator allows it, and only one of the list', () => {
	const list = '192.0.2.1,198.51.100.0/24,2001:db8::/64,2001:db8:1::1';
	const takenBy = ({ outgoing }: ReturnType<typeof start>, sent: string) => {
		const { options = new Map<string, string>() } = readProxyPassword(`KEY_${sent}`);
		return [...options.keys()].filter((name) => outgoing.takes(name, options)).join(' ');
	};
	assert.equal(takenBy(start(list), 'from-1_session-a_country-US'), 'session');
	const open = start(list, true);
	const { seen } = open;
	assert.equal(takenBy(open, 'from-1_session-a_country-US_lifetime-30m'), 'from session lifetime');
	assert.equal(takenBy(open, 'session-a_lifetime-30s'), 'session');
	assert.equal(takenBy(open, 'lifetime-30m'), '');
	assert.deepEqual(sorted(seen('from-192.0.2.1')), ['192.0.2.1']);
	assert.deepEqual(sorted(seen('from-1')), ['192.0.2.1']);
	assert.deepEqual(sorted(seen('from-198.51.100.77')), ['198.51.100.77']);
	assert.ok([...seen('from-2')].every((address) => address.startsWith('198.51.100.')));
	assert.ok(seen('from-2').size > 50);
	assert.equal(seen('from-2_session-x').size, 1);
	assert.ok([...seen('from-3')].every((address) => address.startsWith('2001:db8:')));
	assert.deepEqual(sorted(seen('from-4')), ['2001:db8:1::1']);
	assert.deepEqual(sorted(seen('from-4', { families: [4] })), ['']);
	const wrong = [
		'0',
		'5',
		'01',
		'256',
		'1.0',
		'192.0.2.2',
		'198.51.100.0',
		'198.51.100.255',
		'198.51.101.1',
		'127.0.0.1',
	];
	for (const from of [...wrong, '0.0.0.0', '3221225985', '192.0.2.01', '192.0.513', 'x', '1000']) {
		assert.deepEqual(sorted(seen(`from-${from}`)), ['invalid_options'], from);
	}
});

test('an address that cannot be bound is left out, told once, and tried again after pauses that grow', () => {
	const { clock, changes, tried, seen, outgoing } = start('192.0.2.1,192.0.2.2');
	const dead = ['192.0.2.1'];
	for (let index = 0; index < 100; index++) assert.equal(tried('', { dead }).at(-1), '192.0.2.2');
	assert.deepEqual(changes, ['1 down']);
	assert.deepEqual(
		outgoing.states.map(({ isUp, failures }) => [isUp, failures]),
		[
			[false, 1],
			[true, 0],
		],
	);
	assert.equal(outgoing.areAllLeftOut(), false);
	const pauses: number[] = [];
	for (let begin = clock.ms; pauses.length < 8; clock.ms += 100) {
		if (!seen('', { dead }).has('192.0.2.1,192.0.2.2')) continue;
		pauses.push(clock.ms - begin);
		begin = clock.ms;
	}
	assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
	assert.deepEqual(changes, ['1 down']);
	clock.ms += 60_000;
	assert.deepEqual(sorted(seen()), ['192.0.2.1', '192.0.2.2']);
	assert.deepEqual(changes, ['1 down', '1 up']);
});

test('a session moves while its address is left out, and comes back', () => {
	const { clock, tried } = start('192.0.2.1,192.0.2.2,192.0.2.3');
	const [home] = tried('session-a1') as [string];
	const moved = tried('session-a1', { dead: [home] });
	assert.equal(moved[0], home);
	assert.notEqual(moved[1], home);
	assert.deepEqual(tried('session-a1', { dead: [home] }), moved.slice(1));
	clock.ms += 1_000;
	assert.deepEqual(tried('session-a1'), [home]);
});

test('if all are left out, the one that failed longest ago is tried, and none twice for one client', () => {
	const { clock, tried, outgoing, changes } = start('192.0.2.1,192.0.2.2,2001:db8::1');
	const failOf = (begin: string) => {
		clock.ms += 10;
		tried('', { dead: [begin], families: begin.includes(':') ? [6] : [4] });
	};
	while (!changes.includes('2 down')) failOf('192.0.2.2');
	while (!changes.includes('1 down')) failOf('192.0.2.');
	assert.equal(outgoing.areAllLeftOut(), false);
	const dead = ['192.0.2.', '2001:'];
	tried('', { dead });
	assert.equal(outgoing.areAllLeftOut(), true);
	const last = tried('', { dead });
	assert.equal(new Set(last).size, 3);
	assert.deepEqual(tried('', { dead, families: [6] }), ['2001:db8::1']);
	// A client that is served in a pause does not end the pause: the log would be long.
	assert.equal(tried().length, 1);
	assert.ok(!changes.some((change) => change.endsWith('up')));
	clock.ms += 1_000;
	assert.equal(outgoing.areAllLeftOut(), false);
});

test('a network is left out after two failures in a row, and goes on with another of its addresses before', () => {
	const { changes, tried } = start('2001:db8::/64');
	const [first] = tried('session-a1') as [string];
	const both = tried('session-a1', { dead: [first] });
	assert.equal(both.length, 2);
	assert.notEqual(both[1], first);
	assert.deepEqual(changes, []);
	assert.equal(tried('', { dead: ['2001:'] }).length, 2);
	assert.deepEqual(changes, ['1 down']);
});

test('a client cannot have a network left out by asking for an address that is not there', () => {
	const { changes, tried } = start('198.51.100.0/24', true);
	for (let index = 0; index < 100; index++) {
		assert.deepEqual(tried('from-198.51.100.9', { dead: ['198.51.100.9'] }), ['198.51.100.9']);
	}
	assert.deepEqual(changes, []);
});
