import Type, { type TObject, type TProperties } from 'typebox';
import { MAX_BYTES, MAX_CENTS, MAX_NOTE_CHARACTERS, MAX_OPERATOR_PAGE_ROWS } from '../limits.ts';
import {
	BalanceCents,
	NewUsername,
	nullable,
	SentUsername,
	sentText,
	Username,
	UtcTimestamp,
} from '../schema-parts.ts';

// What several calls of the operator's API take and answer.

export const ACME = 'acme';
export const ALICE = 'alice.smith';
export const ANN = 'ann@acme.example';
export const EXAMPLE_TIME = '2026-11-21T09:30:00.000Z';
export const EXAMPLE_REQUEST = '5f0c2a52-6f0e-4a53-9d0a-2f6a1f7d9c11';

/** The name of a reseller in a request. Breaking the rules of names has an error code of its own. */
export const SentReseller = Type.String({
	...SentUsername,
	description: 'The username of the reseller. Uppercase letters become lowercase.',
	examples: [ACME],
});

export const NewReseller = Type.String({
	...NewUsername,
	description: 'The username of the new reseller. Uppercase letters become lowercase.',
	examples: [ACME],
});

export const Reseller = Type.String({ ...Username, description: 'The username of the reseller.', examples: [ACME] });

export const Cents = Type.Integer({
	minimum: 1,
	maximum: MAX_CENTS,
	description: 'USD cents: 500 means 5.00 USD.',
	examples: [5000],
});

/** The body of calls of a reseller itself that name it and nothing else. */
export const ResellerRequest = Type.Object(
	{ username: SentReseller },
	{ description: 'Names one reseller. Other fields are ignored.' },
);

/** The same of calls about what a reseller has. */
export const OfResellerRequest = Type.Object(
	{ reseller: SentReseller },
	{ description: 'Names one reseller. Other fields are ignored.' },
);

const REASON = `For people: one line of at most ${MAX_NOTE_CHARACTERS} visible characters`;
export const Reason = sentText(`${REASON}.`, 'paid twice', 1);
export const OptionalReason = Type.Optional(sentText(`${REASON}; absent or empty: none.`, 'paid twice'));

export const Bytes = (description = 'Bytes.') => Type.Integer({ minimum: 0, maximum: MAX_BYTES, description });

/** A UTC day in a request. */
export const Day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-21'] });

export const OperatorPageLimit = Type.Optional(
	Type.Integer({
		minimum: 1,
		maximum: MAX_OPERATOR_PAGE_ROWS,
		description: `The most rows in the answer; absent: ${MAX_OPERATOR_PAGE_ROWS}.`,
	}),
);

/** Which page of a list by names is asked for. */
export const NAME_PAGE = {
	after: Type.Optional(
		nullable(
			Type.String({ pattern: '^[a-z0-9._]{1,32}$' }),
			'The `next` of the previous page; absent or `null` for the first one.',
		),
	),
	limit: OperatorPageLimit,
	prefix: Type.Optional(
		Type.String({
			pattern: '^[A-Za-z0-9._]{0,32}$',
			description: 'Only names that begin with it.',
			examples: ['ac'],
		}),
	),
} as const;

export const Next = nullable(
	Type.String(),
	'What to send as `after` for the next page; `null` only after the last one. A page can have fewer rows than `limit`, even none, and still have a next one.',
);

/** An answer has these fields and no others. */
export function answer<Properties extends TProperties>(
	properties: Properties,
	description: string,
): TObject<Properties> {
	return Type.Object(properties, { additionalProperties: false, description });
}

export const TIME = UtcTimestamp;
export { BalanceCents, nullable, SentUsername, sentText, Username };
