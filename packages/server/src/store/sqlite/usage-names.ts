import { type UsageReport, usageReportKey } from '../../domain/usage.ts';
import type { Connection } from './connection.ts';
import { prepareRows } from './rows.ts';

/** After this many reports, every hash has had its turn. On average the small table has half as many names. */
const TURN = 2 ** 16;
const FIRST_HASH = -(2 ** 31);
const HASHES = 2 ** 32;

const COLUMNS = 'source, report_id AS id, username, at_ms AS atMs, bytes_up AS bytesUp, bytes_down AS bytesDown';

/** Finds the reports under these hashes (a JSON array). Some of them may have other names. */
export const FIND_REPORTS = ['usage_names', 'usage_names_new']
	.map(
		(names) => `SELECT ${COLUMNS} FROM json_each(:hashes) AS wanted
			CROSS JOIN ${names} ON name_hash = wanted.value CROSS JOIN usage_reports USING (number)`,
	)
	.join(' UNION ALL ');

/**
 * The names of the counted reports. Report ids come in no order. In one large table every report would change a
 * different page, and writing pages is most of the cost of an import. So new names go into a small table, where a batch
 * shares its pages. Each batch then moves the names in one range of hashes to neighbouring pages of the large table.
 */
export function usageNames(connection: Connection) {
	const addNew = prepareRows(connection, 'INSERT OR IGNORE INTO usage_names_new (name_hash, number) VALUES', 2);
	const settle = connection.prepare<[number, number]>(
		'INSERT OR IGNORE INTO usage_names SELECT * FROM usage_names_new WHERE name_hash >= ? AND name_hash < ?',
	);
	const removeNew = connection.prepare<[number, number]>(
		'DELETE FROM usage_names_new WHERE name_hash >= ? AND name_hash < ?',
	);
	const oldestNumber = connection.prepare('SELECT MIN(number) FROM usage_reports').pluck();
	const removeForgotten = connection.prepare<[number, number, number]>(
		'DELETE FROM usage_names WHERE name_hash >= ? AND name_hash < ? AND number < ?',
	);

	return {
		/** The reports have consecutive numbers, starting with `firstNumber`. */
		add(reports: readonly UsageReport[], firstNumber: number): void {
			const entries = reports.map((report, place) => [nameHash(report), firstNumber + place] as const);
			addNew(
				entries.sort(([a], [b]) => a - b),
				([hash, number], values) => values.push(hash, number),
			);
			const oldest = oldestNumber.get() as number | null;
			for (const [from, to] of rangesDue(firstNumber, reports.length)) {
				settle.run(from, to);
				removeNew.run(from, to);
				if (oldest !== null && oldest > 1) removeForgotten.run(from, to, oldest);
			}
		},
	};
}

/** The ranges of hashes whose turn it is. Together they are proportional to the number of reports. */
function rangesDue(firstNumber: number, count: number): readonly (readonly [from: number, to: number])[] {
	const hashAt = (place: number) => FIRST_HASH + place * (HASHES / TURN);
	const start = firstNumber % TURN;
	const end = start + Math.min(count, TURN);
	if (end <= TURN) return [[hashAt(start), hashAt(end)]];
	return [
		[hashAt(start), hashAt(TURN)],
		[hashAt(0), hashAt(end - TURN)],
	];
}

/** FNV-1a of a report's name, in 32 bits. Other names can have the same hash, so compare the names too. */
export function nameHash(report: Pick<UsageReport, 'source' | 'id'>): number {
	const name = usageReportKey(report);
	let hash = 0x811c9dc5;
	for (let place = 0; place < name.length; place++) hash = Math.imul(hash ^ name.charCodeAt(place), 0x01000193);
	return hash;
}
