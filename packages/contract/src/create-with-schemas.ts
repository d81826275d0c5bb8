import Type, { type Static } from 'typebox';
import { MAX_CENTS } from './limits.ts';
import { NewUsername } from './schema-parts.ts';
import { SubUser } from './schemas.ts';
import { SetNoteRequest, SubUserLimits, SubUserWithNote } from './terms-schemas.ts';

/** The body of `create_with`. */
export const CreateWithRequest = Type.Object(
	{
		username: NewUsername,
		amount_usd_cents: Type.Optional(
			Type.Integer({
				minimum: 1,
				maximum: MAX_CENTS,
				description:
					"What it is given of the reseller's balance, in USD cents: an integer of at least 1. Absent: nothing.",
				examples: [2500],
			}),
		),
		limits: Type.Optional(
			Type.Partial(SubUserLimits, {
				additionalProperties: false,
				description: 'Its limits, as `set_limits` takes them. What is absent or `null` is no limit.',
			}),
		),
		note: Type.Optional(SetNoteRequest.properties.note),
	},
	{ description: 'The new sub-user, and what it has from the beginning. Other fields are ignored.' },
);
export type CreateWithRequest = Static<typeof CreateWithRequest>;

/** The data of `create_with`. */
export const SubUserWithTerms = Type.Object(
	{ ...SubUser.properties, limits: SubUserLimits, note: SubUserWithNote.properties.note },
	{ additionalProperties: false, description: 'A new sub-user, its limits and its note.' },
);
export type SubUserWithTerms = Static<typeof SubUserWithTerms>;
