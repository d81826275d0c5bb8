import Type from 'typebox';
import { CHANGE_ID_FORM } from '../change-id.ts';
import { REFERENCE_FORM } from '../reference.ts';
import { Movement } from '../statement-schemas.ts';
import { SUB_USER_STATES } from '../sub-user-terms.ts';
import { SubUserDetails } from '../terms-schemas.ts';
import { operation } from './operation.ts';
import {
	ACME,
	ALICE,
	answer,
	BalanceCents,
	Day,
	EXAMPLE_REQUEST,
	EXAMPLE_TIME,
	NAME_PAGE,
	Next,
	nullable,
	SentReseller,
	SentUsername,
	TIME,
} from './parts.ts';

const { username: Username, state: State, note: _, ...Details } = SubUserDetails.properties;

const ListedSubUser = answer(
	{ username: Username, balance: BalanceCents, state: State, date_created: TIME('When it was created, UTC.') },
	'A sub-user.',
);

const SubUser = answer(
	{ ...ListedSubUser.properties, ...Details },
	'A sub-user, whether it can be used, its limits, what of them is used, and what proxies refused.',
);

const LISTED = { username: ALICE, balance: 250, state: 'active', date_created: EXAMPLE_TIME } as const;

/** A movement as the reseller sees it, and what operators have written with it. */
const MovementForOperator = answer(
	{
		...Movement.properties,
		change_id: nullable(
			Type.String({ pattern: CHANGE_ID_FORM.source }),
			"The reseller's `X-Change-Id`; `null` if there is none, and for what the operator moved.",
		),
		reason: nullable(
			Type.String(),
			'Of a top-up, an adjustment or a debt that was forgiven, why; `null` if there is none.',
		),
	},
	'A movement of money.',
);

/** What a reseller has, and what happened to its money. No call tells a proxy auth key or a note of the reseller. */
export const subUserOperations = {
	viewSubUser: operation({
		path: '/sub_users/view',
		scope: 'resellers:read',
		isChange: false,
		tag: 'Sub-users',
		summary: 'Read a sub-user of a reseller',
		description:
			'The state of a sub-user, its balance, whether the proxies accept its pair and why not, its limits, what of them is used, and what proxies refused.',
		request: Type.Object(
			{ reseller: SentReseller, username: SentUsername },
			{ description: 'Names one sub-user. Other fields are ignored.' },
		),
		requestExample: { reseller: ACME, username: ALICE },
		answer: 'The sub-user.',
		data: SubUser,
		dataExample: {
			...LISTED,
			...{ usable: false, reason: 'exhausted' },
			limits: {
				...{ day_bytes: 1_000_000_000, month_bytes: null, total_bytes: null, connections: 50 },
				...{ bytes_per_second: 1_250_000, allowed_ips: ['192.0.2.0/24'], expires_at: null },
			},
			used: { day_bytes: 9699328, month_bytes: 84148224, total_bytes: 84148224, connections: 3 },
			sign_in_ips: ['192.0.2.7'],
			last_seen: EXAMPLE_TIME,
			last_refusal: { at: EXAMPLE_TIME, edge: 'frankfurt-1', reason: 'exhausted', network: '192.0.2.0/24' },
			refusals: [{ reason: 'exhausted', count: 12 }],
		},
		failures: ['unknown_sub_user'],
	}),
	viewSubUserPage: operation({
		path: '/sub_users/view_page',
		scope: 'resellers:read',
		isChange: false,
		tag: 'Sub-users',
		summary: 'Read a page of the sub-users of a reseller',
		description: 'Sub-users of a reseller in the order of their names.',
		request: Type.Object(
			{
				reseller: SentReseller,
				...NAME_PAGE,
				state: Type.Optional(Type.Enum(SUB_USER_STATES, { description: 'Only those in this state.' })),
			},
			{ description: 'Which page. Other fields are ignored.' },
		),
		requestExample: { reseller: ACME },
		answer: 'A page of sub-users.',
		data: answer(
			{ sub_users: Type.Array(ListedSubUser, { description: 'In the order of their names.' }), next: Next },
			'A page of sub-users.',
		),
		dataExample: { sub_users: [LISTED], next: null },
		failures: ['unknown_reseller'],
	}),
	viewStatementPage: operation({
		path: '/statement/view_page',
		scope: 'resellers:read',
		isChange: false,
		tag: 'Money',
		summary: 'Read a page of the statement of a reseller',
		description: "Movements of a reseller's money and of the money of its sub-users, the newest first.",
		request: Type.Object(
			{
				reseller: SentReseller,
				after: Type.Optional(
					nullable(
						Type.String({ pattern: '^[1-9][0-9]{0,15}$' }),
						'The `next` of the previous page; absent or `null` for the first one.',
					),
				),
				limit: NAME_PAGE.limit,
				reference: Type.Optional(
					Type.String({
						pattern: REFERENCE_FORM.source,
						description: 'Only gives and takes with exactly this reference.',
					}),
				),
				from: Type.Optional(Day('The first UTC day.')),
				to: Type.Optional(Day('The last UTC day.')),
			},
			{ description: 'Which page. Other fields are ignored.' },
		),
		requestExample: { reseller: ACME, from: '2026-11-01', to: '2026-11-21' },
		answer: 'A page of the statement.',
		data: answer(
			{ movements: Type.Array(MovementForOperator, { description: 'The newest first.' }), next: Next },
			'A page of the statement.',
		),
		dataExample: {
			movements: [
				{
					...{ id: 8123, kind: 'top_up', username: null, amount: 5000, balance: 17480, sub_user_balance: null },
					...{ timestamp: EXAMPLE_TIME, request_id: EXAMPLE_REQUEST, change_id: null },
					...{ reference: 'invoice-1042', reason: null },
				},
			],
			next: null,
		},
		failures: ['unknown_reseller'],
	}),
};
