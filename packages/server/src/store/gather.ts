/**
 * Turns a read of many into reads of one. All that are asked for in one turn of the event loop are read
 * together at its end: in one query, or one transaction, that begins after the last of them was asked
 * for, so that each sees whatever was committed before. An idle service adds no waiting: there is no
 * timer. `finish` makes of what was read what was asked for; where it throws, only that reader fails.
 */
export function gatherReads<Key, Row, Value>(
	readMany: (keys: readonly Key[]) => readonly Row[] | Promise<readonly Row[]>,
	finish: (row: Row) => Value,
): (key: Key) => Promise<Value> {
	let waiting: Waiting<Key, Value>[] = [];

	async function readAll(): Promise<void> {
		const readers = waiting;
		waiting = [];
		let rows: readonly Row[];
		try {
			rows = await readMany(readers.map(({ key }) => key));
		} catch (cause) {
			for (const { reject } of readers) reject(cause);
			return;
		}
		for (const [place, { resolve, reject }] of readers.entries()) {
			try {
				resolve(finish(rows[place] as Row));
			} catch (cause) {
				reject(cause);
			}
		}
	}

	return (key) =>
		new Promise((resolve, reject) => {
			if (waiting.push({ key, resolve, reject }) === 1) setImmediate(readAll);
		});
}

interface Waiting<Key, Value> {
	readonly key: Key;
	readonly resolve: (value: Value) => void;
	readonly reject: (cause: unknown) => void;
}
