import type { Bandwidth } from '@bursar/contract/dashboard';
import { usd } from '@bursar/contract/usd';
import type { AskedBandwidth } from '../../bandwidth/sums.ts';
import type { CsvFile } from '../files/csv-files.ts';
import { dayOf, timeColumns } from '../files/csv-values.ts';

/** A line for each hour or UTC day. The file has a step of its own to read them, so that it counts as a file meanwhile. */
export function bandwidthFile(
	{ reseller, username, edge, spans }: AskedBandwidth,
	zone: string,
	nowMs: number,
	read: () => Promise<Bandwidth>,
): CsvFile {
	const isHours = spans.unit === 'hour';
	const hasCost = !isHours && edge === undefined;
	const hours = timeColumns('hour', zone);
	let isRead = false;
	return {
		name: `bandwidth-${username ?? reseller}-${dayOf(nowMs)}`,
		columns: [
			...(isHours ? hours.names : ['day (UTC)']),
			'up (bytes)',
			'down (bytes)',
			...(hasCost ? ['cost (USD)'] : []),
		],
		async readNext() {
			if (isRead) return undefined;
			const bandwidth = await read();
			isRead = true;
			return bandwidth.spans.map(({ at, up, down, cost }) => {
				const ms = Date.parse(at);
				const times = isHours ? hours.values(ms) : [dayOf(ms)];
				return [...times, up, down, ...(hasCost ? [usd(cost ?? 0)] : [])];
			});
		},
	};
}
