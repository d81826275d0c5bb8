import { CREATE_FEE_CENTS, type ErrorCode } from '@bursar/contract';
import type { Answer } from './answer.ts';

/** Counts the calls of create, which each cost a fee, so that no rule makes more of them than it says. */
export interface Spending {
	/** From here on, and until the next time, at most that many calls may be made. */
	allow(creates: number): void;
	/** Says that a call is about to be made. Throws where it is one too many: that is a bug of the rule. */
	aboutToCreate(): void;
	/** Says what it was answered, to whoever has that token. */
	created(token: string, answer: Answer): void;
	readonly counts: SpendingCounts;
	/** The fees that were charged to whoever has that token, in cents. */
	feesCentsOf(token: string): number;
}

export interface SpendingCounts {
	/** Authenticated calls of create that were made. */
	readonly creates: number;
	/** Those whose answer says that the fee was charged. */
	readonly charged: number;
	/** The fees of the charged ones, in cents. */
	readonly feesCents: number;
}

/** What costs nothing (docs/api.md 8.2). Everything else does. */
const FREE: ReadonlySet<string | null> = new Set<ErrorCode>([
	'unauthorized',
	'insufficient_balance',
	'method_not_allowed',
	'unavailable',
	'internal_error',
	'bad_request',
	'headers_too_large',
	'request_timeout',
]);
const FREE_STATUSES: ReadonlySet<number> = new Set([401, 402, 405, 408, 431, 500]);

export function createSpending(): Spending {
	let allowed = 0;
	let creates = 0;
	const charged: string[] = [];
	return {
		allow(count) {
			allowed = count;
		},
		aboutToCreate() {
			if (allowed === 0) throw new Error('the rule calls create more often than it says');
			allowed--;
			creates++;
		},
		created(token, { status, errorCode }) {
			if (!FREE_STATUSES.has(status) && !FREE.has(errorCode)) charged.push(token);
		},
		get counts() {
			return { creates, charged: charged.length, feesCents: charged.length * CREATE_FEE_CENTS };
		},
		feesCentsOf: (token) => charged.filter((other) => other === token).length * CREATE_FEE_CENTS,
	};
}
