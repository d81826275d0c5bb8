import { createFairQueue } from '../fair-queue.ts';
import type { OwnedRead, Reader, ReadLimit, Rows } from './reading.ts';
import { CallerBusyError, StoreUnavailableError } from './reading.ts';
import { type Columns, givenRows, type SharedStatement } from './statement.ts';

export interface GatherOptions<Key> extends ReadLimit {
	/** The owner of a read. Owners take turns. */
	readonly ownerOf: (key: Key) => string;
	/** Reads with the same name share one row and its value. A read without a name shares nothing. */
	readonly nameOf?: (key: Key) => string | undefined;
	/** The most reads that wait, in total and for each owner. Further reads are refused at once. */
	readonly maxWaiting?: number;
	readonly maxOfOwner?: number;
	/** A read that has waited this long before it starts, in milliseconds, is refused. */
	readonly maxWaitMs?: number;
}

/** @bound Reads of one kind that wait: further ones are answered `unavailable`. */
const MAX_WAITING = 8_192;
/** @bound Reads of one kind and one reseller that wait: further ones of it are answered `unavailable`. */
const MAX_OF_OWNER = 2_048;
/** @bound A read waits before it starts: then it is answered `unavailable`. */
const MAX_WAIT_MS = 1_500;
const EXPIRY_CHECK_MS = 250;

/**
 * Turns a query for many keys into reads of one key each. Reads that are asked for in one turn of the event loop, or
 * while `atOnce` queries run, share one query or transaction. It begins after the last of its reads was asked for, so
 * each read sees everything that was committed before. There is no timer, so an idle service adds no wait. `finish`
 * turns a row into the value of one read. If it throws, only that read fails. If too many reads wait, or if it has waited
 * too long, a read rejects with `StoreUnavailableError`, and with `CallerBusyError` if it waited behind others of its owner.
 *
 * A read of a reseller's own account takes 0.5 us instead of 2.0 (docs/decisions/0042-processor-time.md).
 */
export function gatherReads<Key, Row, Value>(
	readMany: (keys: readonly Key[]) => readonly Row[] | Promise<readonly Row[]>,
	finish: (row: Row) => Value,
	{
		ownerOf,
		nameOf = () => undefined,
		most,
		atOnce = 1,
		maxWaiting = MAX_WAITING,
		maxOfOwner = MAX_OF_OWNER,
		maxWaitMs = MAX_WAIT_MS,
	}: GatherOptions<Key>,
): (key: Key) => Promise<Value> {
	const waiting = createFairQueue<Waiting<Key, Value>>({
		ownerOf: ({ key }) => ownerOf(key),
		maxWaiting,
		maxOfOwner,
	});
	/** When each owner was last taken, while others wait. Owners take turns, so a read behind these waits for its own line. */
	const takenMs = new Map<string, number>();
	let underWay = 0;
	let isScheduled = false;
	let expiryTimer: NodeJS.Timeout | undefined;

	function readSoon(): void {
		// The queries that run may hang. A timer refuses expired reads meanwhile.
		if (underWay >= atOnce && waiting.size > 0) expiryTimer ??= setInterval(refuseExpired, EXPIRY_CHECK_MS).unref();
		if (isScheduled || underWay >= atOnce || waiting.size === 0) return;
		isScheduled = true;
		setImmediate(() => {
			isScheduled = false;
			void readAll();
			readSoon();
		});
	}

	function refuseExpired(): void {
		const oldestAllowedMs = performance.now() - maxWaitMs;
		for (const { key, sinceMs, reject } of waiting.remove(({ sinceMs }) => sinceMs <= oldestAllowedMs)) {
			const isBehindOwn = (takenMs.get(ownerOf(key)) ?? 0) > sinceMs;
			reject(new (isBehindOwn ? CallerBusyError : StoreUnavailableError)('the read has waited too long'));
		}
		for (const [owner, atMs] of takenMs) if (atMs <= oldestAllowedMs) takenMs.delete(owner);
		if (waiting.size > 0) return;
		clearInterval(expiryTimer);
		expiryTimer = undefined;
	}

	async function readAll(): Promise<void> {
		const readers = waiting.take(most);
		if (waiting.size === 0) takenMs.clear();
		else for (const { key } of readers) takenMs.set(ownerOf(key), performance.now());
		underWay++;
		try {
			const groups = grouped(readers, nameOf);
			const rows = await readMany(groups.map(([first]) => (first as Waiting<Key, Value>).key));
			for (const [index, group] of groups.entries()) answer(group, rows[index] as Row);
		} catch (cause) {
			for (const { reject } of readers) reject(cause);
		} finally {
			underWay--;
			readSoon();
		}
	}

	function answer(readers: readonly Waiting<Key, Value>[], row: Row): void {
		try {
			const value = finish(row);
			for (const { resolve } of readers) resolve(value);
		} catch (cause) {
			for (const { reject } of readers) reject(cause);
		}
	}

	return (key) =>
		new Promise((resolve, reject) => {
			if (waiting.add({ key, sinceMs: performance.now(), resolve, reject })) readSoon();
			else if (waiting.size < maxWaiting) reject(new CallerBusyError('too many reads of one owner wait'));
			else reject(new StoreUnavailableError('too many reads wait'));
		});
}

/** The reads that share a row, in the order of the first of each. */
function grouped<Key, Value>(
	readers: readonly Waiting<Key, Value>[],
	nameOf: (key: Key) => string | undefined,
): Waiting<Key, Value>[][] {
	const groups: Waiting<Key, Value>[][] = [];
	const named = new Map<string, Waiting<Key, Value>[]>();
	for (const reader of readers) {
		const name = nameOf(reader.key);
		const known = name === undefined ? undefined : named.get(name);
		if (known) known.push(reader);
		else {
			const group = [reader];
			groups.push(group);
			if (name !== undefined) named.set(name, group);
		}
	}
	return groups;
}

interface Waiting<Key, Value> {
	readonly key: Key;
	readonly sinceMs: number;
	readonly resolve: (value: Value) => void;
	readonly reject: (cause: unknown) => void;
}

/** A read of one statement with the values of a key. */
interface ReadByKey<Key> {
	readonly sql: string;
	/** `$1`, `$2` and so on. */
	readonly columns: Columns<Key>;
}

/** Turns a statement into reads of one key each. `finish` gets the rows of a key. */
export function gatherEach<Key, Row extends object, Value>(
	{ readEach }: Reader,
	{ sql, columns }: ReadByKey<Key>,
	finish: (rows: readonly Row[]) => Value,
	options: GatherOptions<Key>,
): (key: Key) => Promise<Value> {
	return gatherReads(
		(keys: readonly Key[]) => readEach({ sql, given: givenRows(keys, columns) }),
		(rows) => finish(rows as readonly Row[]),
		options,
	);
}

/** Reads of statements. Owners take turns. Unless `limits` say more, one statement is read at a time. */
export function inTurns(
	read: (statement: SharedStatement) => Rows,
	limits: Partial<Omit<GatherOptions<unknown>, 'ownerOf' | 'nameOf'>>,
): OwnedRead {
	return gatherReads(
		(asked: readonly Parameters<OwnedRead>[0][]) => Promise.all(asked.map(({ statement }) => read(statement))),
		(rows) => rows,
		{ ownerOf: ({ owner }) => owner, most: 1, ...limits },
	);
}
