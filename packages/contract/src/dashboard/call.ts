import type { Right } from './rights.ts';

/** How a call of the dashboard is made. */
export interface Call<Of extends Right, Proof extends boolean, Types> {
	/** The right that a call needs. */
	readonly right: Of;
	/** Whether a person must have proven their identity within the last five minutes. */
	readonly proof: Proof;
	/** Only for the compiler: at run time, it does not exist. */
	readonly types: Types;
}

/** A change that needs a proof. */
export const PROOF = true;

/** Declares a change: its right, its body, and its answer. */
export function change<Of extends Right, Proof extends boolean = false>(right: Of, proof = false as Proof) {
	return <Body, Answer>(): Call<Of, Proof, { body: Body; answer: Answer }> =>
		({ right, proof }) as Call<Of, Proof, { body: Body; answer: Answer }>;
}

/** Declares a read: its right, its query, and its answer. */
export function read<Of extends Right>(right: Of) {
	return <Query, Answer>(): Call<Of, false, { query: Query; answer: Answer }> =>
		({ right, proof: false }) as Call<Of, false, { query: Query; answer: Answer }>;
}

/** Declares a file to download: its right, and its query. */
export function file<Of extends Right>(right: Of) {
	return <Query>(): Call<Of, false, { query: Query }> => ({ right, proof: false }) as Call<Of, false, { query: Query }>;
}

/** The requests and answers of the calls, by their paths. */
export type CallTypes<Calls extends Readonly<Record<string, Call<Right, boolean, unknown>>>> = {
	[Path in keyof Calls]: Calls[Path]['types'];
};
