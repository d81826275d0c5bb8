import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BatchAnswer } from '../store.ts';
import { beginWriting } from './beginning.ts';
import type { Connections, Lease } from './connections.ts';
import { faultKind, PostgresError } from './faults.ts';
import { LIMITS } from './limits.ts';
import type { Statement } from './rows.ts';

/**
 * A row of its own for each writer, in which every transaction leaves its number. It tells what became
 * of a COMMIT whose answer was lost, and holds a lock for as long as that is not decided.
 *
 * The id of the transaction would not do: what a crash or a failover takes away gives its ids to others,
 * and `pg_xact_status` would report their outcome (docs/decisions/0014-commit-marks.md).
 */
export interface CommitMark {
	readonly writer: string;
	/** Of the latest transaction. */
	readonly batch: number;
}

export function createCommitMark(): CommitMark {
	return { writer: randomUUID(), batch: 0 };
}

/** The mark for the transaction after that one. */
export function nextMark({ writer, batch }: CommitMark): CommitMark {
	return { writer, batch: batch + 1 };
}

/** Begins a transaction that writes, and leaves the mark in it. */
export function beginMarked({ writer, batch }: CommitMark, limits: Parameters<typeof beginWriting>[0]): string {
	return [
		beginWriting(limits),
		`INSERT INTO commit_marks (writer, batch, at) VALUES ('${writer}', ${batch}, now())
		 ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, at = excluded.at`,
	].join('; ');
}

export type Ending = Extract<BatchAnswer<never>, { readonly cause: unknown }> | { readonly kind: 'committed' };

/** A statement that was sent with COMMIT failed, and with it the transaction: it was rolled back. */
interface RolledBack {
	readonly kind: 'rolled_back';
	readonly cause: unknown;
}

/** The answer to COMMIT is no proof, of either outcome. */
interface Doubt {
	readonly kind: 'doubt';
	readonly cause: unknown;
}

/** How long the end of a transaction may take, in milliseconds. */
export interface CommitLimits {
	/** COMMIT is not answered before it is asked about in another way. */
	readonly commitMs: number;
	/** From sending COMMIT until its outcome is known, or given up. */
	readonly endMs: number;
	/** A connection whose COMMIT was not answered is left to it. */
	readonly abandonMs: number;
}

const ABANDON_MS = 10_000;
const MAX_ABANDON_MS = 600_000;

/**
 * For a batch behind so many whose outcome nobody learned. A COMMIT that waits for a standby keeps its place on the
 * server also where we let go of it, so while that lasts, we let go of fewer and fewer.
 */
export function limitsAfter(unknowns: number): CommitLimits {
	const abandonMs = Math.min(ABANDON_MS * 2 ** unknowns, MAX_ABANDON_MS);
	return { commitMs: LIMITS.commitMs, endMs: LIMITS.endMs, abandonMs };
}

const RETRY_MS = 50;

/**
 * Sends the last statements of a transaction together with its COMMIT, once, and finds out what became of
 * it. Ends the lease. `committed` means that the transaction is as durable as the server was told to make
 * any. Rejects with the cause where a statement failed: then it was certainly rolled back.
 */
export async function commit(
	lease: Lease,
	mark: CommitMark,
	connections: Connections,
	writes: readonly Statement[] = [],
	{ commitMs, endMs, abandonMs }: CommitLimits = limitsAfter(0),
): Promise<Ending> {
	const giveUpAt = performance.now() + endMs;
	lease.unlimit();
	const reply = sendCommit(lease, writes);
	const late = Promise.withResolvers<Doubt>();
	const tooLate = setTimeout(
		() => late.resolve({ kind: 'doubt', cause: new Error('COMMIT has not been answered') }),
		commitMs,
	);
	const abandon = setTimeout(() => lease.destroy(), abandonMs);
	abandon.unref();
	void reply.then(({ kind }) => {
		clearTimeout(abandon);
		if (kind === 'doubt') lease.destroy();
		else lease.release();
	});
	const first = await Promise.race([reply, late.promise]);
	clearTimeout(tooLate);
	if (first.kind !== 'doubt') return orThrow(first);
	lease.distrust();
	// Meanwhile the answer may come after all.
	const proof = reply.then((ending) => (ending.kind === 'doubt' ? new Promise<never>(() => {}) : ending));
	return orThrow(await Promise.race([proof, resolve(mark, first.cause, connections, giveUpAt)]));
}

function orThrow(ending: Ending | RolledBack): Ending {
	if (ending.kind === 'rolled_back') throw ending.cause;
	return ending;
}

/** A COMMIT that answers anything else did not commit; one with a warning may not have reached the standby. */
async function sendCommit(lease: Lease, writes: readonly Statement[] = []): Promise<Ending | RolledBack | Doubt> {
	let isWarned = false;
	lease.onWarning = () => {
		isWarned = true;
	};
	// All are sent at once. What fails among them fails the transaction, and COMMIT then answers ROLLBACK.
	const writing = Promise.all(writes.map(({ sql, values }) => lease.query(sql, values)));
	const writingFailed = writing.then(
		() => undefined,
		(cause: unknown) => ({ cause }),
	);
	try {
		const { tag } = await lease.query('COMMIT');
		const failed = await writingFailed;
		// Not sent at all, so that the server knows of no failure.
		if (tag === 'COMMIT' && failed) return { kind: 'outcome_unknown', cause: failed.cause };
		if (tag === 'ROLLBACK' && failed) return { kind: 'rolled_back', cause: failed.cause };
		if (tag !== 'COMMIT') return { kind: 'not_done', cause: new Error(`COMMIT was answered with ${tag}`) };
		if (isWarned) return { kind: 'doubt', cause: new Error('COMMIT was answered with a warning') };
		return { kind: 'committed' };
	} catch (cause) {
		return { kind: 'doubt', cause };
	}
}

/** Asks until there is an answer, or no time is left. */
async function resolve(mark: CommitMark, cause: unknown, connections: Connections, giveUpAt: number): Promise<Ending> {
	for (;;) {
		try {
			const isCommitted = await askForMark(mark, connections, giveUpAt);
			return isCommitted ? { kind: 'committed' } : { kind: 'not_done', cause };
		} catch (fault) {
			if (faultKind(fault) === 'busy' || performance.now() + RETRY_MS > giveUpAt) {
				return { kind: 'outcome_unknown', cause };
			}
			await delay(RETRY_MS);
		}
	}
}

/**
 * Whether the transaction with that mark has committed. Waits for the lock that it holds while it is
 * under way. A yes is proven by one more synchronous write: a primary that was started again also
 * reports what no standby has ever had.
 */
async function askForMark({ writer, batch }: CommitMark, connections: Connections, giveUpAt: number) {
	const lease = await connections.acquire(giveUpAt);
	try {
		const lockMs = Math.max(Math.ceil(giveUpAt - performance.now()), 1);
		const begun = lease.query(beginWriting({ lockMs, idleMs: LIMITS.idleMs }));
		const asked = lease.query<{ batch: number }>(
			`INSERT INTO commit_marks (writer, batch, at) VALUES ($1, 0, now())
			 ON CONFLICT (writer) DO UPDATE SET at = excluded.at RETURNING batch`,
			[writer],
		);
		const [, { rows }] = await Promise.all([begun, asked]);
		if (rows[0]?.batch !== batch) return false;
		const proof = await sendCommit(lease);
		if (proof.kind !== 'committed') throw new PostgresError(proof.cause);
		return true;
	} finally {
		// Whatever is still open in it is rolled back.
		lease.destroy();
	}
}
