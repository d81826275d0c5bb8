import type { Static, TObject, TSchema } from 'typebox';
import type { OperatorScope } from '../scopes.ts';
import type { OperatorErrorCode } from './errors.ts';

export const OPERATOR_API = '/operator/v1';

/** The subject of a call. The reference page groups the calls by it. */
export type OperatorTag = 'Resellers' | 'Money' | 'Tokens' | 'People' | 'Edges' | 'Sub-users' | 'Usage' | 'Changes';

/** One call of the operator's API. All of them are POST, and take and answer JSON. */
export interface OperatorOperation {
	/** Below `OPERATOR_API`. */
	readonly path: string;
	/** What the token needs. `null`: any token of the operator's programs may do it. */
	readonly scope: OperatorScope | null;
	/** Whether it changes something. Then it may have a change id. */
	readonly isChange: boolean;
	readonly tag: OperatorTag;
	readonly summary: string;
	readonly description: string;
	/** Of the body. Further fields are ignored. */
	readonly request: TObject;
	/** A body that fits the schema and leads to `dataExample`. */
	readonly requestExample: unknown;
	/** Describes the data of a success. */
	readonly answer: string;
	/** Of `data` in a success. */
	readonly data: TSchema;
	readonly dataExample: unknown;
	/** The failures of this call, besides `OPERATOR_FAILURES`, and those of every change. */
	readonly failures: readonly OperatorErrorCode[];
}

/** The failures that every call can answer with. */
export const OPERATOR_FAILURES = [
	'bad_request',
	'invalid_request',
	'unauthorized',
	'missing_scope',
	'method_not_allowed',
	'request_timeout',
	'payload_too_large',
	'unsupported_media_type',
	'expectation_failed',
	'headers_too_large',
	'internal_error',
	'unavailable',
] as const satisfies readonly OperatorErrorCode[];

/** And those of every call that changes something. */
export const OPERATOR_CHANGE_FAILURES = [
	'change_repeated',
	'outcome_unknown',
] as const satisfies readonly OperatorErrorCode[];

/** The body that a call takes. */
export type RequestOf<Operation extends { readonly request: TObject }> = Static<Operation['request']>;
/** The data that a call answers. */
export type DataOf<Operation extends { readonly data: TSchema }> = Static<Operation['data']>;
/** The failures that a call can answer. */
export type FailureOf<Operation extends Pick<OperatorOperation, 'isChange' | 'failures'>> =
	| (typeof OPERATOR_FAILURES)[number]
	| Operation['failures'][number]
	| (Operation['isChange'] extends true ? (typeof OPERATOR_CHANGE_FAILURES)[number] : never);

interface Declared<
	Request extends TObject,
	Data extends TSchema,
	IsChange extends boolean,
	Failure extends OperatorErrorCode,
> extends Omit<OperatorOperation, 'request' | 'data' | 'requestExample' | 'dataExample' | 'isChange' | 'failures'> {
	readonly isChange: IsChange;
	readonly request: Request;
	readonly requestExample: Static<Request>;
	readonly data: Data;
	readonly dataExample: Static<Data>;
	readonly failures: readonly Failure[];
}

/** Declares a call. Its examples must fit its schemas. */
export function operation<
	Request extends TObject,
	Data extends TSchema,
	const IsChange extends boolean,
	const Failure extends OperatorErrorCode = never,
>(declared: Declared<Request, Data, IsChange, Failure>): Declared<Request, Data, IsChange, Failure> {
	return declared;
}
