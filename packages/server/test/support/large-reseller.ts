import assert from 'node:assert/strict';
import type { TestReseller } from '@bursar/testing/service';
import type { Command } from '../../src/commands/registry.ts';
import type { Config } from '../../src/config.ts';
import { newProxyAuthkey, newToken } from '../../src/credentials.ts';
import { startOfDayMs, type UsageReport, usageShownDays } from '../../src/domain/usage.ts';
import { openStore } from '../../src/engine.ts';

export interface LargeReseller extends TestReseller {
	readonly usernames: readonly string[];
}

const BALANCE_CENTS = 100_000_000;
const COMMANDS_AT_ONCE = 500;
const USERS_WITH_USAGE = 10;

/** Opens a reseller with a balance and many sub-users. The first ten have usage on each day shown. */
export async function largeReseller(config: Config, reseller: string, subUsers: number): Promise<LargeReseller> {
	const { token, ...kept } = newToken();
	const usernames = Array.from({ length: subUsers }, (_, index) => `${reseller}.${String(index).padStart(6, '0')}`);
	const base = { reseller, requestId: 'test' };
	const commands: Command[] = [
		{
			...base,
			kind: 'create_reseller',
			proxyAuthkey: newProxyAuthkey(),
			...kept,
			madeBy: 'operator',
			openingBalanceCents: BALANCE_CENTS,
		},
		...usernames.map(
			(username): Command => ({
				...base,
				kind: 'create_sub_user',
				username,
				proxyAuthkey: newProxyAuthkey(),
			}),
		),
	];
	const store = await openStore(config);
	try {
		for (let start = 0; start < commands.length; start += COMMANDS_AT_ONCE) {
			const answer = await store.runCommands(commands.slice(start, start + COMMANDS_AT_ONCE), store.nowMs());
			assert.ok(answer.kind === 'committed' && answer.results.every(({ ok }) => ok));
		}
		const answer = await store.recordUsage(usageOf(usernames.slice(0, USERS_WITH_USAGE), store.nowMs()), store.nowMs());
		assert.equal(answer.kind, 'committed');
	} finally {
		await store.close();
	}
	return { username: reseller, token, usernames };
}

function usageOf(usernames: readonly string[], nowMs: number): UsageReport[] {
	const { firstDay, lastDay } = usageShownDays(nowMs);
	const days = Array.from({ length: lastDay - firstDay + 1 }, (_, offset) => firstDay + offset);
	return usernames.flatMap((username) =>
		days.map((day) => ({
			source: 'test',
			id: `${username}/${day}`,
			username,
			atMs: startOfDayMs(day),
			bytesUp: 1_000_000,
			bytesDown: 2_000_000_000,
		})),
	);
}
