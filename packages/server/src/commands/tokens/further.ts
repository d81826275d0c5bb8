import type { ResellerScope } from '@bursar/contract/scopes';
import type { Books } from '../../domain/books.ts';
import {
	type FurtherToken,
	isFurther,
	isLiveToken,
	type NewNamedToken,
	refusalOfFurther,
	type Token,
} from '../../domain/token.ts';
import { actOfProgram, requireReseller } from '../asking.ts';
import type { ResellersChange } from '../command.ts';
import { refused, type Verb } from '../verb.ts';
import type { TokenMaking } from './new-token.ts';

interface FurtherCommand extends ResellersChange {
	/** The public id of the token. */
	readonly id: string;
	/**
	 * The hash of the token with which a program asks. It must be the one token at the time of the decision: a request that
	 * was sent before all tokens were ended must not leave a token behind.
	 */
	readonly askedWith?: string | undefined;
}

export interface CreateToken extends FurtherCommand, TokenMaking, NewNamedToken {
	readonly kind: 'create_token';
	/** As `normalizeAllowedIps` writes them. `null`: from anywhere. */
	readonly allowedIps: readonly string[] | null;
}

export interface EndToken extends FurtherCommand {
	readonly kind: 'end_token';
}

interface Created {
	readonly ok: true;
	readonly token: FurtherToken;
}

interface Ended {
	readonly ok: true;
	readonly id: string;
}

/** Makes a token with a name, scopes and an end, beside the one token. Expired ones are forgotten. */
export const createToken: Verb<
	CreateToken,
	Created,
	'unauthorized' | 'invalid_token' | 'token_exists' | 'too_many_tokens'
> = {
	kind: 'create_token',
	calls: ['/tokens/create'],
	isOtherChange: true,
	needs: () => ({ tokens: true }),
	decide(books, command, nowMs) {
		const { id, reseller, tokenHash, tokenTail, madeBy, name, scopes, endsAtMs, allowedIps } = command;
		requireReseller(books, reseller);
		if (!mayAsk(books, command, nowMs)) return refused('unauthorized');
		const kept = books.tokensOf(reseller).filter((token) => !isFurther(token) || isLiveToken(token, nowMs));
		const refusal = refusalOfFurther(command, kept.filter(isFurther), nowMs);
		if (refusal) return refused(refusal);
		const further = { id, name, scopes: scopes as readonly ResellerScope[], allowedIps };
		const token = {
			hash: tokenHash,
			reseller,
			tail: tokenTail,
			madeAtMs: nowMs,
			madeBy,
			expiresAtMs: endsAtMs,
			further,
		};
		return {
			outcome: { ok: true, token },
			effects: [{ kind: 'replace_tokens', reseller, tokens: [...kept, token] }, ...actOfProgram(command, name, nowMs)],
		};
	},
};

/** Ends a further token. Its row is deleted, so that no clock makes it valid again. */
export const endToken: Verb<EndToken, Ended, 'unauthorized' | 'unknown_token'> = {
	kind: 'end_token',
	calls: ['/tokens/end'],
	giver: 'person',
	isOtherChange: true,
	needs: () => ({ tokens: true }),
	decide(books, command, nowMs) {
		const { id, reseller } = command;
		if (!mayAsk(books, command, nowMs)) return refused('unauthorized');
		const tokens = books.tokensOf(reseller);
		const ended = tokens.filter(isFurther).find(({ further }) => further.id === id);
		if (!ended) return refused('unknown_token');
		return {
			outcome: { ok: true, id },
			effects: [
				{ kind: 'replace_tokens', reseller, tokens: tokens.filter((token) => token !== ended) },
				...actOfProgram(command, ended.further.name, nowMs),
			],
		};
	},
};

function mayAsk(books: Books, { reseller, askedWith }: FurtherCommand, nowMs: number): boolean {
	if (askedWith === undefined) return true;
	const isAsker = (token: Token) => token.hash === askedWith && !isFurther(token) && isLiveToken(token, nowMs);
	return books.tokensOf(reseller).some(isAsker);
}
