import type { BandwidthRecord, SubUser } from '@bursar/contract';
import type { Account } from '../../domain/account.ts';
import { startOfDayMs, type UsageDay } from '../../domain/usage.ts';

/** An account in the form of docs/api.md 6.5. */
export function subUserView(account: Account): SubUser {
	return {
		username: account.username,
		balance: account.balanceCents,
		proxy_authkey: account.proxyAuthkey,
		date_created: new Date(account.createdAtMs).toISOString(),
	};
}

/** The usage of a day in the form of docs/api.md 6.6. */
export function bandwidthView({ day, bytesUp, bytesDown }: UsageDay): BandwidthRecord {
	return { bandwidth: { up: bytesUp, down: bytesDown }, timestamp: new Date(startOfDayMs(day)).toISOString() };
}
