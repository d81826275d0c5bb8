import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProxyPassword } from '@bursar/contract/proxy-options';
import { printedSeed, randomFrom } from '@bursar/testing/random';
import type { Exit } from '../../../src/proxy/upstream/exit.ts';
import { createUpstreams, type ExitState } from '../../../src/proxy/upstream/exits.ts';
import { readUpstreamList } from '../../../src/proxy/upstream/upstream-list.ts';

interface Setting {
	/** Whose turns are drawn; else at random. */
	readonly random?: () => number;
	readonly unknown?: 'refuse' | 'pass';
}

/** Exits with a clock that the test sets. */
function start(list: string, { random, unknown = 'refuse' }: Setting = {}) {
	const clock = { ms: 1_000_000, dateMs: 1_800_000_000_000 };
	const changes: string[] = [];
	const upstreams = createUpstreams({
		exits: readUpstreamList(list),
		passesUnknownOptions: unknown === 'pass',
		changed: ({ number, isUp }: ExitState) => changes.push(`${number} ${isUp ? 'up' : 'down'}`),
		nowMs: () => clock.ms,
		dateMs: () => clock.dateMs,
		...(random && { random }),
	});
	function choose(sent = '', account = 'alice'): Exit | 'invalid_options' {
		const { options } = readProxyPassword(sent === '' ? 'KEY' : `KEY_${sent}`);
		assert.ok(options);
		return upstreams.choose(account, options);
	}
	return {
		clock,
		changes,
		states: upstreams.states,
		withoutSession: upstreams.withoutSession,
		areAllLeftOut: upstreams.areAllLeftOut,
		/** An exit for such options. */
		exit(sent?: string, account?: string): Exit {
			const exit = choose(sent, account);
			assert.notEqual(exit, 'invalid_options');
			return exit as Exit;
		},
		/** `USER:PASSWORD` for such options, or why they are refused. */
		login(sent?: string): string | undefined {
			const exit = choose(sent);
			if (typeof exit === 'string') return exit;
			return exit.credentials && `${exit.credentials.username}:${exit.credentials.password}`;
		},
		/** The hosts that get something of many connections. */
		hosts(sent?: string): string {
			const hosts = Array.from({ length: 200 }, () => {
				const exit = choose(sent);
				return typeof exit === 'string' ? exit : exit.host;
			});
			return [...new Set(hosts)].sort().join(' ');
		},
	};
}

test('credentials are what the templates make of the options', () => {
	const { login } = start('http://carol[-country-{country}]:{plan=free}-secret@a:1');
	assert.equal(login(), 'carol:free-secret');
	assert.equal(login('country-US'), 'carol-country-US:free-secret');
	assert.equal(login('plan-gold_country-US'), 'carol-country-US:gold-secret');
	assert.equal(start('http://a:1').login(), undefined);
	assert.equal(start('http://carol@a:1').login(), 'carol:');
	assert.equal(start('socks5://[{user}]:[{user}]@a:1').login(), undefined);
	assert.equal(start('socks5://[{user}]:[{user}]@a:1').login('user-u'), 'u:u');
});

test('each connection without a session gets one of its own, if the exit needs one', () => {
	const { login } = start('http://carol-{session}:{session}@a:1');
	assert.equal(login('session-s1'), 'carol-s1:s1');
	const [first, second] = [login() ?? '', login() ?? ''];
	assert.match(first, /^carol-([0-9a-f]{16}):\1$/);
	assert.notEqual(first, second);
});

test('an option that no template names is refused, or passed', () => {
	const list = 'http://carol[-{country}][_{options}]:secret@a:1';
	const refusing = start(list);
	assert.equal(refusing.login('country-US'), 'carol-US:secret');
	for (const sent of ['city-x', 'country-US_city-x', 'session-s1', 'options-x']) {
		assert.equal(refusing.login(sent), 'invalid_options', sent);
	}
	const passing = start(list, { unknown: 'pass' });
	assert.equal(passing.login('country-US'), 'carol-US:secret');
	assert.equal(passing.login('city-x_country-US_session-s1'), 'carol-US_city-x_session-s1:secret');
	assert.equal(passing.login('options-x'), 'carol_options-x:secret');
	assert.equal(start('http://carol:secret@a:1', { unknown: 'pass' }).login('city-x'), 'carol:secret');
	assert.equal(start('http://a:1').login('country-US'), 'invalid_options');
});

test('an option that a template needs must be there', () => {
	const { login } = start('http://carol-{country}:secret@a:1');
	assert.equal(login(), 'invalid_options');
	assert.equal(login('country-US'), 'carol-US:secret');
});

test('options that make a user or a password too long are refused', () => {
	const long = 'v'.repeat(64);
	const socks = start('socks5://{a}{a}{a}:x@a:1 ');
	assert.equal(socks.login(`a-${long}`), `${long.repeat(3)}:x`);
	assert.equal(start('socks5://{a}{a}{a}{a}:x@a:1').login(`a-${long}`), 'invalid_options');
	assert.equal(start(`http://${'{a}'.repeat(64)}:x@a:1`).login(`a-${long}`), `${long.repeat(64)}:x`);
	assert.equal(start(`http://x:${'{a}'.repeat(65)}@a:1`).login(`a-${long}`), 'invalid_options');
});

test('only exits that take all options, and get all that they need, are chosen', () => {
	const list = 'http://a:1 http://u-{country}@b:1 http://u[-{country}][-{session}]@c:1';
	const { hosts } = start(list);
	assert.equal(hosts(), 'a c');
	assert.equal(hosts('country-US'), 'b c');
	assert.equal(hosts('country-US_session-s1'), 'c');
	assert.equal(hosts('city-x'), 'invalid_options');
	const passing = start(`${list} http://u[{options}]@d:1`, { unknown: 'pass' });
	assert.equal(passing.hosts('country-US'), 'b c d', 'a would drop what another exit takes');
	assert.equal(passing.hosts('city-x'), 'a c d');
});

test('a session chooses among several exits, also if they do not learn of it', () => {
	const { hosts, login } = start('http://a:1 http://b:1 http://c:1');
	assert.equal(hosts(), 'a b c');
	assert.match(hosts('session-s1'), /^[abc]$/);
	assert.equal(login('session-s1'), undefined);
});

test('those that no session can use are named', () => {
	const without = (list: string, setting?: Setting) => start(list, setting).withoutSession;
	assert.deepEqual(without('http://a:1 http://b:1'), []);
	assert.deepEqual(without('http://a:1'), []);
	assert.deepEqual(without('http://u-{session}@a:1 http://u[-{session}]@b:1'), []);
	assert.deepEqual(without('http://a:1 http://u-{session}@b:1 http://u-{country}@c:1'), [1, 3]);
	assert.deepEqual(without('http://u[-{options}]@a:1 http://u-{session}@b:1 http://c:1', { unknown: 'pass' }), [3]);
});

test('connections are spread by weight', (t) => {
	const { next: random } = randomFrom(printedSeed(t));
	const { exit } = start('http://a:1 http://b:1 weight=3 http://c:1 weight=6', { random });
	for (const sentAs of [() => undefined, (n: number) => `session-s${n}`]) {
		const counts: Record<string, number> = {};
		for (let n = 0; n < 20_000; n++) {
			const { host } = exit(sentAs(n));
			counts[host] = (counts[host] ?? 0) + 1;
		}
		for (const [host, share] of Object.entries({ a: 0.1, b: 0.3, c: 0.6 })) {
			// Seven standard deviations.
			const bound = 7 * Math.sqrt(20_000 * share * (1 - share));
			assert.ok(Math.abs((counts[host] ?? 0) - 20_000 * share) < bound, JSON.stringify(counts));
		}
	}
});

test('a session keeps its exit, whatever process chooses, and few move when the list changes', () => {
	const list = Array.from({ length: 10 }, (_, n) => `http://u:p@e${n}:1`);
	const [one, other] = [start(list.join(' ')), start(list.join('\n').replaceAll('u:p', 'new:new'))];
	const longer = start(['http://e10:1', ...list].join(' '));
	let moved = 0;
	const hosts = new Set<string>();
	for (let n = 0; n < 1_000; n++) {
		const { host } = one.exit(`session-s${n}`);
		assert.equal(one.exit(`session-s${n}`).host, host);
		assert.equal(other.exit(`session-s${n}`).host, host);
		const now = longer.exit(`session-s${n}`).host;
		if (now !== host) moved++;
		assert.ok(now === host || now === 'e10');
		hosts.add(host);
	}
	assert.equal(hosts.size, 10);
	assert.ok(moved > 30 && moved < 200, `${moved}`);
	const accounts = Array.from({ length: 100 }, (_, n) => one.exit('session-s1', `user${n}`).host);
	assert.ok(new Set(accounts).size > 5, 'other accounts do not follow');
});

test('a session with a lifetime keeps its exit that long at most, in all processes, and then may get another one', () => {
	const list = 'http://a:1 http://b:1 http://c:1';
	const [one, other] = [start(list), start(list)];
	let moved = 0;
	for (let n = 0; n < 200; n++) {
		const sent = `session-s${n}_lifetime-30m`;
		const first = one.exit(sent);
		assert.equal(other.exit(sent).host, first.host);
		// Looks at each second: the session changes once in a lifetime.
		const hosts = Array.from({ length: 1_800 }, (_, second) => {
			one.clock.dateMs = other.clock.dateMs + second * 1_000;
			return first.isCurrent ? first.host : one.exit(sent).host;
		});
		one.clock.dateMs = other.clock.dateMs;
		assert.equal(hosts.filter((host, second) => second > 0 && host !== hosts[second - 1]).length <= 1, true);
		if (hosts.at(-1) !== first.host) moved++;
	}
	assert.ok(moved > 80 && moved < 190, `${moved} of 200`);
});

test('an exit that does not learn of the lifetime gets another session for each', () => {
	const { login, clock } = start('http://carol-{session}:pass@a:1');
	const sent = 'session-s1_lifetime-30m';
	const first = login(sent) ?? '';
	assert.match(first, /^carol-[0-9a-f]{16}:pass$/);
	assert.equal(login(sent), first);
	assert.notEqual(login('session-s2_lifetime-30m'), first);
	clock.dateMs += 30 * 60_000;
	assert.notEqual(login(sent), first);
	assert.equal(login('session-s1'), 'carol-s1:pass', 'without a lifetime, it gets the name of the client');
});

test('an exit that learns of the lifetime ends the session by itself, and gets both as they were sent', () => {
	const named = start('http://carol-{session}[-{lifetime}]:pass@a:1 http://carol-{session}-{lifetime}:pass@b:1');
	const passing = start('http://carol[-{options}]:pass@a:1 http://carol[-{options}]:pass@b:1', { unknown: 'pass' });
	for (const value of ['30m', '600', '1d']) {
		const sent = `session-s1_lifetime-${value}`;
		for (const [{ login, exit, clock }, wanted] of [
			[named, `carol-s1-${value}:pass`],
			[passing, `carol-${sent}:pass`],
		] as const) {
			const { host } = exit(sent);
			for (let n = 0; n < 20; n++) {
				clock.dateMs += 30 * 60_000;
				assert.equal(login(sent), wanted);
				assert.equal(exit(sent).host, host);
			}
		}
	}
});

test('a lifetime without a session, or of no known form, is refused', () => {
	const { login } = start('http://a:1 http://b:1');
	assert.equal(login('session-s1_lifetime-30m'), undefined);
	for (const sent of ['lifetime-30m', 'session-s1_lifetime-600', 'session-s1_lifetime-25h']) {
		assert.equal(login(sent), 'invalid_options', sent);
	}
	// No exit and no draw would know of the session.
	assert.equal(start('http://a:1').login('session-s1_lifetime-30m'), 'invalid_options');
	assert.equal(start('http://a:1', { unknown: 'pass' }).login('session-s1_lifetime-600'), 'invalid_options');
});

test('exits with the same address are told apart by their order', () => {
	const { exit } = start('http://u1@a:1 http://u2@a:1 http://u3@a:1');
	const users = Array.from({ length: 100 }, (_, n) => exit(`session-s${n}`).credentials?.username);
	assert.deepEqual([...new Set(users)].sort(), ['u1', 'u2', 'u3']);
});

test('an exit that fails twice in a row is left out, its sessions move, and they come back with it', () => {
	const { exit, hosts, clock, changes, states } = start('http://a:1 http://b:1 http://c:1');
	const sessions = Array.from({ length: 60 }, (_, n) => `session-s${n}`);
	const before = sessions.map((sent) => exit(sent).host);
	const ofB = sessions.filter((_, n) => before[n] === 'b');
	const [first = '', second = ''] = ofB;
	exit(first).failed();
	assert.equal(exit(first).host, 'b', 'once may be an accident');
	exit(first).answered();
	exit(first).failed();
	exit(first).failed();
	assert.deepEqual(changes, ['2 down']);
	assert.deepEqual(
		states.map(({ address, isUp, failures }) => [address, isUp, failures]),
		[
			['a:1', true, 0],
			['b:1', false, 3],
			['c:1', true, 0],
		],
	);
	assert.equal(hosts(), 'a c');
	for (const [n, sent] of sessions.entries()) {
		const { host } = exit(sent);
		assert.ok(before[n] === 'b' ? host !== 'b' : host === before[n], 'others stay');
	}
	clock.ms += 1_000;
	const tried = exit(first);
	assert.equal(tried.host, 'b');
	assert.notEqual(exit(second).host, 'b', 'one connection tries it');
	assert.deepEqual(changes, ['2 down']);
	tried.answered();
	assert.deepEqual(changes, ['2 down', '2 up']);
	assert.deepEqual(
		sessions.map((sent) => exit(sent).host),
		before,
	);
});

test('while all exits are left out, this is told, until one of them may be tried', () => {
	const { exit, clock, areAllLeftOut } = start('http://a:1 http://b:1', { random: () => 0.5 });
	for (let times = 0; times < 4; times++) {
		assert.equal(areAllLeftOut(), false);
		exit().failed();
	}
	assert.equal(areAllLeftOut(), true);
	clock.ms += 1_000;
	assert.equal(areAllLeftOut(), false);
	// The try of one, and the other.
	exit();
	exit();
	assert.equal(areAllLeftOut(), true);
});

test('an exit that stays away is tried after 1, 2, 4 and so on to 60 seconds', () => {
	const { exit, hosts, clock } = start('http://a:1 http://b:1', { random: () => 0.5 });
	const down = exit();
	assert.equal(down.host, 'a', 'the first one of equals');
	const atTheSameTime = Array.from({ length: 50 }, () => exit());
	down.failed();
	down.failed();
	// They began before it was left out.
	for (const late of atTheSameTime) late.failed();
	for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
		clock.ms += pauseMs - 1;
		assert.equal(hosts(), 'b');
		clock.ms += 1;
		exit().failed();
	}
	clock.ms += 60_000;
	const lost = exit();
	assert.equal(lost.host, 'a');
	clock.ms += 24_999;
	assert.equal(hosts(), 'b');
	clock.ms += 1;
	const next = exit();
	assert.equal(next.host, 'a', 'a try that tells nothing is followed by another one');
	next.answered();
	lost.failed();
	assert.equal(hosts(), 'a');
	// The pauses begin anew.
	exit().failed();
	clock.ms += 1_000;
	assert.equal(exit().host, 'a');
});

test('if no exit works, all are tried', () => {
	const { exit, hosts, changes } = start('http://a:1 http://b:1');
	for (let n = 0; n < 100; n++) exit().failed();
	assert.deepEqual([...changes].sort(), ['1 down', '2 down']);
	assert.equal(hosts(), 'a b');
	exit().answered();
	assert.match(hosts(), /^[ab]$/);
	const one = start('http://a:1');
	for (let n = 0; n < 3; n++) one.exit().failed();
	assert.equal(one.hosts(), 'a');
});

test('another exit for the same request is the next one of its session, and none that was tried', () => {
	const { exit, states } = start('http://a:1 http://b:1 http://c:1 http://u-{country}@d:1');
	for (let n = 0; n < 50; n++) {
		const first = exit(`session-s${n}`);
		assert.equal(first.others, 2);
		const second = first.another([first.number]);
		const third = second?.another([first.number, second.number]);
		assert.deepEqual([first.host, second?.host, third?.host].sort(), ['a', 'b', 'c']);
		assert.equal(third?.another([1, 2, 3]), undefined);
		// Where the session goes while its exit is left out.
		const left = start('http://a:1 http://b:1 http://c:1');
		for (let times = 0; times < 2; times++) left.exit(`session-s${n}`).failed();
		assert.equal(left.exit(`session-s${n}`).host, second?.host);
	}
	assert.deepEqual(
		states.map(({ number, address }) => `${number} ${address}`),
		['1 a:1', '2 b:1', '3 c:1', '4 d:1'],
	);
	assert.equal(start('http://a:1').exit().others, 0);
});

test('exits that are left out are tried last', () => {
	const { exit } = start('http://a:1 http://b:1 http://c:1', { random: () => 0.5 });
	const first = exit();
	for (let times = 0; times < 2; times++) exit().failed();
	const second = first.another([first.number]);
	assert.deepEqual([first.others, second?.host, second?.others], [2, 'b', 1]);
	for (let times = 0; times < 2; times++) exit().failed();
	assert.equal(first.another([first.number])?.host, 'c');
	const last = first.another([1, 3]);
	assert.deepEqual([last?.host, last?.others], ['b', 0], 'only those that are left out are untried');
	assert.equal(exit().others, 0, 'those that are left out are not as good');
});

test('a refusal after another one of the same request counts only in a try after a pause', () => {
	const { exit, clock, changes, states } = start('http://a:1');
	for (let n = 0; n < 5; n++) exit().refused(true);
	assert.deepEqual(changes, []);
	assert.equal(states[0]?.failures, 5);
	exit().refused(false);
	exit().refused(false);
	assert.deepEqual(changes, ['1 down']);
	clock.ms += 1_000;
	const other = start('http://a:1 http://b:1', { random: () => 0.5 });
	for (let n = 0; n < 2; n++) other.exit().failed();
	other.clock.ms += 1_000;
	other.exit().refused(true);
	other.clock.ms += 1_999;
	assert.equal(other.hosts(), 'b');
});

test('a refusal counts only if the exit has answered no client for five seconds', () => {
	const { exit, clock, states, changes } = start('http://u[-{country}]@a:1');
	exit().answered();
	for (let n = 0; n < 20; n++) {
		clock.ms += 200;
		exit('country-nowhere').refused(false);
	}
	assert.deepEqual(changes, []);
	assert.equal(states[0]?.failures, 20);
	clock.ms += 1_000;
	exit().refused(false);
	exit().refused(false);
	assert.deepEqual(changes, ['1 down']);
	clock.ms += 1_000;
	exit().answered();
	assert.deepEqual(changes, ['1 down', '1 up']);
});

test('a try that is refused ends in the next pause', () => {
	const { exit, clock, changes, hosts } = start('http://a:1 http://b:1', { random: () => 0.5 });
	exit().answered();
	const [first, second] = [exit(), exit()];
	first.failed();
	second.failed();
	clock.ms += 1_000;
	exit().refused(false);
	clock.ms += 1_999;
	assert.equal(hosts(), 'b');
	clock.ms += 1;
	exit().answered();
	assert.deepEqual(changes, ['1 down', '1 up']);
});
