import Type, { type TSchema } from 'typebox';
import {
	DEFAULT_PAGE_ROWS,
	MAX_CENTS,
	MAX_NOTE_CHARACTERS,
	MAX_PAGE_ROWS,
	USERNAME_MAX_LENGTH,
	USERNAME_MIN_LENGTH,
} from './limits.ts';
import { NORMALIZED_USERNAME, USERNAME } from './username.ts';

// Parts of schemas. They have no names of their own in the OpenAPI document.

export const UtcTimestamp = (description: string) =>
	Type.String({ format: 'date-time', description, examples: ['2026-11-21T00:00:00.000Z'] });

/** A username in a request. The schema does not hold its rules, because breaking them has its own error code. */
export const SentUsername = Type.String({
	description: `The name of a sub-user: ${USERNAME_MIN_LENGTH} to ${USERNAME_MAX_LENGTH} letters, digits, periods and underscores, beginning and ending with a letter or digit, no two periods or underscores side by side. Uppercase letters become lowercase.`,
	examples: ['alice.smith'],
});

/**
 * The name of a new account in a request. Breaking the rules has an error code of its own, and can cost a fee, so only the
 * OpenAPI document has them.
 */
export const NewUsername = Type.String({
	...SentUsername,
	onlyDocumented: { minLength: USERNAME_MIN_LENGTH, maxLength: USERNAME_MAX_LENGTH, pattern: USERNAME.source },
});

/** A text for people in a request. What else is invisible is refused too, but patterns that every program knows cannot say it. */
export const sentText = (description: string, example: string, minLength?: number) =>
	Type.String({
		description,
		examples: [example],
		onlyDocumented: {
			...(minLength !== undefined && { minLength }),
			maxLength: MAX_NOTE_CHARACTERS,
			pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
		},
	});

/** An address or a network, nearly: what is no address after all has an error code of its own. */
export const Network = (example: string) =>
	Type.String({
		pattern: '^(?:[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)(?:/[0-9]{1,3})?$',
		examples: [example],
	});

export const Username = Type.String({
	minLength: USERNAME_MIN_LENGTH,
	maxLength: USERNAME_MAX_LENGTH,
	pattern: NORMALIZED_USERNAME.source,
	description: 'The name of the account, in lowercase; unique on the whole platform.',
	examples: ['alice.smith'],
});

export const BalanceCents = Type.Integer({
	minimum: 0,
	maximum: MAX_CENTS,
	description: 'Balance in USD cents: 500 means 5.00 USD.',
	examples: [500],
});

export const ProxyAuthkey = Type.String({
	pattern: '^[0-9A-Za-z]{16}$',
	description: 'The password for the username at the proxy. It is not the API bearer token.',
	examples: ['4fQ9sLw2ZbT7xKc1'],
});

export const nullable = <Schema extends TSchema>(schema: Schema, description: string) =>
	Type.Union([schema, Type.Null()], { description });

export const PageLimit = Type.Optional(
	Type.Integer({
		minimum: 1,
		maximum: MAX_PAGE_ROWS,
		description: `The most rows in the answer; absent: ${DEFAULT_PAGE_ROWS}.`,
	}),
);
