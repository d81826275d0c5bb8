import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPasswordTurn, type PasswordTurn } from '../src/password-turns.ts';

const ofStranger = (owner: string) => ({ group: 'strangers', owner }) as const;
const ofPerson = (owner: string) => ({ group: 'people', owner }) as const;

/** Notes the order in which computations start. Each one ends when the test says so. */
function computations() {
	const started: string[] = [];
	const ends: (() => void)[] = [];
	return {
		started,
		ask: (turn: PasswordTurn) =>
			inPasswordTurn(turn, () => {
				started.push(turn.owner);
				return new Promise<void>((resolve) => ends.push(resolve));
			}),
		/** Ends all, one by one. Each makes room for the next. */
		async endAll(work: readonly (Promise<void> | undefined)[]) {
			while (started.length < work.filter(Boolean).length || ends.length > 0) {
				ends.shift()?.();
				await new Promise(setImmediate);
			}
			await Promise.all(work);
		},
	};
}

test('two passwords are computed at a time, sixteen strangers wait, and people have places of their own', async () => {
	const { started, ask, endAll } = computations();
	const strangers = Array.from({ length: 19 }, (_, index) => ask(ofStranger(`s${index}`)));
	assert.deepEqual(
		strangers.map((work) => work !== undefined),
		[...Array(18).fill(true), false],
	);
	const people = Array.from({ length: 17 }, (_, index) => ask(ofPerson(`p${index}`)));
	assert.deepEqual(
		people.map((work) => work !== undefined),
		[...Array(16).fill(true), false],
	);
	await new Promise(setImmediate);
	assert.deepEqual(started, ['s0', 's1']);
	await endAll([...strangers, ...people]);
	assert.deepEqual(started.slice(2, 8), ['p0', 's2', 'p1', 's3', 'p2', 's4'], 'the groups take turns');
	assert.equal(await inPasswordTurn(ofStranger('another'), async () => 'done'), 'done');
});

test('networks take turns, and four of one network wait at most', async () => {
	const { started, ask, endAll } = computations();
	const flood = Array.from({ length: 10 }, () => ask(ofStranger('flood')));
	assert.equal(flood.filter((work) => work !== undefined).length, 6, 'two are computed');
	const others = ['one', 'two'].map((owner) => ask(ofStranger(owner)));
	await endAll([...flood, ...others]);
	assert.deepEqual(started, ['flood', 'flood', 'flood', 'one', 'two', 'flood', 'flood', 'flood']);
});

test('a computation that fails makes room for the next', async () => {
	for (let count = 0; count < 4; count++) {
		const failed = inPasswordTurn(ofStranger('one'), () => Promise.reject(new Error('it failed')));
		await assert.rejects(failed ?? Promise.resolve(), { message: 'it failed' });
	}
	assert.equal(await inPasswordTurn(ofStranger('one'), async () => 'done'), 'done');
});
