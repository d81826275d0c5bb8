import { type BatchNeeds, decideBatch, needsOf } from '../../../commands/batch.ts';
import { refuse } from '../../../commands/command.ts';
import type { Command, Outcome } from '../../../commands/registry.ts';
import type { SettledUsage } from '../../../domain/metering.ts';
import type { LoadedBooks } from '../../../domain/stored-books.ts';
import { loadOthers, tellingWrites } from '../../account-batch.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { type AccountName, accountNames } from '../../tables/accounts/account.ts';
import { findingJudged, tellingsOf } from '../../tables/events/judged.ts';
import type { Query } from '../database/connections.ts';
import { faultKind } from '../database/faults.ts';
import { LIMITS } from '../database/limits.ts';
import { findingPairs } from '../reading.ts';
import { readAll, statementOf, unnested } from '../rows.ts';
import { findChanges, lockAccounts } from './batch-functions.ts';
import { writesOf } from './command-writes.ts';
import type { Transaction } from './transaction.ts';

/** Loads and decides a batch of commands of any size in one round trip. */
export function commandBatch(seal: KeySeal, masterKeyCheck: string): Transaction<Command, Outcome> {
	return async (query, commands, nowMs) => {
		const loaded = await load(query, needsOf(commands));
		const { outcomes, changes, settled, faults } = decideBatch(loaded, commands, nowMs);
		const writes = writesOf(changes, seal, masterKeyCheck);
		const work = { results: outcomes, faults: [...faults.values()], settled };
		const { toJudge } = changes;
		if (toJudge.length === 0) {
			writes.push(...tellingWrites(changes, []).map(statementOf));
			return { ...work, writes, mustCommit: writes.length > 0 || outcomes.some(({ ok }) => ok) };
		}
		// One more round trip: what is told of an account depends on what was written.
		const written = writes.map((write) => query(write.sql, write.values));
		const [rows] = await Promise.all([readAll(query, findingJudged(findingPairs, toJudge, nowMs)), ...written]);
		const tellings = tellingsOf(toJudge, rows, nowMs);
		return { ...work, writes: tellingWrites(changes, tellings).map(statementOf), mustCommit: true };
	};
}

/**
 * For a batch that waited too long for a lock. Leaves out the commands that need an account which another transaction
 * holds, and does not wait for any lock.
 */
export function skippingHeld(transaction: Transaction<Command, Outcome>): Transaction<Command, Outcome> {
	return async (query, commands, nowMs) => {
		const held = await heldIndexes(query, commands);
		const work = await transaction(
			query,
			commands.filter((_, index) => !held.has(index)),
			nowMs,
		);
		const results = work.results.values();
		return {
			...work,
			results: commands.map((_, index) => (held.has(index) ? NOT_RUN : (results.next().value as Outcome))),
			held,
		};
	};
}

const NOT_RUN = refuse('not_done');

/**
 * For a batch in which something cannot be written. Each command has its own savepoint, so that only the faulty command
 * fails. It is still one transaction with one commit.
 */
export function oneByOne(transaction: Transaction<Command, Outcome>): Transaction<Command, Outcome> {
	return async (query, commands, nowMs) => {
		const held = await heldIndexes(query, commands);
		const results: Outcome[] = [];
		const faults: unknown[] = [];
		const settled: SettledUsage[] = [];
		let mustCommit = false;
		// After one command has waited for a name, further commands with that name do not wait again.
		const heldNames = new Set<string>();
		for (const [index, command] of commands.entries()) {
			const names = uniqueNames(command);
			if (names.some((name) => heldNames.has(name))) held.add(index);
			if (held.has(index)) {
				results.push(NOT_RUN);
				continue;
			}
			await query('SAVEPOINT command');
			try {
				const alone = await transaction(query, [command], nowMs);
				await Promise.all(alone.writes.map(({ sql, values }) => query(sql, values)));
				results.push(...alone.results);
				faults.push(...alone.faults);
				settled.push(...(alone.settled ?? []));
				mustCommit ||= alone.mustCommit;
			} catch (cause) {
				const kind = faultKind(cause);
				if (kind !== 'batch' && kind !== 'busy') throw cause;
				await query('ROLLBACK TO SAVEPOINT command');
				if (kind === 'busy') {
					for (const name of names) heldNames.add(name);
					held.add(index);
				} else {
					faults.push(cause);
				}
				results.push(kind === 'busy' ? NOT_RUN : refuse('rules_failed'));
			}
			await query('RELEASE SAVEPOINT command');
		}
		return { results, faults, settled, held, writes: [], mustCommit };
	};
}

/** The unique names that the command wants to take. */
function uniqueNames(command: Command): readonly string[] {
	const { usernames, references, acts } = needsOf([command]);
	return [...usernames, ...references, ...acts];
}

/** Locks the accounts that no other transaction holds. Returns the indexes of the commands that need a held account. */
async function heldIndexes(query: Query, commands: readonly Command[]): Promise<Set<number>> {
	const { from, columns, values } = unnested(accountNames(needsOf(commands).accounts));
	const named = `SELECT reseller, username FROM accounts JOIN ${from} USING (${columns})`;
	const [locked, existing] = await Promise.all([
		query<AccountName>(`${named} ORDER BY reseller, username FOR UPDATE OF accounts SKIP LOCKED`, values),
		query<AccountName>(named, values),
	]);
	const held = new Set(existing.rows.map(keyOf)).difference(new Set(locked.rows.map(keyOf)));
	const isHeld = (command: Command) => needsOf([command]).accounts.some((account) => held.has(keyOf(account)));
	return new Set(commands.keys().filter((index) => isHeld(commands[index] as Command)));
}

/** A username cannot contain a slash. */
function keyOf({ reseller, username }: AccountName): string {
	return `${reseller}/${username}`;
}

/**
 * Every command locks the account of its reseller. Separate statements, sent in the same packet, read everything else
 * after the lock: a statement that waits for a lock sees the rest of the database as it was before the wait.
 */
async function load(query: Query, needs: BatchNeeds): Promise<LoadedBooks> {
	const others = loadOthers(needs);
	const [, locked, recordedChanges, rows] = await Promise.all([
		// `lock_timeout` limits each lock. This limits the whole wait, until all of them are held.
		query(`SET LOCAL statement_timeout = ${LIMITS.lockMs}; ${ONE_PLAN}`),
		lockAccounts(query, needs.accounts),
		findChanges(query, needs.changes),
		readAll(query, others.reads),
	]);
	return { ...locked, recordedChanges, ...others.books(rows) };
}

/** Functions have one plan for batches of any size. Otherwise PostgreSQL would plan again for each batch that is smaller. */
const ONE_PLAN = 'SET LOCAL plan_cache_mode = force_generic_plan';
