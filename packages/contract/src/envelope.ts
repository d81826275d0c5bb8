import Type, { type TSchema } from 'typebox';
import { type ErrorCode, type ErrorDescription, errors } from './errors.ts';

/** The top-level object of every answer (docs/api.md 3.1). */
export interface Envelope<Data> {
	/** The HTTP status, repeated. */
	readonly status: number;
	/** Empty on success; otherwise for people. Never branch on it. */
	readonly message: string;
	/** When the answer was made, in Unix seconds. */
	readonly timestamp: number;
	readonly data: Data;
}

/** The envelope of a success. `nowMs` is in Unix milliseconds. */
export function successEnvelope<Data>(data: Data, nowMs: number): Envelope<Data> {
	return { status: 200, message: '', timestamp: Math.floor(nowMs / 1000), data };
}

/** The envelope of a failure. `nowMs` is in Unix milliseconds. */
export function failureEnvelope(code: ErrorCode, nowMs: number): Envelope<null> {
	return describedFailureEnvelope(errors[code], nowMs);
}

/** The same for a failure that an audience describes itself. Only `change_repeated` has data. */
export function describedFailureEnvelope<Data = null>(
	{ status, message }: ErrorDescription,
	nowMs: number,
	data: Data = null as Data,
): Envelope<Data> {
	return { status, message, timestamp: Math.floor(nowMs / 1000), data };
}

/** The schema of an answer whose `data` has the given schema: exactly four fields. */
export function envelopeSchema<Data extends TSchema>(data: Data) {
	return Type.Object(
		{
			status: Type.Integer({ description: 'The HTTP status of the response, repeated.' }),
			message: Type.String({ description: 'For people; empty on success. Never branch on its wording.' }),
			timestamp: Type.Integer({ description: 'Time of the response, in Unix seconds.' }),
			data,
		},
		{ additionalProperties: false },
	);
}
