import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { randomFrom } from '@bursar/testing/random';
import { Bursar } from '../../src/index.ts';
import { type Changer, observedFetch } from './client-operations.ts';
import { planLanes, runLanes } from './client-workload.ts';
import { openFaultyNetwork } from './faulty-network.ts';
import { FATES, LATE_MS, seededFates } from './network-fates.ts';
import { startOtherActor } from './other-actor.ts';
import { type Problem, problemsOf } from './problems.ts';
import type { ResellerAccounts } from './reseller-accounts.ts';
import { type Tally, tally, verdictsOn } from './verdicts.ts';

/** A workload that runs over a faulty network. */
export interface FaultyRun {
	readonly accounts: ResellerAccounts;
	readonly seed: number;
	/** How many for each sub-user. */
	readonly tasks: number;
	/** Makes the client under test. Default: the client of this package. */
	readonly changer?: (url: string, token: string) => Changer;
}

export interface Findings {
	readonly problems: readonly Problem[];
	readonly tally: Tally;
	/** The moves of the second actor, and how many of them the store has. */
	readonly moves: { readonly ofOthers: number; readonly ofOthersStored: number };
}

/** Late requests arrive when their client no longer waits for them. */
export const TIMEOUT_MS = LATE_MS.least - 100;
/** How long the service may take for a change that it has begun, on a slow machine. */
export const AFTER_EXPIRY_MS = 5_400;
/** After this time, a change that is sent now has expired, and an answer shows it. */
const EXPIRED_MS = TIMEOUT_MS / 2 + 3_000;
const SETTLE_MS = EXPIRED_MS + AFTER_EXPIRY_MS;
export const TOTAL_TIMEOUT_MS = 60_000;
/** How long the last look of a call may take, with its attempts and pauses. */
const LOOK_MS = 4 * (TIMEOUT_MS + 1_000);
/** A call that took so long may have run out of time. */
export const PATIENCE_MS = TOTAL_TIMEOUT_MS - SETTLE_MS - LOOK_MS;

/** Runs the workload, prints the results, and throws if anything contradicts the client's promises. */
export async function findNoProblem(test: TestContext, run: FaultyRun): Promise<Findings> {
	const findings = await runByFaultyNetwork(test, run);
	const { problems, tally, moves } = findings;
	for (const line of tally.lines) test.diagnostic(line);
	test.diagnostic(`moves of the second actor: ${moves.ofOthers}`);
	assert.deepEqual(problems, []);
	assert.equal(moves.ofOthersStored, moves.ofOthers);
	assert.deepEqual([...tally.fates.keys()].sort(), Object.keys(FATES).sort(), 'every fate has struck');
	await run.accounts.served.assertLedgerInOrder();
	return findings;
}

/** Runs the workload until nothing is on its way any more. */
export async function runByFaultyNetwork(test: TestContext, run: FaultyRun): Promise<Findings> {
	const { accounts, seed, tasks, changer } = run;
	const random = randomFrom(seed);
	const network = await openFaultyNetwork(test, accounts.served.url, seededFates(seed));
	const client = changer?.(network.url, accounts.token) ?? clientOf(network.url, accounts.token).subUsers;
	const lanes = planLanes(accounts, random, tasks);
	const other = startOtherActor(accounts, random);
	const operations = await runLanes(client, lanes, random);
	const requestsOfOthers = await other.stop();
	const passages = await network.quiet();

	const transfers = await accounts.transfers();
	const evidence = { operations, passages, transfers, requestsOfOthers, subUsers: await accounts.view() };
	const verdicts = verdictsOn(evidence);
	return {
		problems: problemsOf(verdicts, evidence, accounts.authKeys, PATIENCE_MS),
		tally: tally(verdicts),
		moves: {
			ofOthers: requestsOfOthers.size,
			ofOthersStored: transfers.filter(({ requestId }) => requestsOfOthers.has(requestId)).length,
		},
	};
}

function clientOf(baseUrl: string, token: string): Bursar {
	return new Bursar({
		baseUrl,
		token,
		afterExpiryMs: AFTER_EXPIRY_MS,
		fetch: observedFetch,
		timeoutMs: TIMEOUT_MS,
		totalTimeoutMs: TOTAL_TIMEOUT_MS,
	});
}

/** A client that takes each change for expired at once, because each answer seems to be ten seconds later. */
export function hastyClient(baseUrl: string, token: string): Changer {
	let answers = 0;
	const hasty: typeof fetch = async (input, init) => {
		const response = await observedFetch(input, init);
		const text = await response.text();
		answers++;
		const later = text.replace(/"timestamp":(\d+)/, (_, seconds) => `"timestamp":${Number(seconds) + answers * 10}`);
		return new Response(later, response);
	};
	return new Bursar({
		baseUrl,
		token,
		afterExpiryMs: 0,
		fetch: hasty,
		timeoutMs: TIMEOUT_MS,
		// Too little to repeat a change.
		totalTimeoutMs: TIMEOUT_MS + 500,
	}).subUsers;
}
