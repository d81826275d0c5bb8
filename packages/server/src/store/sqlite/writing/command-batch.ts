import { type BatchNeeds, decideBatch, needsOf } from '../../../commands/batch.ts';
import type { Command, Outcome } from '../../../commands/registry.ts';
import type { AccountBalance } from '../../../domain/account.ts';
import type { TopUp } from '../../../domain/books.ts';
import type { Debt } from '../../../domain/debt.ts';
import type { Transfer } from '../../../domain/ledger.ts';
import type { Due, Price } from '../../../domain/metering.ts';
import type { ActingSession } from '../../../domain/people/person.ts';
import type { ChangeName } from '../../../domain/recorded-change.ts';
import type { TermsChange } from '../../../domain/terms.ts';
import type { Token } from '../../../domain/token.ts';
import type { BatchChanges, LoadedBooks } from '../../../domain/working-books.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import { TERMS_COLUMNS, type TermsRow, termsOf, termsWrites } from '../../tables/accounts/terms.ts';
import { ADD_ACT, actValues } from '../../tables/changes/acts.ts';
import { addingChanges, findingChangeNames, forgettingChanges } from '../../tables/changes/changes.ts';
import { noteWrites } from '../../tables/ledger/movements.ts';
import { noticeWrites } from '../../tables/mail/outbox.ts';
import { CURRENT_PRICES, DUES, IS_DUE, meteringWrites } from '../../tables/meters/meters.ts';
import { ACTING_SESSIONS } from '../../tables/people/person.ts';
import { TOKEN_COLUMNS } from '../../tables/tokens/tokens.ts';
import type { Connection } from '../database/connection.ts';
import { prepareShared } from '../reading/shared-statements.ts';
import { prepareGivenRows, prepareRows } from '../rows.ts';
import type { Transaction } from './transaction.ts';

/** Loads, decides and writes a batch of commands, inside a transaction that already holds the lock. */
export function commandBatch(connection: Connection, seal: KeySeal): Transaction<Command, Outcome> {
	const load = prepareLoad(connection);
	const write = prepareWrite(connection, seal);
	return (commands, nowMs) => {
		const { outcomes, changes, settled, faults } = decideBatch(load(needsOf(commands)), commands, nowMs);
		write(changes);
		return { results: outcomes, faults: [...faults.values()], settled };
	};
}

function prepareLoad(connection: Connection): (needs: BatchNeeds) => LoadedBooks {
	const balance = connection
		.prepare<[string, string], [number, number | null, number, number]>(
			`SELECT balance_cents, suspended_at_ms, debt_cents, debt_line_cents FROM accounts
			 WHERE reseller = ? AND username = ?`,
		)
		.raw();
	const dues = connection.prepare<[string, string], Due>(`${DUES} WHERE reseller = ? AND username = ? AND ${IS_DUE}`);
	const terms = connection.prepare<[string, string], TermsRow>(
		`SELECT ${TERMS_COLUMNS} FROM accounts WHERE reseller = ? AND username = ?`,
	);
	const price = connection.prepare<[string], Price>(`${CURRENT_PRICES} WHERE reseller = ?`);
	const taken = connection.prepare<[string]>('SELECT username FROM usernames WHERE username = ?').pluck();
	const tokens = connection.prepare<[string], Token>(
		`SELECT ${TOKEN_COLUMNS} FROM tokens WHERE reseller = ? ORDER BY hash`,
	);
	const topUp = connection.prepare<[string], TopUp>(
		`SELECT reference, reseller, amount_cents AS amountCents, balance_cents AS balanceCents, request_id AS requestId, reason
		 FROM top_ups WHERE reference = ?`,
	);
	const act = connection.prepare<[string]>('SELECT id FROM acts WHERE id = ?').pluck();
	const session = connection.prepare<[string], ActingSession>(`${ACTING_SESSIONS} WHERE sessions.id = ?`);

	const { find } = prepareGivenRows(connection);

	function loadAccounts(names: BatchNeeds['accounts']): Pick<LoadedBooks, 'accounts' | 'debts' | 'suspendedResellers'> {
		const accounts: AccountBalance[] = [];
		const debts: Debt[] = [];
		const suspendedResellers: string[] = [];
		for (const { reseller, username } of names) {
			const found = balance.get(reseller, username);
			if (found === undefined) continue;
			const [balanceCents, suspendedAtMs, cents, lineCents] = found;
			accounts.push({ reseller, username, balanceCents });
			if (username !== reseller) continue;
			debts.push({ reseller, cents, lineCents });
			if (suspendedAtMs !== null) suspendedResellers.push(reseller);
		}
		return { accounts, debts, suspendedResellers };
	}

	function loadTerms(names: BatchNeeds['changedTerms']): TermsChange[] {
		return names.flatMap(({ reseller, username }) => {
			const row = terms.get(reseller, username);
			return row ? [{ reseller, username, terms: termsOf(row) }] : [];
		});
	}

	return (needs) => ({
		...loadAccounts(needs.accounts),
		terms: loadTerms(needs.changedTerms),
		dues: needs.accounts.flatMap(({ reseller, username }) => dues.all(reseller, username)),
		prices: needs.pricedResellers.flatMap((reseller) => price.get(reseller) ?? []),
		takenUsernames: needs.usernames.filter((username) => taken.get(username) !== undefined),
		tokens: needs.tokenHolders.flatMap((reseller) => tokens.all(reseller)),
		topUps: needs.references.flatMap((reference) => topUp.get(reference) ?? []),
		recordedActs: needs.acts.filter((id) => act.get(id) !== undefined),
		recordedChanges:
			needs.changes.length === 0 ? [] : (find(findingChangeNames(needs.changes)) as readonly ChangeName[]),
		sessions: needs.sessions.flatMap((id) => session.get(id) ?? []),
	});
}

function prepareWrite(connection: Connection, seal: KeySeal): (changes: BatchChanges) => void {
	const takeUsername = connection.prepare('INSERT INTO usernames (username, reseller) VALUES (?, ?)');
	const openAccount = connection.prepare(
		'INSERT INTO accounts (reseller, username, balance_cents, sealed_auth_key, created_at_ms) VALUES (?, ?, ?, ?, ?)',
	);
	const setBalance = connection.prepare('UPDATE accounts SET balance_cents = ? WHERE reseller = ? AND username = ?');
	const setAuthKey = connection.prepare('UPDATE accounts SET sealed_auth_key = ? WHERE reseller = ? AND username = ?');
	// FAIL is cheaper than ABORT, which copies pages for each statement. If a statement fails, the whole transaction is
	// rolled back anyway.
	const addTransfers = prepareRows(
		connection,
		TRANSFER_COLUMNS.length,
		(rows) => `INSERT OR FAIL INTO transfers (${TRANSFER_COLUMNS.join(', ')}) VALUES ${rows}`,
	);
	// If another reseller has the hash, this changes no row, and `assertOneRow` throws.
	const setToken = connection.prepare(
		`INSERT INTO tokens (hash, reseller, tail, made_at_ms, made_by, expires_at_ms) VALUES (?, ?, ?, ?, ?, ?)
		 ON CONFLICT (hash) DO UPDATE SET expires_at_ms = excluded.expires_at_ms WHERE reseller = excluded.reseller`,
	);
	const endOtherTokens = connection.prepare(
		'DELETE FROM tokens WHERE reseller = ? AND hash NOT IN (SELECT value FROM json_each(?))',
	);
	const raiseVersion = connection.prepare("UPDATE meta SET value = value + 1 WHERE name = 'credentials_version'");
	const addTopUp = connection.prepare(
		`INSERT INTO top_ups (reference, reseller, amount_cents, balance_cents, request_id, reason)
		 VALUES (?, ?, ?, ?, ?, ?)`,
	);
	const { write } = prepareShared(connection);
	const { insert } = prepareGivenRows(connection);

	return (changes) => {
		for (const account of changes.openedAccounts) {
			const { reseller, username, balanceCents, createdAtMs } = account;
			takeUsername.run(username, reseller);
			openAccount.run(reseller, username, balanceCents, seal.seal(account.proxyAuthkey, username), createdAtMs);
		}
		for (const { reseller, username, balanceCents } of changes.changedBalances) {
			assertOneRow(setBalance.run(balanceCents, reseller, username));
		}
		for (const { reseller, username, proxyAuthkey } of changes.changedAuthKeys) {
			assertOneRow(setAuthKey.run(seal.seal(proxyAuthkey, username), reseller, username));
		}
		addTransfers.run(changes.transfers.length, (index, values) => {
			addTransferValues(changes.transfers[index] as Transfer, values);
		});
		for (const [reseller, tokens] of changes.tokens) {
			for (const { hash, tail, madeAtMs, madeBy, expiresAtMs } of tokens) {
				assertOneRow(setToken.run(hash, reseller, tail, madeAtMs, madeBy, expiresAtMs));
			}
			endOtherTokens.run(reseller, JSON.stringify(tokens.map(({ hash }) => hash)));
		}
		if (changes.tokens.size > 0) assertOneRow(raiseVersion.run());
		for (const { reference, reseller, amountCents, balanceCents, requestId, reason } of changes.topUps) {
			addTopUp.run(reference, reseller, amountCents, balanceCents, requestId, reason);
		}
		for (const act of changes.acts) write({ sql: ADD_ACT, values: actValues(act) });
		const [first, ...others] = changes.recordedChanges;
		if (first) {
			insert(addingChanges([first, ...others]));
			write(forgettingChanges([first, ...others]));
		}
		for (const statement of noteWrites(changes)) write(statement);
		for (const statement of meteringWrites(changes)) write(statement);
		for (const statement of termsWrites(changes)) write(statement);
		for (const statement of noticeWrites(changes.notices)) write(statement);
	};
}

const TRANSFER_COLUMNS = [
	...['reseller', 'debit', 'credit', 'amount_cents', 'kind', 'at_ms', 'request_id'],
	...['debit_balance_cents', 'credit_balance_cents', 'token_tail', 'address', 'wanted_username'],
];

function addTransferValues(transfer: Transfer, values: unknown[]): void {
	const { reseller, debit, credit, amountCents, kind, atMs, requestId } = transfer;
	const { debitBalanceCents, creditBalanceCents, program, aboutUsername } = transfer;
	values.push(reseller, debit, credit, amountCents, kind, atMs, requestId, debitBalanceCents, creditBalanceCents);
	values.push(program?.tokenTail ?? null, program?.address ?? null, aboutUsername ?? null);
}

function assertOneRow({ changes }: { changes: number }): void {
	if (changes !== 1) throw new Error(`one row had to change, but ${changes} did`);
}
