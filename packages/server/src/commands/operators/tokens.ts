import { MAX_OPERATOR_TOKENS } from '@bursar/contract/limits';
import { isOperatorScope, type OperatorScope } from '@bursar/contract/scopes';
import { isNamedToken, type NewNamedToken } from '../../domain/token.ts';
import { type CallersCommand, callersVerb, DONE, type Done, refused } from '../person-verb.ts';

export interface CreateOperatorToken extends CallersCommand, NewNamedToken {
	readonly kind: 'create_operator_token';
	/** Its public id. */
	readonly id: string;
	readonly tokenHash: string;
	/** The last four characters of the token. */
	readonly tokenTail: string;
	/** The e-mail address of the operator, or the user of the operating system. */
	readonly madeBy: string;
}

export interface EndOperatorToken extends CallersCommand {
	readonly kind: 'end_operator_token';
	readonly name: string;
}

/** Makes a token for a program of the operator. Expired ones are forgotten. Programs themselves make none. */
export const createOperatorToken = callersVerb<
	CreateOperatorToken,
	Done,
	'invalid_token' | 'token_exists' | 'too_many_tokens'
>({
	kind: 'create_operator_token',
	calls: ['/operator/tokens/create'],
	needs: () => ({ operatorTokens: true }),
	decide({ operatorTokens }, command, nowMs) {
		const { id, name, scopes, endsAtMs, tokenHash: hash, tokenTail: tail, madeBy } = command;
		if (!isNamedToken(command, isOperatorScope, nowMs)) return refused('invalid_token');
		const expired = operatorTokens.filter((token) => token.expiresAtMs <= nowMs);
		const live = operatorTokens.filter((token) => !expired.includes(token));
		if (live.some((token) => token.name === name)) return refused('token_exists');
		if (live.length >= MAX_OPERATOR_TOKENS) return refused('too_many_tokens');
		const token = {
			id,
			hash,
			name,
			tail,
			scopes: scopes as readonly OperatorScope[],
			madeAtMs: nowMs,
			madeBy,
			expiresAtMs: endsAtMs,
		};
		return {
			outcome: DONE,
			effects: [
				...expired.map((one) => ({ kind: 'remove_operator_token', id: one.id }) as const),
				{ kind: 'add_operator_token', token },
			],
		};
	},
});

/** Ends a token of a program of the operator. Its row is deleted, so that no clock makes it valid again. */
export const endOperatorToken = callersVerb<EndOperatorToken, Done, 'unknown_token'>({
	kind: 'end_operator_token',
	calls: ['/operator/tokens/end'],
	needs: () => ({ operatorTokens: true }),
	decide({ operatorTokens }, { name }) {
		const token = operatorTokens.find((each) => each.name === name);
		if (!token) return refused('unknown_token');
		return { outcome: DONE, effects: [{ kind: 'remove_operator_token', id: token.id }] };
	},
});
