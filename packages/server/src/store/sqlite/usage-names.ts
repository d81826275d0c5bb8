import { type UsageReport, usageReportKey } from '../../domain/usage.ts';
import type { Connection } from './connection.ts';
import { prepareRows } from './rows.ts';

/**
 * So many reports come in while the whole circle of hashes is gone round once. On average half as many
 * names lie apart.
 */
const TURN = 2 ** 16;
const FIRST_HASH = -(2 ** 31);
const HASHES = 2 ** 32;

const COLUMNS = 'source, report_id AS id, username, at_ms AS atMs, bytes_up AS bytesUp, bytes_down AS bytesDown';

/** The reports under any of these hashes, a JSON array; reports of other names may be among them. */
export const FIND_REPORTS = ['usage_names', 'usage_names_new']
	.map(
		(names) => `SELECT ${COLUMNS} FROM json_each(:hashes) AS wanted
			CROSS JOIN ${names} ON name_hash = wanted.value CROSS JOIN usage_reports USING (number)`,
	)
	.join(' UNION ALL ');

/**
 * The names of the reports that were counted. The ids of reports come in no order, so in one large
 * table every report would change a page of its own, and writing pages is most of what an import costs.
 * New names go into a small table instead, of which a batch changes every page many times; and with
 * each batch the names of one arc of the hashes move to the large table, into neighbouring pages.
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
		/** The reports stand under consecutive numbers from `firstNumber` on. */
		add(reports: readonly UsageReport[], firstNumber: number): void {
			const entries = reports.map((report, place) => [nameHash(report), firstNumber + place] as const);
			addNew(
				entries.sort(([a], [b]) => a - b),
				([hash, number], values) => values.push(hash, number),
			);
			const oldest = oldestNumber.get() as number | null;
			for (const [from, to] of arcs(firstNumber, reports.length)) {
				settle.run(from, to);
				removeNew.run(from, to);
				if (oldest !== null && oldest > 1) removeForgotten.run(from, to, oldest);
			}
		},
	};
}

/** The ranges of hashes whose turn it is: as much of the circle as there are reports. */
function arcs(firstNumber: number, count: number): readonly (readonly [from: number, to: number])[] {
	const hashAt = (place: number) => FIRST_HASH + place * (HASHES / TURN);
	const start = firstNumber % TURN;
	const end = start + Math.min(count, TURN);
	if (end <= TURN) return [[hashAt(start), hashAt(end)]];
	return [
		[hashAt(start), hashAt(TURN)],
		[hashAt(0), hashAt(end - TURN)],
	];
}

/** FNV-1a of a report's name, in 32 bits: whoever finds a report by it compares the names. */
export function nameHash(report: Pick<UsageReport, 'source' | 'id'>): number {
	const name = usageReportKey(report);
	let hash = 0x811c9dc5;
	for (let place = 0; place < name.length; place++) hash = Math.imul(hash ^ name.charCodeAt(place), 0x01000193);
	return hash;
}
