import type { BandwidthRecord, SubUser } from '@bursar/contract';
import type { Account } from '../../domain/account.ts';
import { startOfDayMs, type UsageDay } from '../../domain/usage.ts';

/** An account as docs/api.md 6.5 shows it. */
export function subUserView(account: Account): SubUser {
	return {
		username: account.username,
		balance: account.balanceCents,
		proxy_authkey: account.proxyAuthkey,
		date_created: new Date(account.createdAtMs).toISOString(),
	};
}

/** A day's usage as docs/api.md 6.6 shows it. */
export function bandwidthView({ day, bytesUp, bytesDown }: UsageDay): BandwidthRecord {
	return { bandwidth: { up: bytesUp, down: bytesDown }, timestamp: new Date(startOfDayMs(day)).toISOString() };
}
