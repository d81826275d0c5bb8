import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountSpeeds, createAccountSpeeds } from '../../../src/proxy/speed/account-speeds.ts';
import { LEAST_BURST_BYTES, type Sender, type SpeedLine } from '../../../src/proxy/speed/speed-line.ts';
import { createSpeedShares, type SpeedShare } from '../../../src/proxy/speed/speed-shares.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const MEGABYTE = 1_000_000;
/** How long a message takes from one process to the other. */
const MESSAGE_MS = 3;

/** Processes of one host that share the limits of accounts, with one clock. */
function startHost(count: number) {
	const clock = createFakeClock();
	const messages: { readonly shares: readonly SpeedShare[] }[] = [];
	const processes: AccountSpeeds[] = [];
	const workers = Array.from({ length: count }, () => ({}));
	const shares = createSpeedShares<object>((to, given) => {
		messages.push({ shares: given });
		clock.later(() => processes[workers.indexOf(to)]?.takeShares(given), MESSAGE_MS);
	});
	for (const worker of workers) {
		const tell = (accounts: Parameters<typeof shares.heard>[1]) =>
			void clock.later(() => shares.heard(worker, structuredClone(accounts)), MESSAGE_MS);
		processes.push(createAccountSpeeds({ firstShare: 1 / count, tell }, clock));
	}
	return { clock, processes, messages, end: (index: number) => shares.ended(workers[index] as object) };
}

/** A connection that always has more to send down. */
function pour(process: AccountSpeeds, username: string, bytesPerSecond: number) {
	const speed = process.open(username);
	speed.setSpeed(bytesPerSecond);
	const state = { passed: 0, end: () => {} };
	const line: SpeedLine = speed.down;
	const sender: Sender = {
		wantedBytes: 16_384,
		pass(bytes) {
			state.passed += bytes;
			line.ask(sender);
		},
	};
	state.end = () => {
		line.leave(sender);
		speed.close();
	};
	line.ask(sender);
	return state;
}

const together = (all: readonly { readonly passed: number }[]) => all.reduce((sum, { passed }) => sum + passed, 0);

test('over the processes of a host an account has its limit once, and each of its connections the same part', () => {
	const { clock, processes } = startHost(4);
	const [first, second] = processes as [AccountSpeeds, AccountSpeeds];
	const all = [
		...Array.from({ length: 9 }, () => pour(first, 'alice', MEGABYTE)),
		...Array.from({ length: 1 }, () => pour(second, 'alice', MEGABYTE)),
	];
	clock.pass(2_000);
	assert.ok(together(all) <= 2 * MEGABYTE + MEGABYTE / 4 + 4 * LEAST_BURST_BYTES, String(together(all)));
	const before = all.map(({ passed }) => passed);
	const sum = together(all);
	clock.pass(20_000);
	const gained = together(all) - sum;
	assert.ok(gained <= 20.1 * MEGABYTE && gained > 19.5 * MEGABYTE, String(gained));
	for (const [index, { passed }] of all.entries()) {
		const part = passed - (before[index] as number);
		assert.ok(part > 1.8 * MEGABYTE && part < 2.2 * MEGABYTE, `${index}: ${part}`);
	}
});

test('a process in which an account begins to move gets its part soon, and gives it back at rest', () => {
	const { clock, processes } = startHost(2);
	const [first, second] = processes as [AccountSpeeds, AccountSpeeds];
	const long = pour(first, 'alice', MEGABYTE);
	clock.pass(5_000);
	const short = pour(second, 'alice', MEGABYTE);
	clock.pass(1_000);
	const middle = [long.passed, short.passed];
	clock.pass(4_000);
	const [ofLong, ofShort] = [long.passed - (middle[0] as number), short.passed - (middle[1] as number)];
	assert.ok(ofLong + ofShort <= 4 * MEGABYTE, `${ofLong} ${ofShort}`);
	assert.ok(Math.min(ofLong, ofShort) > 1.8 * MEGABYTE, `${ofLong} ${ofShort}`);
	short.end();
	clock.pass(1_100);
	const alone = long.passed;
	clock.pass(4_000);
	assert.ok(long.passed - alone > 3.7 * MEGABYTE, 'almost all while the other process rests');
	clock.pass(6_000);
	const rested = long.passed;
	clock.pass(4_000);
	assert.ok(long.passed - rested > 3.99 * MEGABYTE, 'all once the other process has forgotten the account');
});

test('the part of a process that is gone goes to the others, and accounts do not touch each other', () => {
	const { clock, processes, end } = startHost(2);
	const [first, second] = processes as [AccountSpeeds, AccountSpeeds];
	const gone = pour(first, 'alice', MEGABYTE);
	const stays = pour(second, 'alice', MEGABYTE);
	const other = pour(second, 'bruno', MEGABYTE);
	clock.pass(3_000);
	assert.ok(other.passed > 2.9 * MEGABYTE);
	gone.end();
	end(0);
	clock.pass(100);
	const { passed } = stays;
	clock.pass(3_000);
	assert.ok(stays.passed - passed > 2.9 * MEGABYTE);
});

test('an account that waits nowhere, or in one process alone, costs no messages', () => {
	const { clock, processes, messages } = startHost(2);
	pour(processes[0] as AccountSpeeds, 'alice', MEGABYTE);
	clock.pass(1_000);
	const count = messages.length;
	clock.pass(60_000);
	assert.equal(messages.length, count);
	const idle = (processes[1] as AccountSpeeds).open('bruno');
	idle.setSpeed(MEGABYTE);
	clock.pass(100);
	assert.equal(messages.length, count + 1);
	idle.close();
	clock.pass(60_000);
	assert.equal(messages.length, count + 1);
});

test('a client that connects again and again has what a line saves up only once', () => {
	const { clock, processes } = startHost(1);
	let passed = 0;
	for (let times = 0; times < 100; times++) {
		const each = pour(processes[0] as AccountSpeeds, 'alice', MEGABYTE);
		clock.pass(10);
		each.end();
		passed += each.passed;
	}
	assert.ok(passed <= MEGABYTE * 1.25, String(passed));
	clock.pass(10_000);
	assert.equal(clock.timers, 0, 'an account at rest is forgotten');
});

test('each process has a part, all parts together are the whole, and those that wait have nearly all', () => {
	const given = new Map<object, number>();
	const [a, b, c] = [{}, {}, {}];
	const shares = createSpeedShares<object>((to, [share]) => void given.set(to, share?.up ?? 0));
	const heard = (process: object, up: number) =>
		shares.heard(process, [{ username: 'alice', waiting: { up, down: 0 } }]);
	for (const [process, up] of [
		[a, 0],
		[b, 0],
		[c, 0],
		[a, 3],
		[b, 1],
		[c, 1_000],
		[a, 0],
	] as const) {
		heard(process, up);
		const parts = [...given.values()];
		assert.ok(parts.every((part) => part > 0));
		assert.ok(Math.abs(parts.reduce((sum, part) => sum + part, 0) - 1) < 1e-9);
	}
	assert.ok((given.get(c) as number) > 0.94);
});
