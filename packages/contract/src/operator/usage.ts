import Type from 'typebox';
import { MAX_BYTES, MAX_USAGE_PARTS, USAGE_SHOWN_DAYS } from '../limits.ts';
import { operation } from './operation.ts';
import {
	ACME,
	ALICE,
	answer,
	Bytes,
	Day,
	nullable,
	Reason,
	SentReseller,
	SentUsername,
	TIME,
	Username,
} from './parts.ts';

const Unit = Type.Enum(['day', 'hour'], { description: 'UTC days or UTC hours.', examples: ['day'] });

const AccountName = Type.String({
	...SentUsername,
	description: 'The name of a sub-user, also of one that was deleted, or of the reseller itself.',
});

const DayOfAccount = {
	username: Username,
	day: Day('The UTC day.'),
	up: Bytes('Bytes that were sent upstream on that day, as they are counted now.'),
	down: Bytes('Bytes that were received downstream on that day, as they are counted now.'),
} as const;

const Change = (direction: string) =>
	Type.Integer({
		minimum: -MAX_BYTES,
		maximum: MAX_BYTES,
		description: `Bytes ${direction} to add; below zero, to take away.`,
	});

/** Bandwidth, and its corrections. */
export const usageOperations = {
	viewUsage: operation({
		path: '/usage/view',
		scope: 'usage:read',
		isChange: false,
		tag: 'Usage',
		summary: 'Read bandwidth',
		description: `Bandwidth by day or by hour: of all resellers or of one, of all edges or of one, and divided if you ask for it. Days are shown for ${USAGE_SHOWN_DAYS} days, hours for 7, today included. Of \`edge\` and \`by\`, give at most one. Resellers can be told apart only without \`reseller\`, and sub-users only with it.`,
		request: Type.Object(
			{
				reseller: Type.Optional(
					Type.String({ ...SentReseller, description: 'Only of this reseller. Absent: of all.' }),
				),
				edge: Type.Optional(
					Type.String({ description: 'Only what this edge has reported. Absent: of all.', examples: ['fra-1'] }),
				),
				from: Day('The first UTC day.'),
				to: Day('The last UTC day.'),
				unit: Unit,
				by: Type.Optional(
					Type.Enum(['reseller', 'edge', 'sub_user'], { description: 'By what to divide. Absent: by nothing.' }),
				),
			},
			{ description: 'Which bandwidth. Other fields are ignored.' },
		),
		requestExample: { from: '2026-11-20', to: '2026-11-21', unit: 'day', by: 'reseller' },
		answer: 'The bandwidth.',
		data: answer(
			{
				unit: Unit,
				spans: Type.Array(
					answer(
						{
							timestamp: TIME('The start of the day or hour, UTC.'),
							...{ up: Bytes(), down: Bytes() },
							cost: nullable(
								Type.Integer({ minimum: 0 }),
								'What it costs the resellers, in whole USD cents: what is below a cent goes on to the next day. `null` for hours and for an edge.',
							),
						},
						'A day or an hour.',
					),
					{ description: 'Each day or hour, the oldest first. The last one may not be over.' },
				),
				parts: Type.Array(
					answer(
						{
							name: Type.String({ description: 'The reseller, edge or sub-user.', examples: [ACME] }),
							...{ up: Bytes(), down: Bytes() },
							values: Type.Array(Bytes(), { description: 'Bytes of each of `spans`, up and down together.' }),
						},
						'A part.',
					),
					{
						description: `The ${MAX_USAGE_PARTS} parts with the most bytes, the largest first. Empty without \`by\`.`,
					},
				),
				known_since: nullable(
					TIME('From when on bandwidth is known by hour and by edge, UTC.'),
					'`null` if that is all of the time that was asked for, or if neither was asked for.',
				),
			},
			'Bandwidth.',
		),
		dataExample: {
			unit: 'day',
			spans: [
				{ timestamp: '2026-11-20T00:00:00.000Z', up: 1_000_000, down: 9_000_000_000, cost: 3150 },
				{ timestamp: '2026-11-21T00:00:00.000Z', up: 0, down: 2_000_000_000, cost: 700 },
			],
			parts: [{ name: ACME, up: 1_000_000, down: 11_000_000_000, values: [9_001_000_000, 2_000_000_000] }],
			known_since: null,
		},
		failures: ['unknown_reseller', 'unknown_edge'],
	}),
	viewUsageDay: operation({
		path: '/usage/view_day',
		scope: 'usage:read',
		isChange: false,
		tag: 'Usage',
		summary: 'Read the bandwidth of an account on a day',
		description: 'What an account used on a UTC day, with all corrections.',
		request: Type.Object(
			{ reseller: SentReseller, username: AccountName, day: Day('The UTC day.') },
			{ description: 'Names an account and a day. Other fields are ignored.' },
		),
		requestExample: { reseller: ACME, username: ALICE, day: '2026-11-21' },
		answer: 'The bandwidth of the day.',
		data: answer(DayOfAccount, 'The bandwidth of the day.'),
		dataExample: { username: ALICE, day: '2026-11-21', up: 1_000_000, down: 9_000_000 },
		failures: ['unknown_account'],
	}),
	correctUsage: operation({
		path: '/usage/correct',
		scope: 'usage:write',
		isChange: true,
		tag: 'Usage',
		summary: 'Correct the bandwidth of a day',
		description:
			'Adds bytes to a UTC day of an account, or takes them away. It moves no money, and is never removed. The same correction again, with the same reference, is answered with what the day has now, and changes nothing. So a repeat is safe, with or without a change id.',
		request: Type.Object(
			{
				...{ reseller: SentReseller, username: AccountName, day: Day('The UTC day.') },
				...{ up: Change('upstream'), down: Change('downstream') },
				reference: Type.String({
					description:
						"The operator's own name for this correction, unique among corrections, for ever. 1 to 200 visible characters.",
					examples: ['ticket-77'],
				}),
				reason: Reason,
			},
			{ description: 'The correction. Other fields are ignored.' },
		),
		requestExample: {
			...{ reseller: ACME, username: ALICE, day: '2026-11-21', up: 0, down: -1_000_000 },
			...{ reference: 'ticket-77', reason: 'an edge counted twice' },
		},
		answer: 'The bandwidth of the day now.',
		data: answer(
			{
				...DayOfAccount,
				repeated: Type.Boolean({
					description:
						'Whether the same correction was made before under this reference. Then nothing was changed now.',
				}),
			},
			'The bandwidth of the day now.',
		),
		dataExample: { username: ALICE, day: '2026-11-21', up: 1_000_000, down: 8_000_000, repeated: false },
		failures: [
			...(['unknown_account', 'invalid_bytes', 'invalid_reference', 'invalid_reason', 'reference_conflict'] as const),
			...(['day_ahead', 'too_few_bytes', 'too_many_bytes'] as const),
		],
	}),
};
