import type { TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { ONE_TOKEN } from './routes.ts';
import type { ResellerScope } from './scopes.ts';

/** One row of the table of endpoints (docs/api.md 1.2). */
export interface Endpoint {
	readonly method: 'GET' | 'POST';
	/** Relative to the service's base address. */
	readonly path: string;
	/** What a further token needs. */
	readonly scopes: readonly ResellerScope[] | typeof ONE_TOKEN;
	/** The subject. Reference pages and generated clients group the operations by it. */
	readonly tag:
		| ('Account' | 'Sub-users' | 'Balance' | 'Usage' | 'Changes')
		| ('Life' | 'Events' | 'Webhooks' | 'Tokens' | 'Top-ups');
	readonly summary: string;
	readonly description: string;
	/** Whether the call takes a reference, in a header. */
	readonly takesReference?: true;
	/** Schema of the JSON body; absent if the call takes none. */
	readonly request?: TSchema;
	/** A body that fits the schema and leads to `dataExample`. */
	readonly requestExample?: unknown;
	/** Describes the data of a success. */
	readonly answer: string;
	/** Schema of `data` in a success. */
	readonly data: TSchema;
	readonly dataExample: unknown;
	/** The failures of this call, besides `COMMON_FAILURES`. */
	readonly failures: readonly ErrorCode[];
}
