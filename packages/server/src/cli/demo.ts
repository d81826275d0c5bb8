import { randomUUID } from 'node:crypto';
import { USAGE_SHOWN_DAYS } from '@bursar/contract/limits';
import { newProxyAuthkey, newToken } from '../credentials.ts';
import type { Command } from '../domain/command.ts';
import { startOfDayMs, type UsageReport, usageShownDays } from '../domain/usage.ts';
import type { Session } from './session.ts';

export interface Demo {
	readonly reseller: string;
	readonly token: string;
}

const RESELLER = 'demo.reseller';
const SUB_USERS = ['alice', 'bruno', 'chiara.d'];
const OPENING_BALANCE_CENTS = 100_00;
const GIVEN_CENTS = 5_00;

/** Makes a reseller, some sub-users that have a balance, and usage for every day shown, in an empty store. */
export async function createDemo({ bank, store }: Pick<Session, 'bank' | 'store'>): Promise<Demo> {
	const { token, ...kept } = newToken();
	const base = { reseller: RESELLER, requestId: `demo-${randomUUID()}` };
	const commands: Command[] = [
		{
			...base,
			kind: 'create_reseller',
			proxyAuthkey: newProxyAuthkey(),
			...kept,
			madeBy: 'operator',
			openingBalanceCents: OPENING_BALANCE_CENTS,
		},
		...SUB_USERS.flatMap((username): Command[] => [
			{ ...base, kind: 'create_sub_user', username, proxyAuthkey: newProxyAuthkey() },
			{ ...base, kind: 'give_balance', username, amountCents: GIVEN_CENTS },
		]),
	];
	const outcomes = await Promise.all(commands.map((command) => bank.submit(command)));
	const recorded = await bank.recordUsage('demo', usage(store.nowMs()));
	if (![...outcomes, recorded].every(({ ok }) => ok)) throw new Error('the demo data could not be written');
	return { reseller: RESELLER, token };
}

/** A quiet weekend, a busier week, and a slow rise: the same figures at every start. */
function usage(nowMs: number): UsageReport[] {
	const { firstDay } = usageShownDays(nowMs);
	return SUB_USERS.flatMap((username, place) =>
		Array.from({ length: USAGE_SHOWN_DAYS }, (_, offset): UsageReport => {
			const day = firstDay + offset;
			const megabytes = (place + 1) * 200 + offset * 5 + (((day * 7919) % 97) + 97) * (day % 7 < 2 ? 1 : 3);
			return {
				source: 'demo',
				id: `${username}-${day}`,
				username,
				atMs: startOfDayMs(day),
				bytesUp: megabytes * 40_000,
				bytesDown: megabytes * 1_000_000,
			};
		}),
	);
}
