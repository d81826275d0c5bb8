import Type from 'typebox';
import { MAX_NOTE_CHARACTERS } from '../limits.ts';
import { operation } from './operation.ts';
import {
	ACME,
	answer,
	BalanceCents,
	EXAMPLE_TIME,
	NAME_PAGE,
	NewReseller,
	Next,
	nullable,
	Reseller,
	ResellerRequest,
	SentReseller,
	sentText,
	TIME,
} from './parts.ts';
import { NewToken, TOKEN } from './tokens.ts';

const Note = Type.String({
	maxLength: MAX_NOTE_CHARACTERS,
	description: 'For operators: the reseller does not see it. Empty: no note.',
	examples: ['pays by invoice'],
});

const SignInByAddress = Type.Boolean({
	description: 'Whether its sub-users may sign in by the address of their client.',
});

const ResellerState = answer(
	{
		username: Reseller,
		balance: BalanceCents,
		debt: Type.Integer({ minimum: 0, description: 'What it owes for bandwidth, in USD cents.' }),
		debt_line: Type.Integer({
			minimum: 0,
			description: 'Beyond this debt, in USD cents, the proxies refuse its pairs while it has a price.',
		}),
		price: nullable(
			Type.Integer({ minimum: 1 }),
			'What a GB (10^9 bytes, up and down together) costs, in millionths of a US dollar; `null` if bandwidth costs nothing.',
		),
		suspended_since: nullable(TIME('Since when it is suspended, UTC.'), '`null` if it is not suspended.'),
		sign_in_by_address: SignInByAddress,
		note: Note,
		date_created: TIME('When it was created, UTC.'),
	},
	'A reseller.',
);

const RESELLER = {
	username: ACME,
	balance: 12480,
	debt: 0,
	debt_line: 500,
	price: 3_500_000,
	suspended_since: null,
	sign_in_by_address: false,
	note: 'pays by invoice',
	date_created: EXAMPLE_TIME,
};

const Suspension = answer(
	{ username: Reseller, suspended: Type.Boolean({ description: 'Whether it is suspended now.' }) },
	'The reseller and whether it is suspended.',
);

/** The resellers of the platform. */
export const resellerOperations = {
	createReseller: operation({
		path: '/resellers/create',
		scope: 'resellers:write',
		isChange: true,
		tag: 'Resellers',
		summary: 'Create a reseller',
		description:
			'Opens the account of a reseller with balance 0, and tells its token, only here. If the answer was lost, `/resellers/end_tokens` gives another token.',
		request: Type.Object(
			{ username: NewReseller },
			{ description: 'Names the new reseller. Other fields are ignored.' },
		),
		requestExample: { username: ACME },
		answer: 'The new reseller and its token.',
		data: NewToken,
		dataExample: TOKEN,
		failures: ['invalid_username', 'username_taken'],
	}),
	viewReseller: operation({
		path: '/resellers/view',
		scope: 'resellers:read',
		isChange: false,
		tag: 'Resellers',
		summary: 'Read a reseller',
		description: 'What a reseller has and owes.',
		request: ResellerRequest,
		requestExample: { username: ACME },
		answer: 'The reseller.',
		data: ResellerState,
		dataExample: RESELLER,
		failures: ['unknown_reseller'],
	}),
	suspendReseller: operation({
		path: '/resellers/suspend',
		scope: 'resellers:write',
		isChange: true,
		tag: 'Resellers',
		summary: 'Suspend a reseller',
		description:
			'The proxies refuse its pairs and those of its sub-users, and it changes nothing. It can still read. One that is suspended stays so.',
		request: ResellerRequest,
		requestExample: { username: ACME },
		answer: 'The reseller.',
		data: Suspension,
		dataExample: { username: ACME, suspended: true },
		failures: ['unknown_reseller'],
	}),
	resumeReseller: operation({
		path: '/resellers/resume',
		scope: 'resellers:write',
		isChange: true,
		tag: 'Resellers',
		summary: 'Resume a reseller',
		description: 'Ends a suspension. One that is not suspended stays so.',
		request: ResellerRequest,
		requestExample: { username: ACME },
		answer: 'The reseller.',
		data: Suspension,
		dataExample: { username: ACME, suspended: false },
		failures: ['unknown_reseller'],
	}),
	viewResellerPage: operation({
		path: '/resellers/view_page',
		scope: 'resellers:read',
		isChange: false,
		tag: 'Resellers',
		summary: 'Read a page of resellers',
		description: 'Resellers in the order of their names.',
		request: Type.Object(NAME_PAGE, { description: 'Which page. Other fields are ignored.' }),
		requestExample: { prefix: 'ac' },
		answer: 'A page of resellers.',
		data: answer(
			{ resellers: Type.Array(ResellerState, { description: 'In the order of their names.' }), next: Next },
			'A page of resellers.',
		),
		dataExample: { resellers: [RESELLER], next: null },
		failures: [],
	}),
	setResellerNote: operation({
		path: '/resellers/set_note',
		scope: 'resellers:write',
		isChange: true,
		tag: 'Resellers',
		summary: 'Write a note about a reseller',
		description:
			'Replaces what operators have noted about a reseller. It is shown on the dashboard, only to operators.',
		request: Type.Object(
			{
				username: SentReseller,
				note: sentText(
					`For operators: one line of at most ${MAX_NOTE_CHARACTERS} visible characters. Empty: no note.`,
					'pays by invoice',
				),
			},
			{ description: 'Names one reseller and its note. Other fields are ignored.' },
		),
		requestExample: { username: ACME, note: 'pays by invoice' },
		answer: 'The reseller and its note.',
		data: answer({ username: Reseller, note: Note }, 'The reseller and its note now.'),
		dataExample: { username: ACME, note: 'pays by invoice' },
		failures: ['unknown_reseller', 'invalid_note'],
	}),
	setSignInByAddress: operation({
		path: '/resellers/set_sign_in_by_address',
		scope: 'resellers:write',
		isChange: true,
		tag: 'Resellers',
		summary: 'Allow sign-in by address, or end it',
		description:
			'Whether the sub-users of a reseller may sign in by the address of their client, without a password. It is off for a new reseller. If it ends, their addresses are refused within seconds, and are kept.',
		request: Type.Object(
			{ username: SentReseller, allowed: Type.Boolean() },
			{ description: 'Names one reseller, and whether it is allowed. Other fields are ignored.' },
		),
		requestExample: { username: ACME, allowed: true },
		answer: 'The reseller.',
		data: answer(
			{ username: Reseller, sign_in_by_address: SignInByAddress },
			'The reseller, and whether it is allowed.',
		),
		dataExample: { username: ACME, sign_in_by_address: true },
		failures: ['unknown_reseller'],
	}),
};
