import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { Bursar } from '../../../../packages/client/src/index.ts';
import { planLanes } from '../../../../packages/client/test/support/client-workload.ts';
import { openFaultyNetwork } from '../../../../packages/client/test/support/faulty-network.ts';
import { FATES, seededFates } from '../../../../packages/client/test/support/network-fates.ts';
import { openAccounts } from '../../../../packages/client/test/support/reseller-accounts.ts';
import { type Served, serveSqlite } from '../../../../packages/client/test/support/served.ts';
import { pythonOfTests } from '../support/python.ts';
import { planSoak, type SoakTask, soak, type WrongHabit } from '../support/soak.ts';
import { findProblems, type SoakFindings } from '../support/soak-problems.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';

/** For each wrong program. */
const MOST_RUNS = 20;

test('the Python client on a faulty network', { concurrency: !isLong }, async (t) => {
	const python = await pythonOfTests(t);

	const ofReports = t.test('all reports are true and none stays unknown, while the service is killed', async (t) => {
		const seed = printedSeed(t);
		const served = await serveSqlite(t);
		const size = isLong ? { subUsers: 100, tasks: 20, kills: 40 } : { subUsers: 30, tasks: 10, kills: 4 };
		const { problems, tally, lines } = await runSoak(t, python, served, { ...size, seed });
		for (const line of [...tally.lines, ...lines]) t.diagnostic(line);
		assert.deepEqual(problems, []);
		assert.deepEqual([...tally.fates.keys()].sort(), Object.keys(FATES).sort(), 'every fate has struck');
		assert.ok(tally.doneByLook > 0, 'a look decides a lost answer');
		await served.assertLedgerInOrder();
	});

	const ofWrongPrograms = t.test('the same checks catch a program that is wrong about unknown outcomes', async (t) => {
		const seed = printedSeed(t);
		const served = await serveSqlite(t);
		const habits: readonly [WrongHabit, readonly string[]][] = [
			['repeats', ['done_twice', 'wrong_balance']],
			['gives_up', ['not_done_yet_applied', 'wrong_balance']],
		];
		for (const [habit, caught] of habits) {
			const counts: Record<string, number> = {};
			for (let run = 0; run < MOST_RUNS && !caught.every((name) => counts[name]); run++) {
				const settings = { subUsers: 10, tasks: 6, kills: 0, seed: seed + run, habit, reseller: `${habit}.${run}` };
				const { problems } = await runSoak(t, python, served, settings);
				for (const { name } of problems) counts[name] = (counts[name] ?? 0) + 1;
			}
			t.diagnostic(`${habit}: ${JSON.stringify(counts)}`);
			for (const name of caught) assert.ok(counts[name], `${habit} is caught by ${name}`);
		}
	});

	await Promise.all([ofReports, ofWrongPrograms]);
});

/** One half of the sub-users is changed by threads, the other one by tasks. */
async function runSoak(
	t: TestContext,
	python: string,
	served: Served,
	settings: {
		readonly subUsers: number;
		readonly tasks: number;
		readonly kills: number;
		readonly seed: number;
		readonly habit?: WrongHabit;
		readonly reseller?: string;
	},
): Promise<SoakFindings> {
	const { subUsers, tasks, kills, seed, habit, reseller = 'acme' } = settings;
	const random = randomFrom(seed);
	const accounts = await openAccounts(served, reseller, subUsers);
	const { token } = accounts;
	const reliable = new Bursar({ baseUrl: served.url, token });
	const { balanceCents: balanceBefore } = await reliable.account.retrieve();
	const network = await openFaultyNetwork(t, served.url, seededFates(seed));
	const lanes = planSoak(planLanes(accounts, random, tasks), random, seed);
	const shared = { url: network.url, token, ...(habit && { habit }) };
	const [ofThreads, ofTasks] = [0, 1].map((half) => lanes.filter((_, index) => index % 2 === half));
	const working = Promise.all([
		soak(t, python, { ...shared, client: 'threads', lanes: (ofThreads ?? []).map(withoutAborts) }),
		soak(t, python, { ...shared, client: 'tasks', lanes: ofTasks ?? [] }),
	]);
	await killUntil(t, served, working, kills, random);
	const reports = (await working).flat();
	const passages = await network.quiet();
	return findProblems({ accounts, reliable, reports, passages, balanceBefore });
}

/** A call of the synchronous client cannot be given up. */
function withoutAborts(lane: readonly (readonly SoakTask[])[]): SoakTask[][] {
	return lane.map((step) => step.map((task) => ({ ...task, givenUpAfterMs: undefined })));
}

async function killUntil(
	t: TestContext,
	served: Served,
	working: Promise<unknown>,
	most: number,
	random: Random,
): Promise<void> {
	let isOver = false;
	const over = working.finally(() => {
		isOver = true;
	});
	over.catch(() => {});
	let kills = 0;
	let startMs = 0;
	while (!isOver && kills < most) {
		// On a slow machine, a start takes longer than the calls may wait. So the service runs longer than that.
		await setTimeout(500 + random.below(3_000) + startMs);
		startMs = await served.killAndStart(random.below(1_500));
		kills++;
	}
	t.diagnostic(`${kills} kills`);
}
