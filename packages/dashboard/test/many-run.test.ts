import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEYS_AT_ONCE, MOST_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { type CallCode, CallError } from '../src/calls/call.ts';
import { interrupted } from '../src/features/many/kept-run.ts';
import { readKeys } from '../src/features/many/keys.ts';
import { OPERATIONS } from '../src/features/many/operations.ts';
import { outcomesCsv } from '../src/features/many/outcomes.ts';
import { readFile } from '../src/features/many/read-file.ts';
import { bodyOf, countsOf, newRun, type Outcome, outcomeAfter, type Run } from '../src/features/many/run.ts';
import { runLines } from '../src/features/many/run-lines.ts';

const wanted = (names: readonly string[]) => names.map((username, index) => ({ line: index + 1, username, cents: 5 }));
const run = (names: readonly string[], operation: Run['operation'] = 'give') =>
	newRun({ operation, file: 'f.csv' }, wanted(names));

/** Runs it before a service that answers each line with a code, or does it. */
async function runWith(
	before: Run,
	codeOf: (username: string, times: number) => CallCode | undefined,
	signal = new AbortController().signal,
) {
	const sent: string[] = [];
	const lines = [...before.lines];
	const stoppedBy = await runLines(before, {
		async send({ username, act }) {
			sent.push(act);
			await new Promise((resolve) => setTimeout(resolve, 1));
			return codeOf(username, sent.length);
		},
		onOutcome(index, outcome) {
			lines[index] = { ...(lines[index] ?? assert.fail()), outcome };
		},
		signal,
	});
	return { after: { ...before, lines }, sent, stoppedBy, states: lines.map(({ outcome }) => outcome.state) };
}

test('a run that was interrupted sends the same acts again, and never a line that has ended', async () => {
	const begun = run(['alice', 'bobby', 'carla', 'daria']);
	const codes: Record<string, CallCode> = { bobby: 'lost', carla: 'unknown_sub_user' };
	const first = await runWith(begun, (name) => codes[name]);
	assert.deepEqual(first.states, ['done', 'unknown', 'refused', 'done']);
	assert.equal(first.stoppedBy, undefined);
	const again = await runWith(first.after, () => 'act_repeated');
	assert.deepEqual(again.sent, [begun.lines[1]?.act]);
	assert.deepEqual(again.states, ['done', 'done', 'refused', 'done']);
	assert.deepEqual((await runWith(again.after, () => assert.fail('nothing is left'))).sent, []);
	assert.equal(new Set(begun.lines.map(({ act }) => act)).size, 4);
});

test('after a reload, a line without an outcome may have been sent; one with an outcome stays as it is', async () => {
	const { after } = await runWith(run(['alice', 'bobby']), (name) => (name === 'alice' ? undefined : 'unavailable'));
	assert.deepEqual(
		interrupted(after).lines.map(({ outcome }) => outcome.state),
		['done', 'unknown'],
	);
	assert.deepEqual(countsOf(after), { open: 1, unknown: 0, done: 1, refused: 0 });
});

test('of a lost line, a refusal for now says nothing', () => {
	const lost: Outcome = { state: 'unknown' };
	for (const code of ['unavailable', 'signed_out', 'suspended'] as const) {
		assert.deepEqual(outcomeAfter(lost, 'give', code), lost, code);
		assert.deepEqual(outcomeAfter({ state: 'open' }, 'give', code), { state: 'open', code });
	}
	assert.deepEqual(outcomeAfter(lost, 'give', 'unknown_sub_user'), { state: 'refused', code: 'unknown_sub_user' });
	assert.deepEqual(outcomeAfter({ state: 'open' }, 'suspend', 'outcome_unknown'), lost);
	assert.deepEqual(outcomeAfter({ state: 'open' }, 'give', 'page_fault'), lost);
});

test('lines of one sub-user are sent one after the other, and none overtakes one that is not known', async () => {
	const names = ['alice', 'alice', 'alice', 'bobby'];
	let underWay = 0;
	const begun = run(names);
	const order: string[] = [];
	await runLines(begun, {
		async send({ act, username }) {
			order.push(act);
			if (username !== 'alice') return undefined;
			assert.equal(++underWay, 1);
			await new Promise((resolve) => setTimeout(resolve, 2));
			underWay--;
			return undefined;
		},
		onOutcome() {},
		signal: new AbortController().signal,
	});
	const ofAlice = begun.lines.slice(0, 3).map(({ act }) => act);
	assert.deepEqual(
		order.filter((act) => ofAlice.includes(act)),
		ofAlice,
	);
	const { states } = await runWith(begun, (name) => (name === 'alice' ? 'lost' : undefined));
	assert.deepEqual(states, ['unknown', 'open', 'open', 'done']);
});

test('a run stops if nothing further can be done: no balance, suspended, signed out, a service that is away, or asked', async () => {
	const names = Array.from({ length: 100 }, (_, index) => `user.${index}`);
	for (const code of ['insufficient_balance', 'suspended', 'signed_out'] as const) {
		const { sent, stoppedBy, states } = await runWith(run(names), () => code);
		assert.equal(stoppedBy, code);
		assert.ok(sent.length <= 4, `${sent.length} were sent`);
		assert.ok(states.every((state) => state === 'open'));
	}
	// Of a take, it is the balance of one sub-user.
	const taken = await runWith(run(names, 'take'), () => 'insufficient_balance');
	assert.ok(taken.states.every((state) => state === 'refused'));
	const away = await runWith(run(names), () => 'unavailable');
	assert.equal(away.stoppedBy, 'away');
	assert.ok(away.sent.length < 10);
	const asked = new AbortController();
	const stopped = await runWith(
		run(names),
		(_, times) => {
			if (times >= 8) asked.abort();
			return undefined;
		},
		asked.signal,
	);
	assert.equal(stopped.stoppedBy, 'asked');
	assert.ok(stopped.sent.length < 20);
});

test('the file of outcomes says of each line what became of it, and names run no formula', async () => {
	const { after } = await runWith(run(['alice', 'bobby']), (name) => (name === 'alice' ? undefined : 'lost'));
	const [heading, first, second, ...rest] = outcomesCsv(after).split('\r\n');
	assert.equal(heading, '\ufeffline,username,amount (USD),state,outcome');
	assert.match(first ?? '', /^1,alice,0\.05,done,/);
	assert.match(second ?? '', /^2,bobby,0\.05,unknown,/);
	assert.deepEqual(rest, ['']);
});

const file = (text: string, size = text.length) => ({
	size,
	arrayBuffer: async () => new TextEncoder().encode(text).buffer,
});
const { create, give, suspend } = OPERATIONS;

test('a file is read by the rules of bursarctl, as a whole and within bounds', async () => {
	assert.deepEqual(
		await readFile(file('\ufeffUsername,Amount\r\n"Alice",1.50\r\n\r\n# mine\r\nbobby,0.05'), give.form),
		{
			state: 'right',
			lines: [
				{ line: 2, username: 'alice', cents: 150 },
				{ line: 5, username: 'bobby', cents: 5 },
			],
			headingLine: 1,
		},
	);
	const bad = await readFile(file(`alice\n${'alice\n'.repeat(7)}`), suspend.form);
	assert.ok(bad.state === 'bad_lines' && bad.count === 7 && bad.problems.length === 5);
	for (const [given, problem] of [
		[file('', 0), 'noLines'],
		[file('# only this\n'), 'noLines'],
		[file('alice', 1_000_001), 'tooLarge'],
		[file('a\0l\0'), 'notText'],
		[file(Array.from({ length: MOST_AT_ONCE + 1 }, (_, index) => `user.${index}`).join('\n')), 'tooMany'],
		[{ size: 5, arrayBuffer: () => Promise.reject(new Error('gone')) }, 'unreadable'],
	] as const) {
		assert.deepEqual(await readFile(given, suspend.form), { state: 'wrong', problem });
	}
	const most = await readFile(
		file(Array.from({ length: MOST_AT_ONCE }, (_, i) => `user.${i}`).join('\n')),
		suspend.form,
	);
	assert.ok(most.state === 'right' && most.lines.length === MOST_AT_ONCE);
});

test('keys are asked for in calls of bounded size; without a proof there are none', async () => {
	const names = Array.from({ length: 2 * KEYS_AT_ONCE + 1 }, (_, index) => `user.${index}`);
	const asked: number[] = [];
	const keyOf = (username: string) => ({ username, proxy_authkey: `key of ${username}` });
	const keys = await readKeys(names, async ({ usernames }) => {
		asked.push(usernames.length);
		if (asked.length === 2) return { failure: new CallError('unknown_sub_user') };
		return { answer: { keys: usernames.map(keyOf) } };
	});
	assert.deepEqual(asked, [KEYS_AT_ONCE, KEYS_AT_ONCE, 1]);
	assert.deepEqual(keys, [...names.slice(0, KEYS_AT_ONCE), ...names.slice(-1)].map(keyOf));
	assert.equal(await readKeys(names, async () => ({ answer: undefined })), undefined);
	await assert.rejects(
		readKeys(names, async () => ({ failure: new CallError('unavailable') })),
		{ code: 'unavailable' },
	);
});

test('the lines of a file have their references, which are sent, shown in the outcomes, and kept', async () => {
	const read = await readFile(file('username,amount_usd,reference\nalice,5,order-7\nbobby,1,\n'), give.form);
	assert.ok(read.state === 'right');
	const run = newRun({ operation: 'give', file: 'gives.csv' }, read.lines);
	const bodies = run.lines.map((line) => {
		const { act: _, ...body } = bodyOf(run, line) as Readonly<Record<string, unknown>>;
		return body;
	});
	assert.deepEqual(bodies, [
		{ username: 'alice', amount: 500, reference: 'order-7' },
		{ username: 'bobby', amount: 100 },
	]);
	const [heading, first, second] = outcomesCsv(run).split('\r\n');
	assert.equal(heading, '\ufeffline,username,amount (USD),reference,state,outcome');
	assert.match(first ?? '', /^2,alice,5\.00,order-7,open,/);
	assert.match(second ?? '', /^3,bobby,1\.00,,open,/);
});

test('a new sub-user of a file is created with all that its line says in one act, also when it is sent again', async () => {
	const text = `username;amount_usd;total_bytes;expires_at;note;reference
new.one;25,00;10GB;2126-12-31T23:00:00Z;order 7;order-7
new.two;;;;;
`;
	const read = await readFile(file(text), create.form);
	assert.ok(read.state === 'right');
	const before = newRun({ operation: 'create', file: 'new.csv' }, read.lines);
	const bodies = (run: Run) => run.lines.map((line) => bodyOf(run, line) as Readonly<Record<string, unknown>>);
	const limits = { total_bytes: 10_000_000_000, expires_at: '2126-12-31T23:00:00.000Z' };
	assert.deepEqual(
		bodies(before).map(({ act: _, ...body }) => body),
		[{ username: 'new.one', amount: 2_500, reference: 'order-7', limits, note: 'order 7' }, { username: 'new.two' }],
	);
	const kept = interrupted(JSON.parse(JSON.stringify(before)) as Run);
	assert.deepEqual(bodies(kept), bodies(before));
	// What is wrong with the limits of one says nothing about the others.
	assert.deepEqual(outcomeAfter({ state: 'open' }, 'create', 'invalid_limits'), {
		state: 'refused',
		code: 'invalid_limits',
	});
	assert.deepEqual(outcomeAfter({ state: 'open' }, 'limits', 'invalid_limits'), {
		state: 'open',
		code: 'invalid_limits',
	});
});
