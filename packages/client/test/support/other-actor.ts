import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { routes } from '@bursar/contract';
import type { Random } from '@bursar/testing/random';
import { openConnection } from '@bursar/testing/wire';
import type { ResellerAccounts } from './reseller-accounts.ts';

/** Another client of the same reseller, over connections that never fail. */
export interface OtherActor {
	/** Resolves with the ids of its requests, each of which moved money. */
	stop(): Promise<ReadonlySet<string>>;
}

const CONNECTIONS = 4;
const MOST_CENTS = 5_000;
const PAUSE_MS = process.env.BURSAR_TEST_FAULTS === 'long' ? 12 : 150;

/** Moves money to and from all sub-users until it is stopped. The client under test may move the same amounts. */
export function startOtherActor({ served, token, subUsers }: ResellerAccounts, random: Random): OtherActor {
	const requestIds = new Set<string>();
	let isStopped = false;
	const running = Array.from({ length: CONNECTIONS }, async () => {
		const connection = openConnection();
		while (!isStopped) {
			const { path } = random.below(2) ? routes.giveBalance : routes.takeBalance;
			const username = subUsers[random.below(subUsers.length)];
			const body = { username, amount_usd_cents: 1 + random.below(MOST_CENTS) };
			const reply = await connection.send(served.url, path, { token, body });
			assert.ok(reply.kind === 'answered' && reply.status === 200, JSON.stringify(reply));
			requestIds.add(reply.requestId);
			await setTimeout(PAUSE_MS);
		}
		connection.close();
	});
	const all = Promise.all(running);
	all.catch(() => {});
	return {
		async stop() {
			isStopped = true;
			await all;
			return requestIds;
		},
	};
}
