import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BatchAnswer } from '../../store.ts';
import { beginWriting } from '../database/beginning.ts';
import type { Connections, Lease } from '../database/connections.ts';
import { faultKind, PostgresError } from '../database/faults.ts';
import { LIMITS } from '../database/limits.ts';
import type { Statement } from '../rows.ts';

/**
 * Each writer has a row of its own, and each of its transactions writes its number there. If the answer to COMMIT is
 * lost, the row tells whether it committed. The row is locked until that is decided.
 *
 * The id of the transaction is no substitute: after a crash or a failover, lost ids are used again, and
 * `pg_xact_status` would report the outcome of another transaction (docs/decisions/0014-commit-marks.md).
 */
export interface CommitMark {
	readonly writer: string;
	/** The number of the latest transaction. */
	readonly batch: number;
}

export function createCommitMark(): CommitMark {
	return { writer: randomUUID(), batch: 0 };
}

/** The mark of the next transaction. */
export function nextMark({ writer, batch }: CommitMark): CommitMark {
	return { writer, batch: batch + 1 };
}

/** Begins a transaction that writes, and writes its mark. */
export function beginMarked({ writer, batch }: CommitMark, limits: Parameters<typeof beginWriting>[0]): string {
	return [
		beginWriting(limits),
		`INSERT INTO commit_marks (writer, batch, at) VALUES ('${writer}', ${batch}, now())
		 ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, at = excluded.at`,
	].join('; ');
}

export type Ending = Extract<BatchAnswer<never>, { readonly cause: unknown }> | { readonly kind: 'committed' };

/** A statement that was sent with COMMIT failed, so the transaction was rolled back. */
interface RolledBack {
	readonly kind: 'rolled_back';
	readonly cause: unknown;
}

/** The answer to COMMIT proves neither outcome. */
interface Doubt {
	readonly kind: 'doubt';
	readonly cause: unknown;
}

/** How long the end of a transaction may take, in milliseconds. */
export interface CommitLimits {
	/** How long the answer to COMMIT may take before the mark is read instead. */
	readonly commitMs: number;
	/** How long it may take, after COMMIT was sent, until the outcome is known or counts as unknown. */
	readonly endMs: number;
	/** How long a connection stays open whose COMMIT is not answered. */
	readonly abandonMs: number;
}

const ABANDON_MS = 10_000;
const MAX_ABANDON_MS = 600_000;

/**
 * The limits of a batch after this many batches with an unknown outcome. A COMMIT that waits for a standby keeps its
 * session on the server even after we close the connection. So while that lasts, we close fewer and fewer of them.
 */
export function limitsAfter(unknowns: number): CommitLimits {
	const abandonMs = Math.min(ABANDON_MS * 2 ** unknowns, MAX_ABANDON_MS);
	return { commitMs: LIMITS.commitMs, endMs: LIMITS.endMs, abandonMs };
}

const RETRY_MS = 50;

/**
 * Sends the last statements of a transaction together with its COMMIT, once, and finds out the outcome. Ends the lease.
 * `committed` means that the transaction is as durable as the settings of the server ask for. Rejects with the cause if
 * a statement failed: the transaction was then certainly rolled back.
 */
export async function commit(
	lease: Lease,
	mark: CommitMark,
	connections: Connections,
	writes: readonly Statement[] = [],
	{ commitMs, endMs, abandonMs }: CommitLimits = limitsAfter(0),
): Promise<Ending> {
	const giveUpAtMs = performance.now() + endMs;
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
	// The answer to COMMIT may still come meanwhile.
	const proof = reply.then((ending) => (ending.kind === 'doubt' ? new Promise<never>(() => {}) : ending));
	return orThrow(await Promise.race([proof, resolve(mark, first.cause, connections, giveUpAtMs)]));
}

function orThrow(ending: Ending | RolledBack): Ending {
	if (ending.kind === 'rolled_back') throw ending.cause;
	return ending;
}

/** Only the tag COMMIT means that it committed. If there was a warning, the standby may not have it. */
async function sendCommit(lease: Lease, writes: readonly Statement[] = []): Promise<Ending | RolledBack | Doubt> {
	let isWarned = false;
	lease.onWarning = () => {
		isWarned = true;
	};
	// All are sent at once. If a statement fails, so does the transaction, and COMMIT is answered with ROLLBACK.
	const writing = Promise.all(writes.map(({ sql, values }) => lease.query(sql, values)));
	const writingFailed = writing.then(
		() => undefined,
		(cause: unknown) => ({ cause }),
	);
	try {
		const { tag } = await lease.query('COMMIT');
		const failed = await writingFailed;
		// The failed statement was never sent, so the server committed without it.
		if (tag === 'COMMIT' && failed) return { kind: 'outcome_unknown', cause: failed.cause };
		if (tag === 'ROLLBACK' && failed) return { kind: 'rolled_back', cause: failed.cause };
		if (tag !== 'COMMIT') return { kind: 'not_done', cause: new Error(`COMMIT was answered with ${tag}`) };
		if (isWarned) return { kind: 'doubt', cause: new Error('COMMIT was answered with a warning') };
		return { kind: 'committed' };
	} catch (cause) {
		return { kind: 'doubt', cause };
	}
}

/** Asks for the mark until there is an answer or no time is left. */
async function resolve(
	mark: CommitMark,
	cause: unknown,
	connections: Connections,
	giveUpAtMs: number,
): Promise<Ending> {
	for (;;) {
		try {
			const isCommitted = await askForMark(mark, connections, giveUpAtMs);
			return isCommitted ? { kind: 'committed' } : { kind: 'not_done', cause };
		} catch (fault) {
			if (faultKind(fault) === 'busy' || performance.now() + RETRY_MS > giveUpAtMs) {
				return { kind: 'outcome_unknown', cause };
			}
			await delay(RETRY_MS);
		}
	}
}

/**
 * Whether the transaction with this mark has committed. Waits for its lock while it is still running. If the mark is
 * there, one more synchronous commit proves it: a primary that was restarted also shows commits that no standby has.
 */
async function askForMark({ writer, batch }: CommitMark, connections: Connections, giveUpAtMs: number) {
	const lease = await connections.acquire(giveUpAtMs);
	try {
		const lockMs = Math.max(Math.ceil(giveUpAtMs - performance.now()), 1);
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
		// Closing rolls back an open transaction.
		lease.destroy();
	}
}

/**
 * Deletes the marks of writers that have ended, 100 at most. Each batch of bookkeeping does it, so that they do not pile
 * up. A writer that still runs inserts its row again.
 */
export const FORGET_MARKS: Statement = {
	sql: `DELETE FROM commit_marks WHERE writer IN
		(SELECT writer FROM commit_marks WHERE at < now() - interval '7 days' LIMIT 100 FOR UPDATE SKIP LOCKED)`,
	values: [],
};
