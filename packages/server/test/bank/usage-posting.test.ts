import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createUsagePosting } from '../../src/bank/usage-posting.ts';
import type { PostUsage } from '../../src/commands/money/post-usage.ts';
import type { Command, OutcomeOf } from '../../src/commands/registry.ts';
import type { DueAccount } from '../../src/store/tables/meters/reads.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Shortly before midnight (UTC). */
const EVENING_MS = 20_000 * DAY_MS - MINUTE_MS / 2;

interface Meter extends DueAccount {
	sinceMs: number;
	isDue: boolean;
	isOverdrawn: boolean;
}

/** A posting with a clock of its own, a store of meters, and a bank that settles them and records each command. */
async function start(t: TestContext, overdrawn: readonly DueAccount[] = []) {
	t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
	const state = {
		nowMs: EVENING_MS,
		meters: overdrawn.map((account): Meter => ({ ...account, sinceMs: EVENING_MS, isDue: true, isOverdrawn: true })),
		lockedReseller: '',
		isAway: false,
		underWay: 0,
		mostUnderWay: 0,
		asked: 0,
	};
	const told: string[] = [];
	let given: PostUsage[] = [];

	const dueOf = (isWanted: (meter: Meter) => boolean) => {
		if (state.isAway) throw new Error('the store is away');
		return state.meters
			.filter((meter) => meter.isDue && isWanted(meter))
			.map(({ reseller, username }) => ({ reseller, username }))
			.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
	};
	const posting = createUsagePosting({
		store: {
			nowMs: () => state.nowMs,
			async listDueAccounts({ dueSinceBeforeMs, after, limit }) {
				const isBehind = (each: DueAccount) => !after || keyOf(each) > keyOf(after);
				const isWanted = (each: Meter) => each.isOverdrawn || each.sinceMs < dueSinceBeforeMs;
				return dueOf((each) => isWanted(each) && isBehind(each)).slice(0, limit);
			},
			async findOverdrawn(usernames) {
				assert.ok(usernames.length <= 250);
				state.asked += usernames.length;
				return dueOf(({ username, isOverdrawn }) => isOverdrawn && usernames.includes(username));
			},
		},
		bank: {
			async submit<C extends Command>(command: C) {
				const { reseller, usernames } = command as Command & PostUsage;
				state.mostUnderWay = Math.max(state.mostUnderWay, ++state.underWay);
				await new Promise((resolve) => setImmediate(resolve));
				state.underWay--;
				given.push(command as Command & PostUsage);
				if (reseller === state.lockedReseller) return { ok: false, error: 'not_done' } as OutcomeOf<C>;
				const settled = usernames.flatMap((name) =>
					state.meters.filter((each) => each.isDue && each.username === name),
				);
				for (const meter of settled) Object.assign(meter, { isDue: false, sinceMs: state.nowMs });
				told.push(...settled.map(({ username }) => `${reseller}/${username}`));
				return { ok: true } as OutcomeOf<C>;
			},
		},
		observer: {
			failed: (cause) => told.push(String(cause)),
			done: () => told.push('done'),
		},
	});
	t.after(posting.close);

	/** Lets time pass, and returns what was told meanwhile. */
	async function pass(timeMs: number): Promise<readonly string[]> {
		told.length = 0;
		given = [];
		state.nowMs += timeMs;
		t.mock.timers.tick(timeMs);
		for (let turns = 0; turns < 200; turns++) await new Promise((resolve) => setImmediate(resolve));
		return [...told];
	}

	/** What the look at the start has posted. */
	const atStart = await pass(0);
	return {
		state,
		atStart,
		posting,
		pass,
		commands: () => given,
		use(reseller: string, ...usernames: readonly string[]) {
			for (const username of usernames) {
				const known = state.meters.find((each) => each.username === username);
				if (known) known.isDue = true;
				else state.meters.push({ reseller, username, sinceMs: state.nowMs, isDue: true, isOverdrawn: false });
			}
		},
		overdraw(...usernames: readonly string[]) {
			for (const meter of state.meters) if (usernames.includes(meter.username)) meter.isOverdrawn = true;
		},
	};
}

function keyOf({ reseller, username }: DueAccount): string {
	return `${reseller} ${username}`;
}

test('what was due before midnight is posted within a minute after it, and once; what is due later waits a day', async (t) => {
	const { pass, use } = await start(t);
	await pass(1_000);
	use('acme', 'alice', 'acme');
	use('other', 'otto');
	assert.deepEqual(await pass(MINUTE_MS), ['acme/acme', 'acme/alice', 'other/otto', 'done']);
	use('acme', 'alice', 'bruno');
	assert.deepEqual(await pass(MINUTE_MS), ['done']);
	assert.deepEqual(await pass(DAY_MS), ['acme/alice', 'acme/bruno', 'done']);
});

test('a command is about one reseller and at most 100 accounts, and one is given at a time', async (t) => {
	const { pass, use, state, commands } = await start(t);
	use('acme', ...Array.from({ length: 450 }, (_, n) => `a${String(n).padStart(3, '0')}`));
	use('other', 'otto');
	assert.equal((await pass(MINUTE_MS)).length, 452);
	assert.deepEqual(
		commands().map(({ reseller, usernames }) => [reseller, usernames.length]),
		[
			['acme', 100],
			['acme', 100],
			['acme', 100],
			['acme', 100],
			['acme', 50],
			['other', 1],
		],
	);
	assert.equal(state.mostUnderWay, 1);
	assert.equal(new Set(commands().map(({ requestId }) => requestId)).size, 6);
});

test('a failure is told, and tried again a minute later; a locked account delays only itself', async (t) => {
	const { pass, use, state } = await start(t);
	use('acme', 'alice');
	use('other', 'otto');
	state.isAway = true;
	assert.deepEqual(await pass(MINUTE_MS), ['Error: the store is away']);
	state.isAway = false;
	state.lockedReseller = 'acme';
	assert.match(
		(await pass(MINUTE_MS)).join(),
		/^other\/otto,Error: the usage of accounts of acme could not be posted: not_done$/,
	);
	state.lockedReseller = '';
	assert.deepEqual(await pass(MINUTE_MS), ['acme/alice', 'done']);
});

test('an account that was used and is overdrawn is posted within a second, once; others are not', async (t) => {
	const { pass, use, overdraw, posting, state, commands } = await start(t);
	use('acme', 'alice', 'bruno');
	overdraw('alice');
	for (let n = 0; n < 50; n++) posting.used(['alice', 'bruno', 'nobody']);
	assert.deepEqual(await pass(1_000), ['acme/alice']);
	assert.deepEqual(commands()[0]?.usernames, ['alice']);
	assert.equal(state.asked, 3);
	posting.used(['alice']);
	assert.deepEqual(await pass(1_000), [], 'nothing is due');

	use('acme', 'alice');
	posting.used(['alice']);
	state.isAway = true;
	assert.deepEqual(await pass(1_000), ['Error: the store is away']);
	state.isAway = false;
	assert.deepEqual(await pass(1_000), []);
	assert.ok((await pass(MINUTE_MS)).includes('acme/alice'));
});

test('a locked account that was used delays no other, and is tried again with the next that are used', async (t) => {
	const { pass, use, overdraw, posting, state } = await start(t);
	use('acme', 'alice');
	use('other', 'otto');
	overdraw('alice', 'otto');
	state.lockedReseller = 'acme';
	posting.used(['alice', 'otto']);
	assert.match((await pass(1_000)).join(), /^other\/otto,Error: the usage of accounts of acme could not be posted/);
	state.lockedReseller = '';
	posting.used(['otto']);
	assert.deepEqual(await pass(1_000), ['acme/alice']);
});

test('all overdrawn accounts are found at the start, and each minute on any day', async (t) => {
	const { atStart, pass, use } = await start(t, [{ reseller: 'acme', username: 'alice' }]);
	assert.deepEqual(atStart, ['acme/alice', 'done']);
	use('acme', 'alice');
	assert.deepEqual(await pass(MINUTE_MS / 4), []);
	assert.deepEqual(await pass(MINUTE_MS), ['acme/alice', 'done']);
});

test('names of used accounts are bounded: those beyond 100,000 are found by the look at all', async (t) => {
	const { pass, posting, state } = await start(t);
	posting.used(Array.from({ length: 120_000 }, (_, n) => `name${n}`));
	await pass(1_000);
	while (state.asked < 100_000) await pass(0);
	await pass(0);
	assert.equal(state.asked, 100_000);
});

test('after it is closed it gives no command, not even in the middle of a page', async (t) => {
	const { pass, use, posting, commands } = await start(t);
	use('acme', 'alice');
	use('other', 'otto');
	const passed = pass(MINUTE_MS);
	await new Promise((resolve) => setImmediate(resolve));
	posting.close();
	await passed;
	assert.equal(commands().length, 1);
	posting.used(['otto']);
	assert.deepEqual(await pass(DAY_MS), []);
});
