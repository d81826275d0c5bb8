import assert from 'node:assert/strict';
import { test } from 'node:test';
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
test('on a faulty network', { concurrency: !isLong }, async (t) => {
	const served = await serveSqlite(t);

	const ofReports = t.test('all reports are true, and fees are exact, while others write too', async (t) => {
		const seed = printedSeed(t);
		const accounts = await openAccounts(served, 'acme', isLong ? 380 : 60);
		const { tally, moves } = await findNoProblem(t, { accounts, seed, tasks: isLong ? 55 : 6 });
		assert.ok(moves.ofOthers > tally.operations / 2, 'another client moved money all the time');
		// Each unknown outcome is checked on its own: the slower the machine, the more there are.
		if (isLong) assert.ok(tally.doneByLook > tally.operations / 20, 'looking often decides a lost answer');
	});

	const ofWrongClients = t.test('the same checks catch a client that is wrong about lost answers', async (t) => {
		const seed = printedSeed(t);
		// In the short form, those that are caught often have fewer sub-users.
		const habits: readonly [Habit | 'looks_too_early', readonly Problem['name'][], subUsers: number][] = [
			['repeats', ['done_twice', 'not_done_yet_applied', 'wrong_fee'], 15],
			['gives_up', ['not_done_yet_applied', 'wrong_fee'], 6],
			['believes', ['done_yet_not_applied', 'wrong_answer', 'wrong_key'], 15],
			['doubts', ['unfounded'], 3],
			['looks_too_early', ['not_done_yet_applied'], 15],
		];
		const runs = habits.map(async ([habit, caught, subUsers]) => {
			const changer = (url: string, token: string) =>
				habit === 'looks_too_early' ? hastyClient(url, token) : wrongClient(url, token, habit, TIMEOUT_MS);
			const counts: Partial<Record<Problem['name'], number>> = {};
			// On a slow machine, more calls run out of time before they can be wrong.
			for (let run = 0; run < MOST_RUNS && !caught.every((name) => counts[name]); run++) {
				const accounts = await openAccounts(served, `${habit}.${run}`, isLong ? 120 : subUsers);
				const settings = { accounts, seed: seed + run, tasks: isLong ? 8 : 6, changer };
				const { problems } = await runByFaultyNetwork(t, settings);
				for (const { name } of problems) counts[name] = (counts[name] ?? 0) + 1;
				t.diagnostic(`${habit}: ${JSON.stringify(counts)}`);
			}
			for (const name of caught) assert.ok(counts[name], `${habit} is caught by ${name}`);
		});
		await Promise.all(runs);
	});

	await Promise.all([ofReports, ofWrongClients]);
});
