/**
 * Turns a read of many into reads of one. All that are asked for in one turn of the event loop, or while
 * as many reads as may be under way `atOnce` are, are read together: in one query, or one transaction,
 * that begins after the last of them was asked for, so that each sees whatever was committed before. An
 * idle service adds no waiting: there is no timer. `finish` makes of what was read what was asked for;
 * where it throws, only that reader fails.
 */
export function gatherReads<Key, Row, Value>(
	readMany: (keys: readonly Key[]) => readonly Row[] | Promise<readonly Row[]>,
	finish: (row: Row) => Value,
	atOnce = 1,
): (key: Key) => Promise<Value> {
	let waiting: Waiting<Key, Value>[] = [];
	let underWay = 0;
	let isScheduled = false;

	function readSoon(): void {
		if (isScheduled || underWay >= atOnce || waiting.length === 0) return;
		isScheduled = true;
		setImmediate(() => {
			isScheduled = false;
			void readAll();
		});
	}

	async function readAll(): Promise<void> {
		const readers = waiting;
		waiting = [];
		underWay++;
		try {
			const rows = await readMany(readers.map(({ key }) => key));
			answer(readers, rows);
		} catch (cause) {
			for (const { reject } of readers) reject(cause);
		} finally {
			underWay--;
			readSoon();
		}
	}

	function answer(readers: readonly Waiting<Key, Value>[], rows: readonly Row[]): void {
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
			waiting.push({ key, resolve, reject });
			readSoon();
		});
}

interface Waiting<Key, Value> {
	readonly key: Key;
	readonly resolve: (value: Value) => void;
	readonly reject: (cause: unknown) => void;
}
