import { usd } from '@bursar/contract/usd';
import { pairStateOf } from '../../../domain/pair-state.ts';
import type { Limits } from '../../../domain/terms.ts';
import { filesOf } from '../../../store/reading.ts';
import { usableView, usedBytesView } from '../../sub-user-limits.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { type CsvFile, ROWS_ON_A_FILE_PAGE } from '../files/csv-files.ts';
import { dayOf, type TimeColumns, timeColumns } from '../files/csv-values.ts';
import { lastDays } from './sub-user-page.ts';

interface Asked {
	readonly reseller: string;
	readonly zone: string;
}

/** All sub-users of a reseller. One that is deleted meanwhile may be missing. */
export function subUsersFile(
	{ store, nowMs }: Pick<DashboardDependencies, 'store' | 'nowMs'>,
	{ reseller, zone }: Asked,
): CsvFile {
	const [created, expires] = [timeColumns('created', zone), timeColumns('expires', zone)];
	const span = lastDays(nowMs());
	const owner = filesOf(reseller);
	let after: string | undefined = '';

	async function readNext() {
		if (after === undefined) return undefined;
		const rows = await store.listSubUsersWithUsage({ reseller, ...span, after, limit: ROWS_ON_A_FILE_PAGE });
		after = rows.length < ROWS_ON_A_FILE_PAGE ? undefined : rows.at(-1)?.username;
		const usernames = rows.map(({ username }) => username);
		const atMs = nowMs();
		const [pairs, used] = await Promise.all([
			store.readPairBounds({ reseller, usernames, atMs, owner }),
			store.readUsed({ reseller, usernames, atMs, owner }),
		]);
		return rows.flatMap(({ username, balanceCents, bytesUp, bytesDown, createdAtMs, terms }) => {
			const pair = pairs.get(username);
			if (!pair) return [];
			const { usable, reason } = usableView(pair, atMs);
			const { day_bytes, month_bytes, total_bytes } = usedBytesView(used.get(username));
			return [
				[
					...[username, usd(balanceCents), bytesUp, bytesDown, ...created.values(createdAtMs)],
					...[pairStateOf(pair, atMs), String(usable), reason ?? '', day_bytes, month_bytes, total_bytes],
					...limitValues(terms.limits, expires),
					terms.note,
				],
			];
		});
	}
	const columns = [
		...['name', 'balance (USD)', 'up in 30 days (bytes)', 'down in 30 days (bytes)', ...created.names],
		...['state', 'usable', 'reason'],
		...['used of UTC day (bytes)', 'used of UTC month (bytes)', 'used in total (bytes)'],
		...['limit of UTC day (bytes)', 'limit of UTC month (bytes)', 'limit in total (bytes)'],
		...['limit of connections', 'limit of speed (bytes a second)', 'allowed addresses', ...expires.names, 'note'],
	];
	return { name: `sub-users-${reseller}-${dayOf(nowMs())}`, columns, readNext };
}

/** Empty: no such limit. */
function limitValues(limits: Limits, expires: TimeColumns): (string | number)[] {
	const { dayBytes, monthBytes, totalBytes, connections, bytesPerSecond, allowedIps, expiresAtMs } = limits;
	const ends = expiresAtMs === null ? expires.names.map(() => '') : expires.values(expiresAtMs);
	const counts = [dayBytes, monthBytes, totalBytes, connections, bytesPerSecond].map((limit) => limit ?? '');
	return [...counts, allowedIps?.join(' ') ?? '', ...ends];
}
