export interface CopiedTable {
	readonly name: TableName;
	readonly columns: Readonly<Record<string, 'text' | 'bigint' | 'integer'>>;
	/** The column with numbers that the store gives to new rows. They go on after the highest copied one. */
	readonly numberedBy?: string;
}
export type TableName =
	| 'usernames'
	| 'accounts'
	| 'transfers'
	| 'top_ups'
	| 'tokens'
	| 'usage_reports'
	| 'usage_days'
	| 'usage_reseller_days'
	| 'people'
	| 'invitations'
	| 'sessions'
	| 'passkeys'
	| 'one_time_codes'
	| 'recovery_codes'
	| 'sign_in_tries'
	| 'used_challenges'
	| 'acts'
	| 'low_balances'
	| 'usage_verdicts'
	| 'verifications'
	| 'edges'
	| 'usage_counters';
export type CopiedRow = readonly unknown[];
export type CopiedCounts = Readonly<Record<TableName, number>>;

export const ACCOUNTS: CopiedTable = {
	name: 'accounts',
	columns: {
		reseller: 'text',
		username: 'text',
		balance_cents: 'bigint',
		sealed_auth_key: 'text',
		created_at_ms: 'bigint',
	},
};

/** All tables of a store, except `meta` and the tables that only one engine needs. */
export const COPIED_TABLES: readonly CopiedTable[] = [
	{ name: 'usernames', columns: { username: 'text', reseller: 'text' } },
	ACCOUNTS,
	{
		name: 'transfers',
		numberedBy: 'id',
		columns: {
			id: 'bigint',
			reseller: 'text',
			debit: 'text',
			credit: 'text',
			amount_cents: 'bigint',
			kind: 'text',
			at_ms: 'bigint',
			request_id: 'text',
			debit_balance_cents: 'bigint',
			credit_balance_cents: 'bigint',
		},
	},
	{
		name: 'top_ups',
		columns: {
			reference: 'text',
			reseller: 'text',
			amount_cents: 'bigint',
			balance_cents: 'bigint',
			request_id: 'text',
			reason: 'text',
		},
	},
	{
		name: 'tokens',
		columns: {
			hash: 'text',
			reseller: 'text',
			tail: 'text',
			made_at_ms: 'bigint',
			made_by: 'text',
			expires_at_ms: 'bigint',
			last_used_at_ms: 'bigint',
		},
	},
	{
		name: 'usage_reports',
		columns: {
			source: 'text',
			report_id: 'text',
			username: 'text',
			at_ms: 'bigint',
			bytes_up: 'bigint',
			bytes_down: 'bigint',
			received_at_ms: 'bigint',
		},
	},
	{
		name: 'usage_days',
		columns: { reseller: 'text', username: 'text', day: 'integer', bytes_up: 'bigint', bytes_down: 'bigint' },
	},
	{
		name: 'usage_reseller_days',
		columns: { reseller: 'text', day: 'integer', bytes_up: 'bigint', bytes_down: 'bigint' },
	},
	{
		name: 'people',
		columns: {
			id: 'text',
			email: 'text',
			reseller: 'text',
			password_hash: 'text',
			created_at_ms: 'bigint',
			locked_at_ms: 'bigint',
		},
	},
	{ name: 'invitations', columns: { person: 'text', hash: 'text', purpose: 'text', expires_at_ms: 'bigint' } },
	{
		name: 'sessions',
		columns: {
			hash: 'text',
			id: 'text',
			person: 'text',
			browser: 'text',
			address: 'text',
			signed_in_at_ms: 'bigint',
			last_seen_at_ms: 'bigint',
			proven_at_ms: 'bigint',
		},
	},
	{
		name: 'passkeys',
		columns: {
			id: 'text',
			person: 'text',
			public_key: 'text',
			counter: 'bigint',
			transports: 'text',
			name: 'text',
			created_at_ms: 'bigint',
			last_used_at_ms: 'bigint',
		},
	},
	{ name: 'one_time_codes', columns: { person: 'text', sealed_secret: 'text', last_step: 'bigint' } },
	{ name: 'recovery_codes', columns: { person: 'text', hash: 'text' } },
	{ name: 'sign_in_tries', columns: { key: 'text', forgiven_at_ms: 'bigint' } },
	{ name: 'used_challenges', columns: { hash: 'text', expires_at_ms: 'bigint' } },
	{
		name: 'acts',
		numberedBy: 'number',
		columns: {
			number: 'bigint',
			id: 'text',
			person: 'text',
			session: 'text',
			address: 'text',
			kind: 'text',
			target: 'text',
			at_ms: 'bigint',
			request_id: 'text',
		},
	},
	{ name: 'low_balances', columns: { reseller: 'text', low_balance_cents: 'bigint' } },
	{ name: 'usage_verdicts', columns: { day: 'integer', verdict: 'text', reports: 'bigint' } },
	{
		name: 'verifications',
		columns: {
			id: 'text',
			started_by: 'text',
			started_at_ms: 'bigint',
			noted_at_ms: 'bigint',
			ended_at_ms: 'bigint',
			done: 'integer',
			steps: 'integer',
			result: 'text',
		},
	},
	{
		name: 'edges',
		columns: {
			name: 'text',
			key_hash: 'text',
			key_tail: 'text',
			created_at_ms: 'bigint',
			revoked_at_ms: 'bigint',
			last_seen_at_ms: 'bigint',
			reported_to_ms: 'bigint',
			checks: 'bigint',
			refusals: 'bigint',
		},
	},
	{
		name: 'usage_counters',
		columns: {
			edge: 'text',
			counter: 'text',
			username: 'text',
			bytes_up: 'bigint',
			bytes_down: 'bigint',
			seen_day: 'integer',
		},
	},
];
