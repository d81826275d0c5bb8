import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { randomFrom } from '@bursar/testing/random';
import { BursarClient } from '../../src/index.ts';
import { type Changer, observedFetch } from './client-operations.ts';
import { planLanes, runLanes } from './client-workload.ts';
import { openFaultyNetwork } from './faulty-network.ts';
import { FATES, LATE_MS, seededFates } from './network-fates.ts';
import { startOtherActor } from './other-actor.ts';
import { type Problem, problemsOf } from './problems.ts';
import type { ResellerAccounts } from './reseller-accounts.ts';
import { withoutChangeIds, withoutExpiry } from './unreliable-fetch.ts';
import { type Tally, tally, verdictsOn } from './verdicts.ts';

/** A workload that runs over a faulty network. */
export interface FaultyRun {
	readonly accounts: ResellerAccounts;
	readonly seed: number;
	/** How many for each sub-user. */
	readonly tasks: number;
	/** If `false`, another client moves money at the same time. */
	readonly isSoleWriter: boolean;
	/** Whether the client under test sees that the service knows change ids. Default: no. */
	readonly withIds?: boolean;
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
const AFTER_EXPIRY_MS = 5_400;
/** After this time, a change that is sent now has expired, and an answer shows it. */
const EXPIRED_MS = TIMEOUT_MS / 2 + 3_000;
const SETTLE_MS = EXPIRED_MS + AFTER_EXPIRY_MS;
const TOTAL_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 4;
/** How long the last look of a call may take, with its attempts and pauses. */
const LOOK_MS = MAX_ATTEMPTS * (TIMEOUT_MS + 1_000);

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
	const { accounts, seed, tasks, isSoleWriter, withIds = false, changer } = run;
	const random = randomFrom(seed);
	const network = await openFaultyNetwork(test, accounts.served.url, seededFates(seed));
	const client = changer?.(network.url, accounts.token) ?? clientOf(network.url, accounts.token, isSoleWriter, withIds);
	const lanes = planLanes(accounts, random, tasks);
	const other = isSoleWriter ? undefined : startOtherActor(accounts, random);
	const operations = await runLanes(client, lanes, random);
	const requestsOfOthers = (await other?.stop()) ?? new Set();
	const passages = await network.quiet();

	const transfers = await accounts.transfers();
	const evidence = { operations, passages, transfers, requestsOfOthers, subUsers: await accounts.view() };
	const verdicts = verdictsOn(evidence);
	const settings = {
		isSoleWriter,
		withIds,
		maxAttempts: MAX_ATTEMPTS,
		patienceMs: TOTAL_TIMEOUT_MS - SETTLE_MS - LOOK_MS,
	};
	return {
		problems: problemsOf(verdicts, evidence, accounts.authKeys, settings),
		tally: tally(verdicts),
		moves: {
			ofOthers: requestsOfOthers.size,
			ofOthersStored: transfers.filter(({ requestId }) => requestsOfOthers.has(requestId)).length,
		},
	};
}

export function clientOf(baseUrl: string, token: string, soleWriter: boolean, withIds = false): BursarClient {
	return new BursarClient({
		baseUrl,
		token,
		soleWriter,
		afterExpiryMs: AFTER_EXPIRY_MS,
		fetch: withIds ? observedFetch : withoutChangeIds(observedFetch),
		timeoutMs: TIMEOUT_MS,
		totalTimeoutMs: TOTAL_TIMEOUT_MS,
		maxAttempts: MAX_ATTEMPTS,
	});
}

/** A client that sees a service without expiry, and does not wait as it then must. */
export function hastyClient(baseUrl: string, token: string): BursarClient {
	return new BursarClient({
		baseUrl,
		token,
		soleWriter: true,
		settleMs: 0,
		fetch: withoutExpiry(observedFetch),
		timeoutMs: TIMEOUT_MS,
		totalTimeoutMs: TOTAL_TIMEOUT_MS,
		maxAttempts: MAX_ATTEMPTS,
	});
}
