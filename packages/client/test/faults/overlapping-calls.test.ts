import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { BursarClient } from '../../src/index.ts';
import { type Changer, operate, type Task } from '../support/client-operations.ts';
import { openFaultyNetwork } from '../support/faulty-network.ts';
import { clientOf } from '../support/faulty-run.ts';
import type { Fate } from '../support/network-fates.ts';
import { openAccounts } from '../support/reseller-accounts.ts';
import { type Served, serveSqlite } from '../support/served.ts';

const LATE_MS = 1_000;
/** The same for all gives, so that one could be taken for another. */
const AMOUNT_CENTS = 5;

// They mostly wait, so they wait together.
test('calls of one client that overlap', { concurrency: true }, async (t) => {
	const served = await serveSqlite(t);

	const ofTurns = t.test(
		'if a caller gives up waiting for its turn, later calls still wait for the calls before it',
		async (t) => {
			const { client, give, storedGives } = await openOverlap(t, served, 'turns', {
				1: ['passed', 'dropped_before'],
			});
			const first = operate(client, give(1));
			await setTimeout(100);
			const second = operate(client, { ...give(2), givenUpAfterMs: 50 });
			await setTimeout(100);
			const third = operate(client, give(3));
			const reports = await Promise.all([first, second, third]);
			assert.deepEqual(
				reports.map(({ report }) => report.kind),
				['done', 'given_up', 'done'],
			);
			assert.equal(await storedGives(), 2);
		},
	);

	const ofFound = t.test(
		'a change that the client finds does not make it forget another that is still on its way',
		async (t) => {
			const { client, give, storedGives } = await openOverlap(t, served, 'found', {
				1: ['reset_then_late'],
				2: ['passed', 'reset_after'],
				3: ['passed', 'reset_before'],
			});
			const reset = operate(client, { ...give(2), kind: 'reset' });
			const unjudged = await operate(sharing(client), give(1));
			assert.equal(unjudged.report.kind, 'unknown');
			assert.equal((await reset).report.kind, 'done');
			assert.equal((await operate(client, give(3))).report.kind, 'done');
			assert.equal(await storedGives(), 2);
		},
	);

	await Promise.all([ofTurns, ofFound]);
});

/** A sole writer on a network that gives each request of an operation its fate, in order. */
async function openOverlap(
	t: TestContext,
	served: Served,
	reseller: string,
	fates: Readonly<Record<number, readonly Fate[]>>,
) {
	const accounts = await openAccounts(served, reseller, 1);
	const left = new Map(Object.entries(fates).map(([operation, list]) => [Number(operation), [...list]]));
	const network = await openFaultyNetwork(t, accounts.served.url, (operation) => ({
		fate: left.get(operation)?.shift() ?? 'passed',
		delayMs: LATE_MS,
		page: '',
	}));
	const client = clientOf(network.url, accounts.token, true);
	const give = (number: number): Task => ({
		number,
		kind: 'give',
		username: accounts.subUsers[0] as string,
		amountCents: AMOUNT_CENTS,
		maxFeeCents: 0,
		givenUpAfterMs: undefined,
	});
	// Without it, the first of the calls would ask what the service knows, and that request would meet a fate.
	await operate(client, { ...give(0), kind: 'create_owned', maxFeeCents: 10 });
	return {
		client,
		give,
		async storedGives() {
			await network.quiet();
			return (await accounts.transfers()).length;
		},
	};
}

/** The same client object, called without `soleWriter`. */
function sharing(client: BursarClient): Changer {
	return {
		createSubUser: (username, options) => client.createSubUser(username, options),
		resetAuthKey: (username, options) => client.resetAuthKey(username, options),
		takeBalance: (username, cents) => client.takeBalance(username, cents, { soleWriter: false }),
		giveBalance: (username, cents) => client.giveBalance(username, cents, { soleWriter: false }),
	};
}
