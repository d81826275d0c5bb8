// Runs first: it takes long.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import { findNoProblem, hastyClient, runByFaultyNetwork, TIMEOUT_MS } from '../support/faulty-run.ts';
import type { Problem } from '../support/problems.ts';
import { openAccounts } from '../support/reseller-accounts.ts';
import { serveSqlite } from '../support/served.ts';
import { type Habit, wrongClient } from '../support/wrong-client.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';

/** For each wrong client. */
const MOST_RUNS = 20;

// In their short forms they mostly wait, so they wait together.
describe('on a faulty network', { concurrency: !isLong }, () => {
	test('the reports of the sole writer are true, those of fees too', async (t) => {
		const seed = printedSeed(t);
		const accounts = await openAccounts(await serveSqlite(t), 'acme', isLong ? 380 : 30);
		const { tally } = await findNoProblem(t, { accounts, seed, tasks: isLong ? 55 : 4, isSoleWriter: true });
		// A short run has few lost answers, and on a slow machine many of its calls run out of time.
		if (!isLong) return;
		assert.ok(tally.doneByLook > 2 * tally.unknown, 'looking decides most lost answers');
		assert.ok(tally.unknown < 0.2 * tally.lostAny, 'unknown is rare, even among calls that met a fault');
	});

	test('without soleWriter, all reports except unknown are true', async (t) => {
		const seed = printedSeed(t);
		const accounts = await openAccounts(await serveSqlite(t), 'acme', isLong ? 340 : 30);
		const { tally, moves } = await findNoProblem(t, { accounts, seed, tasks: isLong ? 45 : 4, isSoleWriter: false });
		assert.ok(moves.ofOthers > tally.operations, 'somebody else moved money all the time');
		assert.ok(tally.unknown <= tally.lostChange, 'only a change whose own answer was lost is unknown');
	});

	test('the same checks catch a client that is wrong about lost answers', async (t) => {
		const seed = printedSeed(t);
		const served = await serveSqlite(t);
		const habits: readonly [Habit | 'looks_too_early', readonly Problem['name'][]][] = [
			['repeats', ['done_twice', 'not_done_yet_applied', 'wrong_fee']],
			['gives_up', ['not_done_yet_applied', 'wrong_fee']],
			['believes', ['done_yet_not_applied', 'wrong_answer', 'wrong_key']],
			['doubts', ['unfounded']],
			['looks_too_early', ['done_twice']],
		];
		const runs = habits.map(async ([habit, caught]) => {
			const changer = (url: string, token: string) =>
				habit === 'looks_too_early' ? hastyClient(url, token) : wrongClient(url, token, habit, TIMEOUT_MS);
			const counts: Partial<Record<Problem['name'], number>> = {};
			// On a slow machine, more calls run out of time before they can be wrong.
			for (let run = 0; run < MOST_RUNS && !caught.every((name) => counts[name]); run++) {
				const accounts = await openAccounts(served, `${habit}.${run}`, isLong ? 120 : 30);
				const settings = { accounts, seed: seed + run, tasks: isLong ? 8 : 3, isSoleWriter: true, changer };
				const { problems } = await runByFaultyNetwork(t, settings);
				for (const { name } of problems) counts[name] = (counts[name] ?? 0) + 1;
				t.diagnostic(`${habit}: ${JSON.stringify(counts)}`);
			}
			for (const name of caught) assert.ok(counts[name], `${habit} is caught by ${name}`);
		});
		await Promise.all(runs);
	});
});
