import Type, { type Static } from 'typebox';
import { CHANGE_ID_FORM, CHANGE_ID_HEADER } from './change-id.ts';
import { MAX_BYTES, MAX_CENTS, USAGE_SHOWN_DAYS } from './limits.ts';
import {
	BalanceCents,
	NewUsername,
	nullable,
	ProxyAuthkey,
	SentUsername,
	Username,
	UtcTimestamp,
} from './schema-parts.ts';

/** A sub-user, or in `my_info` the reseller itself (docs/api.md 6.5). */
export const SubUser = Type.Object(
	{
		username: Username,
		balance: BalanceCents,
		proxy_authkey: ProxyAuthkey,
		date_created: UtcTimestamp('Creation time, UTC.'),
	},
	{ additionalProperties: false, description: 'An account: its name, balance and proxy credential.' },
);
export type SubUser = Static<typeof SubUser>;

/** The data of `view_all`. */
export const SubUserList = Type.Array(SubUser, { description: 'Every sub-user once, in no particular order.' });

/** The usage of one sub-user on one UTC day, in bytes (docs/api.md 6.6). */
export const BandwidthRecord = Type.Object(
	{
		bandwidth: Type.Object(
			{
				up: Type.Integer({ minimum: 0, maximum: MAX_BYTES, description: 'Bytes sent upstream.', examples: [1048576] }),
				down: Type.Integer({
					minimum: 0,
					maximum: MAX_BYTES,
					description: 'Bytes received downstream.',
					examples: [73400320],
				}),
			},
			{ additionalProperties: false },
		),
		timestamp: UtcTimestamp('Start of the UTC day that the record covers.'),
	},
	{ additionalProperties: false, description: 'The bandwidth of one UTC day.' },
);
export type BandwidthRecord = Static<typeof BandwidthRecord>;

/** The data of `view_txs`. */
export const BandwidthHistory = Type.Array(BandwidthRecord, {
	maxItems: USAGE_SHOWN_DAYS,
	description: 'One record for each UTC day with usage, in no particular order.',
});

/** The data of `give_balance` and `take_balance`: the sub-user and its new balance in USD cents. */
export const SubUserBalance = Type.Object(
	{ username: Username, balance: BalanceCents },
	{ additionalProperties: false, description: 'A sub-user and its new balance.' },
);
export type SubUserBalance = Static<typeof SubUserBalance>;

/** The data of `reset_auth_key`: the sub-user and its new key. */
export const SubUserAuthKey = Type.Object(
	{ username: Username, proxy_authkey: ProxyAuthkey },
	{ additionalProperties: false, description: 'A sub-user and its new proxy auth key; the previous key is retired.' },
);
export type SubUserAuthKey = Static<typeof SubUserAuthKey>;

/** The body of every POST that names one sub-user and nothing else. */
export const SubUserRequest = Type.Object(
	{ username: SentUsername },
	{ description: 'Names one sub-user. Other fields are ignored.' },
);
export type SubUserRequest = Static<typeof SubUserRequest>;

/** The body of `create`. */
export const CreateRequest = Type.Object(
	{ username: NewUsername },
	{ description: 'Names the new sub-user. Other fields are ignored.' },
);

/** The body of `give_balance` and `take_balance`. */
export const TransferRequest = Type.Object(
	{
		username: SentUsername,
		amount_usd_cents: Type.Integer({
			minimum: 1,
			maximum: MAX_CENTS,
			description: 'Amount in USD cents: an integer of at least 1.',
			examples: [250],
		}),
	},
	{ description: 'Names one sub-user and an amount. Other fields are ignored.' },
);
export type TransferRequest = Static<typeof TransferRequest>;

/** The body of `changes/view`. */
export const ChangeRequest = Type.Object(
	{
		change_id: Type.String({
			pattern: CHANGE_ID_FORM.source,
			description: `The \`${CHANGE_ID_HEADER}\` of a change.`,
			examples: ['mgd3k1c0-Vn4xT8sQp2LzRw'],
		}),
	},
	{ description: 'Names one change. Other fields are ignored.' },
);
export type ChangeRequest = Static<typeof ChangeRequest>;

/** What a change with an id did (docs/api.md 10.5). */
export const RecordedChange = Type.Object(
	{
		change_id: ChangeRequest.properties.change_id,
		kind: Type.Enum(
			[
				...([
					'create',
					'create_with',
					'give_balance',
					'take_balance',
					'reset_auth_key',
					'suspend_sub_user',
					'resume_sub_user',
				] as const),
				...(['set_limits', 'set_note', 'set_sign_in_ips', 'delete_sub_user'] as const),
				...(['create_webhook', 'update_webhook', 'delete_webhook', 'rotate_webhook_secret'] as const),
				...(['create_token', 'end_token'] as const),
				...(['create_top_up'] as const),
			],
			{ description: 'Which call it was.', examples: ['give_balance'] },
		),
		username: nullable(
			Username,
			'The sub-user; `null` if a create had no usable username, and for a webhook, a token or a top-up.',
		),
		amount: nullable(
			Type.Integer({ minimum: 0, maximum: MAX_CENTS }),
			'What was moved, in USD cents; the fee of a create; what a create_with gave, 0 if nothing; what a delete gave back; what a top-up asked for; otherwise `null`.',
		),
		balance: nullable(
			BalanceCents,
			'The balance of the sub-user after the change, in USD cents; `null` if the change moves no money, and for a delete and a create that failed.',
		),
		error: nullable(
			Type.String(),
			'The error code of a create or create_with that cost its fee and failed; otherwise `null`.',
		),
		timestamp: UtcTimestamp('When the change was done, UTC.'),
		request_id: Type.String({ description: 'The `X-Request-Id` of the answer to the change.' }),
	},
	{ additionalProperties: false, description: 'What a change did.' },
);
export type RecordedChange = Static<typeof RecordedChange>;

/** The data of `change_repeated`, the only failure that has data (docs/api.md 10.5). */
export const RepeatedChange = Type.Object(
	{ change: RecordedChange },
	{ additionalProperties: false, description: 'What the change with this id did, as `changes/view` answers it.' },
);
export type RepeatedChange = Static<typeof RepeatedChange>;

/** The data of `changes/view`. */
export const ChangeLook = nullable(RecordedChange, 'What the change did, or `null` if there is no such change.');
