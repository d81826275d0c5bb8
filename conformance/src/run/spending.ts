import { CREATE_FEE_CENTS, type ErrorCode, errors, FREE_OF_CREATE_FEE } from '@bursar/contract';
import { fieldOf, isAccepted } from '../expect.ts';
import type { Answer, Basis } from '../wire/answer.ts';

/** Counts the calls of create, because each may cost a fee. No rule can make more calls than it announces. */
export interface Spending {
	/** Allows at most that many calls until the next `allow`. */
	allow(creates: number): void;
	/** Counts a call before it is sent. Throws if it is one too many, which is a bug of the rule. */
	aboutToCreate(): void;
	/** Records the answer to a call with that token. `isPlain`: of create, not of create_with. */
	created(token: string, answer: Answer, isPlain: boolean): void;
	/** The reseller holds only that many cents during the work, so it cannot pay for more calls. */
	whileHolding<Result>(cents: number, work: () => Promise<Result>): Promise<Result>;
	readonly counts: SpendingCounts;
	/** The fees charged to the reseller with that token, in cents. */
	feesCentsOf(token: string): number;
	/** The sub-users that the reseller with that token made, by the answers. */
	namesMadeBy(token: string): readonly string[];
}

export interface SpendingCounts {
	/** Authenticated calls of create. */
	readonly creates: number;
	/** Calls whose answer says that the fee was charged. */
	readonly charged: number;
	/** The fees of the charged calls, in cents. */
	readonly feesCents: number;
}

export function createSpending(heldTo: Basis): Spending {
	let allowed = 0;
	let creates = 0;
	let payableCents = Number.POSITIVE_INFINITY;
	const charged: string[] = [];
	const made: { readonly token: string; readonly username: string }[] = [];
	return {
		allow(count) {
			allowed = count;
		},
		aboutToCreate() {
			if (allowed === 0) throw new Error('the rule calls create more often than it says');
			allowed--;
			creates++;
		},
		created(token, answer, isPlain) {
			// By the contract, every call costs the fee that the balance can pay, whatever its answer is.
			const isFree = heldTo === 'contract' ? payableCents < CREATE_FEE_CENTS : isFreeFailure(answer, isPlain);
			if (!isFree) {
				charged.push(token);
				payableCents -= CREATE_FEE_CENTS;
			}
			const username = fieldOf(answer.data, 'username');
			if (isAccepted(answer) && typeof username === 'string') made.push({ token, username });
		},
		async whileHolding(cents, work) {
			payableCents = cents;
			try {
				return await work();
			} finally {
				payableCents = Number.POSITIVE_INFINITY;
			}
		},
		get counts() {
			return { creates, charged: charged.length, feesCents: charged.length * CREATE_FEE_CENTS };
		},
		feesCentsOf: (token) => charged.filter((other) => other === token).length * CREATE_FEE_CENTS,
		namesMadeBy: (token) => made.filter((other) => other.token === token).map(({ username }) => username),
	};
}

/** Free if the code is free, or if all codes of the status are free. A create_with costs nothing unless its name is taken. */
function isFreeFailure({ status, errorCode }: Answer, isPlain: boolean): boolean {
	if (!isPlain) return status >= 400 && errorCode !== 'username_taken';
	const codes = Object.keys(errors) as ErrorCode[];
	const ofStatus = codes.filter((code) => errors[code].status === status);
	const areAllFree = (some: readonly ErrorCode[]) =>
		some.length > 0 && some.every((code) => FREE_OF_CREATE_FEE.has(code));
	return areAllFree(codes.filter((code) => code === errorCode)) || areAllFree(ofStatus);
}
