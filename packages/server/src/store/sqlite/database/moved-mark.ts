import { CopyError } from '../../copying/copy-error.ts';
import type { Connection } from './connection.ts';

/** Marks a store that was copied to another engine and must not be served any more. */
export interface MovedMark {
	/** ISO 8601. */
	readonly movedAt: string;
	/** Host and database. */
	readonly movedTo: string;
}

export function readMovedMark(connection: Connection): MovedMark | undefined {
	const read = connection.prepare<[string]>('SELECT value FROM meta WHERE name = ?').pluck();
	const movedAt = read.get('moved_at') as string | undefined;
	if (movedAt === undefined) return undefined;
	return { movedAt, movedTo: String(read.get('moved_to')) };
}

/** Throws `CopyError` if the store was moved. */
export function assertNotMoved(connection: Connection, dataDir: string): void {
	const mark = readMovedMark(connection);
	if (!mark) return;
	throw new CopyError(
		'store_moved',
		`the store in ${dataDir} was moved to the database ${mark.movedTo} at ${mark.movedAt}: serve that one. To use this one again, as it was at that time: bursar store reopen ${dataDir}`,
	);
}

export function writeMovedMark(connection: Connection, { movedAt, movedTo }: MovedMark): void {
	connection.prepare("INSERT INTO meta (name, value) VALUES ('moved_at', ?), ('moved_to', ?)").run(movedAt, movedTo);
}

export function removeMovedMark(connection: Connection): void {
	connection.prepare("DELETE FROM meta WHERE name IN ('moved_at', 'moved_to')").run();
}
