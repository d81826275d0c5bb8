import type { Account } from '../../../domain/account.ts';
import type { TopUp } from '../../../domain/books.ts';
import type { Token } from '../../../domain/token.ts';
import type { BatchChanges } from '../../../domain/working-books.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { Columns } from '../../statement.ts';
import { termsWrites } from '../../tables/accounts/terms.ts';
import { ACTS } from '../../tables/changes/acts.ts';
import { noteWrites } from '../../tables/ledger/movements.ts';
import { noticeWrites } from '../../tables/mail/outbox.ts';
import { meteringWrites } from '../../tables/meters/meters.ts';
import { checked, exactly, insertInto, type Statement, writing } from '../rows.ts';
import { writingChanges, writingTransfers } from './batch-functions.ts';

/**
 * The statements that write the changes of a batch of commands. If another process has taken a name or a reference
 * meanwhile, a unique key fails, and the transaction is run again.
 */
export function writesOf(changes: BatchChanges, seal: KeySeal, masterKeyCheck: string): readonly Statement[] {
	const { changedBalances, changedAuthKeys, transfers, topUps, acts } = changes;
	const opened = changes.openedAccounts.toSorted(byUsername);
	const statements = [
		writing(opened, USERNAMES, insertInto('usernames')),
		writing(opened, accountsWith(seal), insertInto('accounts')),
		writingTransfers(changedBalances, transfers),
		writingAuthKeys(changedAuthKeys, seal),
		writing(topUps.toSorted(byReference), TOP_UPS, insertInto('top_ups')),
		writing(acts, ACTS, insertInto('acts')),
		writingChanges(changes.recordedChanges),
		...writingTokens(changes.tokens),
		...noteWrites(changes).map(checked),
		...meteringWrites(changes).map(checked),
		...termsWrites(changes).map(checked),
		...noticeWrites(changes.notices).map(checked),
		// A process that has not noticed a change of the master key must not seal with the previous one.
		opened.length > 0 || changedAuthKeys.length > 0 ? { sql: ASSERT_MASTER_KEY, values: [masterKeyCheck] } : undefined,
	];
	return statements.filter((statement) => statement !== undefined);
}

const ASSERT_MASTER_KEY = "SELECT 1 / (count(*) = 1)::integer FROM meta WHERE name = 'master_key_check' AND value = $1";

const USERNAMES: Columns<Account> = {
	username: ['text', ({ username }) => username],
	reseller: ['text', ({ reseller }) => reseller],
};

function accountsWith(seal: KeySeal): Columns<Account> {
	return {
		reseller: ['text', ({ reseller }) => reseller],
		username: ['text', ({ username }) => username],
		balance_cents: ['bigint', ({ balanceCents }) => balanceCents],
		sealed_auth_key: ['text', ({ proxyAuthkey, username }) => seal.seal(proxyAuthkey, username)],
		created_at_ms: ['bigint', ({ createdAtMs }) => createdAtMs],
	};
}

function writingAuthKeys(changed: BatchChanges['changedAuthKeys'], seal: KeySeal): Statement | undefined {
	return writing(
		changed,
		{
			reseller: ['text', ({ reseller }) => reseller],
			username: ['text', ({ username }) => username],
			sealed_auth_key: ['text', ({ proxyAuthkey, username }) => seal.seal(proxyAuthkey, username)],
		},
		({ from }) =>
			exactly(
				changed.length,
				`UPDATE accounts SET sealed_auth_key = given.sealed_auth_key FROM ${from}
				 WHERE accounts.reseller = given.reseller AND accounts.username = given.username`,
			),
	);
}

const TOP_UPS: Columns<TopUp> = {
	reference: ['text', ({ reference }) => reference],
	reseller: ['text', ({ reseller }) => reseller],
	amount_cents: ['bigint', ({ amountCents }) => amountCents],
	balance_cents: ['bigint', ({ balanceCents }) => balanceCents],
	request_id: ['text', ({ requestId }) => requestId],
	reason: ['text', ({ reason }) => reason],
};

/** Replaces the tokens of each reseller in the map. */
function writingTokens(tokensOf: BatchChanges['tokens']): readonly (Statement | undefined)[] {
	if (tokensOf.size === 0) return [];
	const tokens = [...tokensOf.values()].flat();
	return [
		// Inserted before other tokens are deleted: a hash that another reseller had when the batch began is not free.
		writing(tokens, TOKENS, (given) =>
			exactly(
				tokens.length,
				`${insertInto('tokens')(given)} ON CONFLICT (hash) DO UPDATE SET expires_at_ms = excluded.expires_at_ms
				 WHERE tokens.reseller = excluded.reseller`,
			),
		),
		{
			sql: 'DELETE FROM tokens WHERE reseller = ANY($1) AND hash <> ALL($2)',
			values: [[...tokensOf.keys()], tokens.map(({ hash }) => hash)],
		},
		{ sql: exactly(1, RAISE_CREDENTIALS_VERSION), values: [] },
	];
}

const RAISE_CREDENTIALS_VERSION = "UPDATE meta SET value = value::bigint + 1 WHERE name = 'credentials_version'";

const TOKENS: Columns<Token> = {
	hash: ['text', ({ hash }) => hash],
	reseller: ['text', ({ reseller }) => reseller],
	tail: ['text', ({ tail }) => tail],
	made_at_ms: ['bigint', ({ madeAtMs }) => madeAtMs],
	made_by: ['text', ({ madeBy }) => madeBy],
	expires_at_ms: ['bigint', ({ expiresAtMs }) => expiresAtMs],
};

function byUsername(a: Account, b: Account): number {
	return a.username < b.username ? -1 : 1;
}

function byReference(a: TopUp, b: TopUp): number {
	return a.reference < b.reference ? -1 : 1;
}
