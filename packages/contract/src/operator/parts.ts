import Type, { type TObject, type TProperties } from 'typebox';
import { MAX_CENTS } from '../limits.ts';
import { BalanceCents, nullable, SentUsername, Username, UtcTimestamp } from '../schema-parts.ts';

// What several calls of the operator's API take and answer.

export const ACME = 'acme';
export const EXAMPLE_TIME = '2026-11-21T09:30:00.000Z';
export const EXAMPLE_REQUEST = '5f0c2a52-6f0e-4a53-9d0a-2f6a1f7d9c11';

/** The name of a reseller in a request. Breaking the rules of names has an error code of its own. */
export const SentReseller = Type.String({
	...SentUsername,
	description: 'The username of the reseller. Uppercase letters become lowercase.',
	examples: [ACME],
});

export const Reseller = Type.String({ ...Username, description: 'The username of the reseller.', examples: [ACME] });

export const Cents = Type.Integer({
	minimum: 1,
	maximum: MAX_CENTS,
	description: 'USD cents: 500 means 5.00 USD.',
	examples: [5000],
});

/** The body of calls that name a reseller and nothing else. */
export const ResellerRequest = Type.Object(
	{ username: SentReseller },
	{ description: 'Names one reseller. Other fields are ignored.' },
);

/** An answer has these fields and no others. */
export function answer<Properties extends TProperties>(
	properties: Properties,
	description: string,
): TObject<Properties> {
	return Type.Object(properties, { additionalProperties: false, description });
}

export const TIME = UtcTimestamp;
export { BalanceCents, nullable };
