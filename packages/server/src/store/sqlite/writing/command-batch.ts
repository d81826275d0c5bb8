import { type BatchNeeds, decideBatch, needsOf } from '../../../commands/batch.ts';
import type { Command, Outcome } from '../../../commands/registry.ts';
import type { AccountBalance } from '../../../domain/account.ts';
import type { Debt } from '../../../domain/debt.ts';
import type { PostedTransfer } from '../../../domain/ledger.ts';
import type { Due } from '../../../domain/metering.ts';
import type { ChangeName } from '../../../domain/recorded-change.ts';
import type { BatchChanges, LoadedBooks } from '../../../domain/stored-books.ts';
import { loadOthers, otherWrites, tellingWrites } from '../../account-batch.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { type AccountName, openingAccounts } from '../../tables/accounts/account.ts';
import { addingChanges, findingChangeNames, forgettingChanges } from '../../tables/changes/changes.ts';
import { findingJudged, tellingsOf } from '../../tables/events/judged.ts';
import { DUES, IS_DUE } from '../../tables/meters/meters.ts';
import type { Connection } from '../database/connection.ts';
import { findingPairs } from '../reading/pairs.ts';
import { prepareRows, prepareStatements } from '../rows.ts';
import type { Transaction } from './transaction.ts';

/** Loads, decides and writes a batch of commands, inside a transaction that already holds the lock. */
export function commandBatch(connection: Connection, seal: KeySeal): Transaction<Command, Outcome> {
	const load = prepareLoad(connection);
	const write = prepareWrite(connection, seal);
	return (commands, nowMs) => {
		const { outcomes, changes, settled, faults } = decideBatch(load(needsOf(commands)), commands, nowMs);
		write(changes, nowMs);
		return { results: outcomes, faults: [...faults.values()], settled };
	};
}

function prepareLoad(connection: Connection): (needs: BatchNeeds) => LoadedBooks {
	const balance = connection
		.prepare<[string, string], [number, number | null, number, number, number, number, number | null]>(
			`SELECT balance_cents, suspended_at_ms, debt_cents, debt_line_cents, newest_event, newest_movement,
			 told_reason = 'exhausted' FROM accounts
			 WHERE reseller = ? AND username = ?`,
		)
		.raw();
	const dues = connection.prepare<[string, string], Due>(`${DUES} WHERE reseller = ? AND username = ? AND ${IS_DUE}`);
	const anyMeter = connection.prepare<[string]>('SELECT 1 FROM meters WHERE reseller = ? LIMIT 1').pluck();
	const rows = prepareStatements(connection);

	/** A reseller that never had a price has no meters. */
	function loadDues(names: BatchNeeds['accounts']): readonly Due[] {
		const resellers = new Set(names.map(({ reseller }) => reseller));
		const metered = new Set([...resellers].filter((reseller) => anyMeter.get(reseller) !== undefined));
		return names.flatMap(({ reseller, username }) => (metered.has(reseller) ? dues.all(reseller, username) : []));
	}

	function loadAccounts(
		names: BatchNeeds['accounts'],
	): Pick<LoadedBooks, 'accounts' | 'exhausted' | 'debts' | 'newestEvents' | 'newestMovements' | 'suspendedResellers'> {
		const accounts: AccountBalance[] = [];
		const exhausted: AccountName[] = [];
		const debts: Debt[] = [];
		const newestEvents = new Map<string, number>();
		const newestMovements = new Map<string, number>();
		const suspendedResellers: string[] = [];
		for (const { reseller, username } of names) {
			const found = balance.get(reseller, username);
			if (found === undefined) continue;
			const [balanceCents, suspendedAtMs, cents, lineCents, newestEvent, newestMovement, isExhausted] = found;
			accounts.push({ reseller, username, balanceCents });
			if (isExhausted === 1) exhausted.push({ reseller, username });
			if (username !== reseller) continue;
			debts.push({ reseller, cents, lineCents });
			newestEvents.set(reseller, newestEvent);
			newestMovements.set(reseller, newestMovement);
			if (suspendedAtMs !== null) suspendedResellers.push(reseller);
		}
		return { accounts, exhausted, debts, newestEvents, newestMovements, suspendedResellers };
	}

	return (needs) => {
		const others = loadOthers(needs);
		return {
			...loadAccounts(needs.accounts),
			dues: loadDues(needs.accounts),
			recordedChanges:
				needs.changes.length === 0 ? [] : (rows.find(findingChangeNames(needs.changes)) as readonly ChangeName[]),
			...others.books(others.reads.map(rows.read)),
		};
	};
}

function prepareWrite(connection: Connection, seal: KeySeal): (changes: BatchChanges, nowMs: number) => void {
	const setBalance = connection.prepare(
		'UPDATE accounts SET balance_cents = ?, newest_movement = ? WHERE reseller = ? AND username = ?',
	);
	// FAIL is cheaper than ABORT, which copies pages for each statement. If a statement fails, the whole transaction is
	// rolled back anyway.
	const addTransfers = prepareRows(
		connection,
		TRANSFER_COLUMNS.length,
		(rows) => `INSERT OR FAIL INTO transfers (${TRANSFER_COLUMNS.join(', ')}) VALUES ${rows}`,
	);
	const { write, read } = prepareStatements(connection);

	return (changes, nowMs) => {
		for (const each of openingAccounts(changes.openedAccounts, seal)) write(each);
		for (const { reseller, username, balanceCents, newestMovement } of changes.changedBalances) {
			assertOneRow(setBalance.run(balanceCents, newestMovement, reseller, username));
		}
		addTransfers.run(changes.transfers.length, (index, values) => {
			addTransferValues(changes.transfers[index] as PostedTransfer, values);
		});
		const [first, ...others] = changes.recordedChanges;
		if (first) {
			write(addingChanges([first, ...others]));
			write(forgettingChanges([first, ...others]));
		}
		for (const each of otherWrites(changes, seal)) write(each);
		const { toJudge } = changes;
		const judging = toJudge.length === 0 ? [] : findingJudged(findingPairs, toJudge, nowMs);
		const tellings = toJudge.length === 0 ? [] : tellingsOf(toJudge, judging.map(read), nowMs);
		for (const each of tellingWrites(changes, tellings)) write(each);
	};
}

const TRANSFER_COLUMNS = [
	...['reseller', 'debit', 'credit', 'amount_cents', 'kind', 'at_ms', 'request_id'],
	...['debit_balance_cents', 'credit_balance_cents', 'token_tail', 'address', 'wanted_username'],
	...['counted', 'change_id', 'reference'],
];

function addTransferValues({ id, changeId, transfer }: PostedTransfer, values: unknown[]): void {
	const { reseller, debit, credit, amountCents, kind, atMs, requestId } = transfer;
	const { debitBalanceCents, creditBalanceCents, program, aboutUsername, reference } = transfer;
	values.push(reseller, debit, credit, amountCents, kind, atMs, requestId, debitBalanceCents, creditBalanceCents);
	values.push(program?.tokenTail ?? null, program?.address ?? null, aboutUsername ?? null);
	values.push(id, changeId, reference ?? null);
}

function assertOneRow({ changes }: { changes: number }): void {
	if (changes !== 1) throw new Error(`one row had to change, but ${changes} did`);
}
