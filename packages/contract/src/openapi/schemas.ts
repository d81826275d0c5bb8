import Type, { type TSchema } from 'typebox';
import * as createWithSchemas from '../create-with-schemas.ts';
import { allEndpoints } from '../endpoints.ts';
import { envelopeSchema } from '../envelope.ts';
import type { ErrorCode } from '../errors.ts';
import * as eventSchemas from '../event-schemas.ts';
import { TopUp } from '../payment-schemas.ts';
import * as otherSchemas from '../schemas.ts';
import * as statementSchemas from '../statement-schemas.ts';
import * as termsSchemas from '../terms-schemas.ts';
import * as tokenSchemas from '../token-schemas.ts';
import * as topUpSchemas from '../top-up-schemas.ts';
import * as webhookSchemas from '../webhook-schemas.ts';

/** Generators make better types of events with names: `SubUserCreatedEvent`. */
const events = Object.fromEntries(
	eventSchemas.ResellerEvent.anyOf.map((event) => [`${pascalCase(event.properties.type.const)}Event`, event]),
);

const schemas = {
	...otherSchemas,
	...termsSchemas,
	...createWithSchemas,
	...statementSchemas,
	...eventSchemas,
	...events,
	...webhookSchemas,
	...tokenSchemas,
	...topUpSchemas,
	TopUp,
};

/** The name of the schema of every failure but `change_repeated`. */
const FAILURE_NAME = 'Failure';
/** The name of the schema of `change_repeated`. */
const REPEATED_NAME = 'RepeatedChangeFailure';

/** The name of each schema in the document is its exported name. */
const nameOf = new Map<unknown, string>(Object.entries(schemas).map(([name, schema]) => [schema, name]));

/** The schemas of the document, by name: of requests, of data, and of the envelope around each kind of data. */
export function schemaComponents(): Record<string, unknown> {
	const named = Object.entries(schemas).map(([name, schema]) => [name, referInside(schema)]);
	const answers = Object.values(allEndpoints).map(({ data }) => [
		answerName(data),
		{ description: 'The envelope of a success.', ...(referInside(envelopeSchema(data)) as object) },
	]);
	const failure = {
		description: 'The envelope of every failure but `change_repeated`.',
		...envelopeSchema(Type.Null()),
	};
	const repeated = {
		description: 'The envelope of `change_repeated`.',
		...(referInside(envelopeSchema(otherSchemas.RepeatedChange)) as object),
	};
	return Object.fromEntries([...named, ...answers, [FAILURE_NAME, failure], [REPEATED_NAME, repeated]]);
}

/** The schema of the failures with these codes. */
export function failureSchema(codes: readonly ErrorCode[]): unknown {
	const isRepeated = codes.includes('change_repeated');
	// Some generated clients take the first one that they can read, and they read `Failure` whatever its data is.
	const names = [
		...(isRepeated ? [REPEATED_NAME] : []),
		...(isRepeated && codes.length === 1 ? [] : [FAILURE_NAME]),
	].map(schemaReference);
	return names.length === 1 ? names[0] : { anyOf: names };
}

/** The name of the envelope around data of the given schema, which `schemas.ts` must export. */
export function answerName(data: TSchema): string {
	const name = nameOf.get(data);
	if (name === undefined) throw new Error('the data of an endpoint has a schema without a name');
	return `${name}Answer`;
}

export function schemaReference(name: string) {
	return { $ref: `#/components/schemas/${name}` } as const;
}

/** A schema where it is used: a reference if it has a name. */
export function refer(schema: unknown): unknown {
	const name = nameOf.get(schema);
	return name === undefined ? referInside(schema) : schemaReference(name);
}

function referInside(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(refer);
	if (typeof schema !== 'object' || schema === null) return schema;
	return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, refer(value)]));
}

/** `SubUserCreated` for `sub_user.created`. */
export function pascalCase(code: string): string {
	return code.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
