import { CREATE_FEE_CENTS, type ErrorCode, errors, FREE_OF_CREATE_FEE } from '@bursar/contract';
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
			if (!isFree(status, errorCode)) charged.push(token);
		},
		get counts() {
			return { creates, charged: charged.length, feesCents: charged.length * CREATE_FEE_CENTS };
		},
		feesCentsOf: (token) => charged.filter((other) => other === token).length * CREATE_FEE_CENTS,
	};
}

/** By its code, or by a status that no failure has which costs the fee. */
function isFree(status: number, errorCode: string | null): boolean {
	const codes = Object.keys(errors) as ErrorCode[];
	const ofStatus = codes.filter((code) => errors[code].status === status);
	const areAllFree = (some: readonly ErrorCode[]) =>
		some.length > 0 && some.every((code) => FREE_OF_CREATE_FEE.has(code));
	return areAllFree(codes.filter((code) => code === errorCode)) || areAllFree(ofStatus);
}
