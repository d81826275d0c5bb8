import { LIMIT_NAMES } from '../../../packages/contract/src/sub-user-terms.ts';

/** How a field is read. What is absent here follows from its schema. */
export interface FieldOf {
	/** Where it stands in the schema, if it has another name or stands in another object: `bandwidth.up`. */
	readonly from?: string;
	readonly kind?: 'any_text' | 'day' | 'error_code';
	/** The name of its list of texts, if that of its schema has no name. */
	readonly list?: string;
	/** What it is if an older service does not tell it, as Python writes it. */
	readonly absent?: 'None' | '()';
	/** Its description, if the schema has none that fits. */
	readonly text?: string;
	readonly isSecret?: true;
}

export interface ModelOf {
	/** A path, like `ListedSubUser.used`. */
	readonly schema: string;
	/** The model that has the first of its fields. */
	readonly base?: string;
	readonly text?: string;
	/** By their names in Python. A text is the field's name in the schema. */
	readonly fields: Readonly<Record<string, string | FieldOf>>;
}

/** Lists of texts that have names, and where they stand. A closed list has no other texts: those of the others may grow. */
export const LISTS: Readonly<
	Record<string, { readonly schema: string; readonly text: string; readonly isClosed?: true }>
> = {
	SubUserState: {
		schema: 'ListedSubUser.state',
		text: 'A suspended sub-user is `suspended`, expired or not.',
		isClosed: true,
	},
	UnusableReason: {
		schema: 'ListedSubUser.reason',
		text: 'Why the proxies refuse a pair: the first reason that holds.',
	},
	RefusalReason: {
		schema: 'SubUserDetails.refusals.reason',
		text: 'Why a proxy host refused a client, as `X-Bursar-Reason` says it.',
	},
	MovementKind: { schema: 'Movement.kind', text: 'What moved money.' },
	WebhookState: { schema: 'Webhook.state', text: 'Whether events are sent.', isClosed: true },
	WebhookReason: { schema: 'Webhook.reason', text: 'Why a webhook is off.' },
	TokenScope: {
		schema: 'FurtherToken.scopes',
		text: 'What a further token may do: `read` what tells no key; `sub_users`, which tells keys and pays fees; `money`, which gives, takes and pays into your balance.',
	},
	PaymentProvider: { schema: 'TopUp.provider', text: 'Where a payment is made.' },
	TopUpState: { schema: 'TopUp.state', text: 'Where a payment stands.' },
	EventType: { schema: 'Webhook.types', text: 'What an event tells.' },
};

/** What a change does, by its kind in the schema. */
export const OPERATIONS: Readonly<Record<string, string>> = {
	create: 'create',
	create_with: 'create_with',
	give_balance: 'give',
	take_balance: 'take',
	reset_auth_key: 'reset_auth_key',
	suspend_sub_user: 'suspend',
	resume_sub_user: 'resume',
	set_limits: 'set_limits',
	set_note: 'set_note',
	set_sign_in_ips: 'set_sign_in_ips',
	delete_sub_user: 'delete',
	create_webhook: 'create_webhook',
	update_webhook: 'update_webhook',
	delete_webhook: 'delete_webhook',
	rotate_webhook_secret: 'rotate_webhook_secret',
	create_token: 'create_token',
	end_token: 'end_token',
	create_top_up: 'create_top_up',
};

const asNamed = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));

const ACCOUNT = {
	username: 'username',
	balance_cents: 'balance',
	proxy_authkey: { isSecret: true },
	date_created: 'date_created',
} as const;
const USED = asNamed('day_bytes', 'month_bytes', 'total_bytes');
const WEBHOOK = asNamed(
	...['id', 'url', 'types', 'state', 'reason', 'position', 'failing_since', 'next_try', 'date_created'],
);
const TOKEN = asNamed(
	...['id', 'name', 'scopes', 'allowed_ips', 'tail', 'made_by', 'expires_at', 'last_used', 'date_created'],
);
const NOTE = { note: { kind: 'any_text' } } as const;

/** The models, each behind those that it has in it. */
export const MODELS: Readonly<Record<string, ModelOf>> = {
	Account: { schema: 'SubUser', fields: ACCOUNT },
	AccountDetails: {
		schema: 'ResellerAccount',
		fields: {
			balance_cents: 'balance',
			debt_cents: 'debt',
			line_cents: 'line',
			price_micro_usd: 'price',
			is_usable: 'usable',
			reason: { list: 'UnusableReason' },
		},
	},
	DailyUsage: {
		schema: 'BandwidthRecord',
		fields: {
			day: { from: 'timestamp', kind: 'day', text: 'The UTC day.' },
			bytes_up: 'bandwidth.up',
			bytes_down: 'bandwidth.down',
		},
	},
	SubUserLimits: {
		schema: 'SubUserLimits',
		fields: {
			...asNamed(...LIMIT_NAMES),
			bytes_per_second: { absent: 'None' },
			expires_at: { text: 'From this time on the pair is refused. It may be in the past. `None`: no limit.' },
		},
	},
	UsedBytes: {
		schema: 'ListedSubUser.used',
		text: 'What a sub-user has used. Bytes are up and down together.',
		fields: USED,
	},
	UsedOfLimits: {
		schema: 'SubUserDetails.used',
		base: 'UsedBytes',
		text: 'How much of its limits a sub-user has used.',
		fields: { ...USED, connections: 'connections' },
	},
	ProxyRefusal: {
		schema: 'SubUserDetails.last_refusal',
		text: 'A proxy host refused a client that named the sub-user, or cut it off.',
		fields: { refused_at: 'at', ...asNamed('edge', 'reason', 'network') },
	},
	CountedRefusals: {
		schema: 'SubUserDetails.refusals',
		text: 'How many clients proxy hosts refused for a reason.',
		fields: asNamed('reason', 'count'),
	},
	SubUserDetails: {
		schema: 'SubUserDetails',
		fields: {
			...asNamed('username', 'state'),
			is_usable: 'usable',
			...asNamed('reason', 'limits', 'used'),
			sign_in_ips: { absent: '()' },
			...NOTE,
			last_seen: { text: 'When it last used bandwidth, UTC; `None` if it never did.' },
			...asNamed('last_refusal', 'refusals'),
		},
	},
	ListedSubUser: {
		schema: 'ListedSubUser',
		base: 'Account',
		text: 'A sub-user of a list.',
		fields: { ...ACCOUNT, state: 'state', is_usable: 'usable', reason: 'reason', used: 'used' },
	},
	Movement: {
		schema: 'Movement',
		fields: {
			...asNamed('id', 'kind', 'username'),
			amount_cents: 'amount',
			balance_cents: 'balance',
			sub_user_balance_cents: 'sub_user_balance',
			moved_at: 'timestamp',
			...asNamed('request_id', 'change_id', 'reference'),
		},
	},
	RecordedChange: {
		schema: 'RecordedChange',
		fields: {
			change_id: 'change_id',
			operation: 'kind',
			username: 'username',
			amount_cents: 'amount',
			balance_cents: 'balance',
			error: { kind: 'error_code' },
			done_at: 'timestamp',
			request_id: 'request_id',
		},
	},
	Webhook: { schema: 'Webhook', text: 'Where events are sent, and how far that is.', fields: WEBHOOK },
	ListedWebhook: {
		schema: 'ListedWebhook',
		base: 'Webhook',
		text: 'A webhook of a list.',
		fields: { ...WEBHOOK, events_behind: 'behind' },
	},
	CreatedWebhook: { schema: 'CreatedWebhook', base: 'Webhook', fields: { ...WEBHOOK, secret: { isSecret: true } } },
	RotatedWebhookSecret: {
		schema: 'RotatedWebhookSecret',
		fields: { id: 'id', secret: { isSecret: true }, previous_expires_at: 'previous_expires_at' },
	},
	WebhookTry: {
		schema: 'WebhookTry',
		fields: {
			...asNamed('at', 'event_id', 'event_number', 'event_type', 'status', 'failure', 'took_ms'),
			answer: { kind: 'any_text' },
		},
	},
	TokenDetails: { schema: 'FurtherToken', text: 'What a further token is, without the token itself.', fields: TOKEN },
	CreatedToken: { schema: 'CreatedToken', base: 'TokenDetails', fields: { ...TOKEN, token: { isSecret: true } } },
	TopUp: {
		schema: 'TopUp',
		fields: {
			...asNamed('id', 'provider', 'state'),
			amount_cents: 'amount',
			credited_cents: 'credited',
			refunded_cents: 'refunded',
			disputed_cents: 'disputed',
			...asNamed('url', 'expires_at'),
			date_created: 'timestamp',
			change_id: 'change_id',
		},
	},
	SubUserBalance: { schema: 'SubUserBalance', fields: { username: 'username', balance_cents: 'balance' } },
	SubUserAuthKey: { schema: 'SubUserAuthKey', fields: { username: 'username', proxy_authkey: { isSecret: true } } },
	SubUserWithState: { schema: 'SubUserWithState', fields: asNamed('username', 'state') },
	SubUserWithLimits: { schema: 'SubUserWithLimits', fields: asNamed('username', 'limits') },
	SubUserWithNote: { schema: 'SubUserWithNote', fields: { username: 'username', ...NOTE } },
	SubUserWithSignInIps: { schema: 'SubUserWithSignInIps', fields: asNamed('username', 'sign_in_ips') },
	DeletedSubUser: { schema: 'DeletedSubUser', fields: { username: 'username', returned_cents: 'amount_usd_cents' } },
	SubUserWithTerms: { schema: 'SubUserWithTerms', base: 'Account', fields: { ...ACCOUNT, limits: 'limits', ...NOTE } },
	Named: { schema: 'NamedWebhook', text: 'What was deleted, ended or tested.', fields: { id: 'id' } },
};

/** Schemas that are like the one of a model. */
export const LIKE: Readonly<Record<string, string>> = { EndedToken: 'Named' };

/** Schemas of answers that are read by hand, because they only hold models. */
export const READ_BY_HAND: readonly string[] = [
	...['SubUserList', 'BandwidthHistory', 'ChangeLook', 'SubUserPage', 'StatementPage', 'EventPage'],
	...['WebhookList', 'WebhookTries', 'FurtherTokens', 'TopUpPage'],
];

/** What each type of event tells, and the fields of its `data`. */
export const EVENTS: Readonly<Record<string, { readonly text: string; readonly fields?: ModelOf['fields'] }>> = {
	'sub_user.created': { text: 'A sub-user was created.', fields: { is_usable: 'usable', reason: 'reason' } },
	'sub_user.suspended': { text: 'A sub-user was suspended.' },
	'sub_user.resumed': { text: 'A sub-user is suspended no more.' },
	'sub_user.limits_set': {
		text: 'Limits of a sub-user were set.',
		fields: { limits: { text: 'All limits that hold now.' } },
	},
	'sub_user.key_reset': { text: 'A sub-user has a new key: `sub_users.retrieve` tells it.' },
	'sub_user.deleted': { text: 'A sub-user was deleted.', fields: { returned_cents: 'amount_usd_cents' } },
	'sub_user.unusable': {
		text: 'The proxies refuse the pair of a sub-user. Also told if another reason holds than before.',
		fields: { reason: 'reason' },
	},
	'sub_user.usable': { text: 'The proxies accept the pair of a sub-user again.' },
	'reseller.credited': {
		text: 'Your balance was topped up, or a top-up was taken back.',
		fields: {
			amount_cents: 'amount_usd_cents',
			balance_cents: { from: 'balance', text: 'Your balance afterwards, in USD cents.' },
			reference: { kind: 'any_text' },
			payment: 'payment',
		},
	},
	'reseller.balance_low': {
		text: 'Your balance is below the threshold that you have set. Told once, until it was above.',
		fields: { balance_cents: 'balance', threshold_cents: 'threshold' },
	},
	'reseller.debt': {
		text: 'Your debt has changed. Beyond its line, the proxies refuse all pairs while bandwidth has a price.',
		fields: { state: 'state', debt_cents: 'debt', line_cents: 'line' },
	},
	'reseller.suspended': { text: 'The operator has suspended you.' },
	'reseller.resumed': { text: 'You are suspended no more.' },
	'token.rotated': {
		text: 'There is a new token.',
		fields: asNamed('change', 'token_tail', 'made_by', 'previous_expires_at'),
	},
};
